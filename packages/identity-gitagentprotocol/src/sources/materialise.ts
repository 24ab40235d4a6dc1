import type { IdentitySource } from "@computeragent/protocol";
import { materialiseGit } from "./git.ts";
import { materialiseInline } from "./inline.ts";
import { materialiseLocal } from "./local.ts";
import type { Materialiser } from "./materialiser.ts";

/** Puts the files of a source into `dir`. Returns the commit id, where there is one. */
export async function materialise(source: IdentitySource, to: Materialiser): Promise<string | null> {
  switch (source.type) {
    case "inline":
      await materialiseInline(source.manifest, source.files ?? {}, to);
      return null;
    case "local":
      await materialiseLocal(source.path, to);
      return null;
    case "git":
      return materialiseGit(source, to);
  }
}
