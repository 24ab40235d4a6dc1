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
  if (await makeOne(path)) return;
  await makeFolder(dirname(path));
  if (!(await makeOne(path))) throw new Error(`${path} cannot be made`);
}

/** False: there is nothing to put it into. Another process may make it at the same time. */
async function makeOne(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && dirname(path) !== path) return false;
    if (code !== "EEXIST" || !(await stat(path)).isDirectory()) throw error;
  }
  return true;
}

/** A short private folder for sockets: under `XDG_RUNTIME_DIR`, else `/tmp/ca-UID`. It must be ours alone. */
export async function ensureRuntimeDir(env: Env): Promise<string> {
  const uid = process.getuid?.() ?? 0;
  const runtime = env.XDG_RUNTIME_DIR;
  const dir = runtime ? join(runtime, "ca") : join(tmpdir(), `ca-${uid}`);
  try {
    await makeFolder(dir);
  } catch (error) {
    throw new CliError(
      `cannot make the folder ${dir}; set XDG_RUNTIME_DIR to a folder you can write`,
      EXIT.failed,
      error,
    );
  }
  const found = await lstat(dir);
  if (!found.isDirectory() || found.uid !== uid) {
    throw new CliError(`${dir} belongs to somebody else; set XDG_RUNTIME_DIR to a folder of your own`, EXIT.failed);
  }
  if ((found.mode & 0o077) !== 0) await chmod(dir, 0o700);
  return dir;
}
