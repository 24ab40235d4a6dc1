import { fileURLToPath, pathToFileURL } from "node:url";
import { decode } from "./decode.ts";
import { forgePath, splitTag } from "./forge-path.ts";
import { unreachable } from "./unreachable.ts";

/** Where a repository is. */
export interface Located {
  readonly protocol: "https" | "http" | "ssh" | "file";
  /** For git's command line and configuration: without password or token. */
  readonly url: string;
  /** For messages. */
  readonly shown: string;
  /** Absolute path, with protocol file. */
  readonly path?: string;
  /** Value of an Authorization header made from the credentials of the spelling. */
  readonly authorization?: string;
}

type LocatedWithin = Located & { readonly ref?: string; readonly subdir?: string; readonly page?: string };

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i;
const SCP = /^(?:([a-z0-9_][\w.-]*)@)?([^/:@]+):([^:].*)$/i;

/** Finds out what a spelling (without its fragment) means. Throws `WireError` SOURCE_UNREACHABLE. */
export function locate(spelled: string): LocatedWithin {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(spelled)) return fromUrl(spelled);
  if (spelled.startsWith("/")) return fromPath(spelled);
  const scp = SCP.exec(spelled);
  if (scp) {
    const [, user, host = "", path = ""] = scp;
    if (!HOST.test(host) || path.startsWith("-")) throw unreachable("The host or path of the git URL is not valid");
    const { repository, tag } = splitTag(path.split("/"));
    const url = `${user === undefined ? "" : `${user}@`}${host}:${repository.join("/")}`;
    return { protocol: "ssh", url, shown: url, ...(tag === undefined ? {} : { ref: tag }) };
  }
  if (/^[a-z0-9-]+(?:\.[a-z0-9-]+)+\/./i.test(spelled)) return fromUrl(`https://${spelled}`, true);
  throw unreachable("The git URL is not one: use https://, ssh://, git@host:path, host/org/repo or an absolute path");
}

function fromUrl(spelled: string, withoutScheme = false): LocatedWithin {
  const parsed = URL.canParse(spelled) ? new URL(spelled) : undefined;
  if (!parsed) throw unreachable("The git URL cannot be read");
  if (parsed.search !== "") throw unreachable("The git URL must not have a query");
  switch (parsed.protocol) {
    case "https:":
      return fromWeb(parsed, withoutScheme);
    case "http:":
      if (!LOOPBACK.test(parsed.hostname)) throw unreachable("Plain http is allowed for this machine only: use https");
      return fromWeb(parsed, false);
    case "ssh:":
      return fromSsh(parsed);
    case "file:":
      if (parsed.host !== "") throw unreachable("A file URL must not name a host");
      return fromPath(decodePath(parsed));
    default:
      throw unreachable("The protocol of the git URL is not allowed: use https, ssh or file");
  }
}

function fromWeb(parsed: URL, withoutScheme: boolean): LocatedWithin {
  const { path, ...within } = forgePath(parsed, withoutScheme);
  const user = decode(parsed.username);
  const password = decode(parsed.password);
  const url = `${parsed.protocol}//${parsed.host}${path}`;
  return {
    protocol: parsed.protocol === "https:" ? "https" : "http",
    url,
    shown: url,
    ...within,
    ...(user === "" && password === ""
      ? {}
      : { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` }),
  };
}

function fromSsh(parsed: URL): LocatedWithin {
  if (parsed.password !== "") throw unreachable("An ssh URL must not hold a password");
  const user = decode(parsed.username);
  if (!HOST.test(parsed.hostname) || !/^(?:[a-z0-9_][\w.-]*)?$/i.test(user)) {
    throw unreachable("The host or user of the git URL is not valid");
  }
  const { repository, tag } = splitTag(parsed.pathname.replace(/\/+$/, "").split("/"));
  const url = `ssh://${user === "" ? "" : `${user}@`}${parsed.host}${repository.join("/")}`;
  return { protocol: "ssh", url, shown: url, ...(tag === undefined ? {} : { ref: tag }) };
}

function fromPath(path: string): Located {
  return { protocol: "file", url: pathToFileURL(path).href, shown: path, path };
}

function decodePath(parsed: URL): string {
  try {
    return fileURLToPath(parsed);
  } catch (error) {
    throw unreachable("The path of the file URL is not valid", error);
  }
}
