import { chmod, lstat, mkdir, stat } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { CliError, EXIT } from "../exit-codes.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The state folder: `COMPUTERAGENT_HOME`, else `~/.computeragent`. Not made here. */
export function homeOf(env: Env): string {
  return resolve(env.COMPUTERAGENT_HOME || join(env.HOME || homedir(), ".computeragent"));
}

/** Makes the state folder (0700) where it is missing. */
export async function ensureHome(env: Env): Promise<string> {
  const home = homeOf(env);
  try {
    await makeFolder(home);
  } catch (error) {
    throw new CliError(
      `cannot make the state folder ${home}; set COMPUTERAGENT_HOME to a folder you can write`,
      EXIT.failed,
      error,
    );
  }
  return home;
}

/** Makes a folder (0700) and what is missing above it. Node's recursive mkdir never returns below /proc; this does. */
async function makeFolder(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 });
  try {
    await make();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && (await stat(path)).isDirectory()) return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await make();
  }
}

/** A short private folder for sockets: under `XDG_RUNTIME_DIR`, else `/tmp/ca-UID`. It must be ours alone. */
export async function ensureRuntimeDir(env: Env): Promise<string> {
  const uid = process.getuid?.() ?? 0;
  const runtime = env.XDG_RUNTIME_DIR;
  const dir = runtime ? join(runtime, "ca") : join(tmpdir(), `ca-${uid}`);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const found = await lstat(dir);
  if (!found.isDirectory() || found.uid !== uid) {
    throw new CliError(`${dir} belongs to somebody else; set XDG_RUNTIME_DIR to a folder of your own`, EXIT.failed);
  }
  if ((found.mode & 0o077) !== 0) await chmod(dir, 0o700);
  return dir;
}
