import type { Risk, ToolKind } from "@computeragent/protocol";
import type { Classification } from "./classification.ts";
import { resolvePath } from "./paths.ts";
import { atLeast } from "./risk.ts";

/** The folder that a session works in, and what is known about its files. */
export interface Place {
  /** Absolute. */
  readonly workspace: string;
  /** False: the file's content could not be brought back. Absent: not known. */
  readonly versioned?: (path: string) => boolean;
}

/** How a path is used. `overwrite` replaces the whole content, `write` adds to it or changes a part. */
export type Use = "read" | "write" | "overwrite" | "delete";

/** Adds up what the parts of one call do; the worst part gives the risk and the reason. */
export class Ledger {
  readonly place: Place;
  #risk: Risk;
  #reason: string;
  readonly #paths = new Set<string>();
  #outside = false;
  #writes = false;
  #writesOutside = false;
  #executes = false;

  constructor(place: Place, risk: Risk, reason: string) {
    this.place = place;
    this.#risk = risk;
    this.#reason = reason;
  }

  /** Raises the risk; never lowers it. */
  raise(risk: Risk, reason: string): void {
    if (atLeast(this.#risk, risk)) return;
    this.#risk = risk;
    this.#reason = reason;
  }

  /** Notes something that runs and whose effects are not visible. */
  executes(risk: Risk, reason: string): void {
    this.#executes = true;
    this.raise(risk, reason);
  }

  /** Notes the use of a path that is relative to any one of `bases`. */
  use(raw: string, bases: readonly string[], use: Use): void {
    if (use !== "read") this.#writes = true;
    if (use === "delete") this.raise("destructive", "it deletes");
    for (const base of bases) this.#useAt(raw, base, use);
  }

  /** Notes the use of a path that cannot be told. */
  unknown(use: Use): void {
    if (use !== "read") this.#writes = true;
    this.raise(use === "delete" ? "destructive" : "high", "it uses a path that cannot be told beforehand");
  }

  /** The result; `kind` overrides the kind that follows from the effects of a command. */
  classification(kind?: ToolKind): Classification {
    const seen = this.#writesOutside || (this.#writes && !this.#executes) ? "write" : "execute";
    return {
      risk: this.#risk,
      kind: kind ?? seen,
      paths: [...this.#paths],
      outside: this.#outside,
      reason: this.#reason,
    };
  }

  #useAt(raw: string, base: string, use: Use): void {
    const { path, inside, sensitive } = resolvePath(raw, base, this.place.workspace);
    const writes = use !== "read";
    this.#paths.add(path);
    if (!inside) {
      this.#outside = true;
      if (writes) this.#writesOutside = true;
      this.raise("high", writes ? "it writes outside the workspace" : "it reads outside the workspace");
    } else if (writes) {
      this.raise("medium", "it writes inside the workspace");
      if (sensitive) this.raise("high", "it writes a file that other programs trust");
    }
    if (use === "overwrite" && this.#versioned(path) === false)
      this.raise("destructive", "it overwrites a file that is not under version control");
  }

  #versioned(path: string): boolean | undefined {
    try {
      return this.place.versioned?.(path);
    } catch {
      return undefined;
    }
  }
}
