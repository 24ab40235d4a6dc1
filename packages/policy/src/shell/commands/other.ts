import type { Arg, Call } from "../context.ts";

/** Commands that delete, destroy, take privileges or end the machine, whatever their arguments. */
export const DESTRUCTIVE: ReadonlySet<string> = new Set(
  (
    "rm rmdir unlink shred srm wipe rimraf del-cli truncate dropdb " +
    "mkfs mke2fs fdisk sfdisk cfdisk gdisk sgdisk parted wipefs blkdiscard hdparm mkswap swapoff cryptsetup mdadm lvremove vgremove pvremove zfs zpool btrfs losetup dd " +
    "sudo su doas pkexec runuser gosu sudoedit chroot nsenter unshare setcap setfacl visudo passwd chpasswd useradd userdel usermod groupadd groupdel adduser deluser chsh " +
    "shutdown reboot halt poweroff init telinit kexec mount umount insmod rmmod modprobe sysctl iptables ip6tables nft ufw " +
    "semantic-release"
  ).split(" "),
);

const DESTRUCTIVE_TEXT =
  /(^|[\s;&|({'"`=])(rm|rmdir|shred|unlink|sudo|doas|mkfs[.\w]*|rimraf)\s|\bdd\s+(if|of)=|\bgit\s+(push\s+(-f|--force)|reset\s+--hard|clean\s+-)/;
const DELETING_CODE =
  /\b(rmtree|rmSync|rmdirSync|unlinkSync|rm_rf|rm_r|remove_tree|delete_file|deleteFile)\b|\bos\.(remove|unlink|rmdir|removedirs)\b|\bfs\.(rm|rmdir|unlink)\b|\b(File|Deno|FileUtils|fsp)\.(delete|remove|rm|unlink)|\bunlink\s*[(\s'"]|\.unlink\(/;

/** The judgement of a command that is on no list: high, or worse when its arguments name something destructive. */
export function other(call: Call) {
  const { cx } = call;
  const base = call.name.split("/").at(-1) ?? "";
  if (isDestructive(base)) return cx.ledger.executes("destructive", `${base} destroys or takes privileges`);
  const bad = call.args.find(isBad);
  if (bad) return cx.ledger.executes("destructive", `${base} is told to run something destructive`);
  if (codeDeletes(call.document)) return cx.ledger.executes("destructive", "it runs code that deletes");
  cx.ledger.executes("high", `${base} is not on the list of harmless commands`);
}

/** Whether a command of this name is destructive in any case. */
export function isDestructive(name: string): boolean {
  return DESTRUCTIVE.has(name) || /^mkfs\./.test(name);
}

/** Whether text that may be run holds something destructive. */
export function codeDeletes(text: string | undefined): boolean {
  return text !== undefined && (DESTRUCTIVE_TEXT.test(text) || DELETING_CODE.test(text));
}

function isBad(arg: Arg): boolean {
  return isDestructive(arg.text.replace(/^\S*\//, "")) || codeDeletes(arg.text);
}
