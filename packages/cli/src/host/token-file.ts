import { randomBytes } from "node:crypto";
import { link, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CliError, EXIT } from "../exit-codes.ts";

/** Path of the host token in a state folder. */
export function tokenPath(home: string): string {
  return join(home, "host-token");
}

/** The host token, or undefined if there is none yet. */
export async function readToken(home: string): Promise<string | undefined> {
  try {
    const token = (await readFile(tokenPath(home), "utf8")).trim();
    if (token.length >= 32) return token;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new CliError(`cannot read ${tokenPath(home)}`, EXIT.failed, error);
  }
  throw new CliError(`${tokenPath(home)} does not hold a token; remove it and start the host again`, EXIT.failed);
}

/** The host token; made at random (0600) if there is none. Safe for two hosts at once: the first one's token stands. */
export async function ensureToken(home: string): Promise<string> {
  const known = await readToken(home);
  if (known !== undefined) return known;
  const fresh = join(home, `.host-token.${process.pid}.${randomBytes(4).toString("hex")}`);
  try {
    await writeFile(fresh, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
    await link(fresh, tokenPath(home));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST") throw new CliError(`cannot write ${tokenPath(home)}: ${code}`, EXIT.failed, error);
  } finally {
    await unlink(fresh).catch(() => {});
  }
  return (await readToken(home)) ?? ensureToken(home);
}
