import { EXIT, type ExitCode } from "../exit-codes.ts";
import { ensureHome } from "../host/home.ts";
import { ensureToken } from "../host/token-file.ts";

/** Prints the host token of this machine; makes it if there is none yet. */
export async function tokenCommand(): Promise<ExitCode> {
  process.stdout.write(`${await ensureToken(await ensureHome(process.env))}\n`);
  return EXIT.success;
}
