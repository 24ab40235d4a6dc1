import type { EditBody, Tree, TreeQuery } from "@computeragent/protocol";
import type { z } from "zod";
import type { Conditions } from "./conditions.ts";
import { Digests } from "./digests.ts";
import { type EditResult, editFile } from "./edit-file.ts";
import { fsError } from "./fs-errors.ts";
import { Jail } from "./jail.ts";
import { listTree } from "./list-tree.ts";
import { makeFolder } from "./make-folder.ts";
import { moveEntry } from "./move-entry.ts";
import { type OpenedFile, openFile } from "./read-file.ts";
import { removeEntry } from "./remove-entry.ts";
import type { Source } from "./staging.ts";
import { Unfinished } from "./unfinished.ts";
import { type WriteConditions, type Written, writeFile } from "./write-file.ts";

const MAX_TREE_ENTRIES = 10_000;

/** The files of one workspace for callers from outside. Every path is jailed, every failure a `WireError` without host paths. */
export interface WorkspaceFs {
  /** The real path of the workspace, for the host alone. */
  readonly root: string;
  /** One page of a listing. */
  tree(query: z.infer<typeof TreeQuery>): Promise<Tree>;
  /** Opens a regular file for reading; the caller closes it. */
  open(path: string): Promise<OpenedFile>;
  /** Replaces or makes a file in one step. */
  write(path: string, source: Source, conditions?: WriteConditions): Promise<Written>;
  /** Replaces text in a file. */
  edit(body: EditBody, conditions?: Conditions): Promise<EditResult>;
  /** Deletes a file or folder. */
  remove(path: string, recursive?: boolean, conditions?: Conditions): Promise<void>;
  /** Makes a folder. */
  mkdir(path: string, recursive?: boolean): Promise<void>;
  /** Moves a file or folder; the conditions are those of `from`. */
  move(from: string, to: string, overwrite?: boolean, conditions?: Conditions): Promise<void>;
}

/**
 * `maxFileBytes` limits what a write or an edit may leave, `maxTreeEntries` one page of a tree (default 10 000). `unfinished`: a
 * folder of the host, see `Unfinished`; it is made when it is needed.
 */
export interface WorkspaceFsOptions {
  readonly root: string;
  readonly maxFileBytes: number;
  readonly maxTreeEntries?: number;
  readonly unfinished?: string;
}

/** Opens the file service of a workspace. Throws NOT_FOUND when the root is no folder, an ordinary error when the platform is not Linux with /proc. */
export function createWorkspaceFs(options: WorkspaceFsOptions): WorkspaceFs {
  const { maxFileBytes, maxTreeEntries = MAX_TREE_ENTRIES } = options;
  const jail = new Jail(options.root);
  const digests = new Digests();
  const workspace = { jail, digests, unfinished: new Unfinished(options.unfinished), maxFileBytes };
  return {
    root: jail.root,
    tree: (query) => mapped(query.path ?? "", listTree(jail, maxTreeEntries, query)),
    open: (path) => mapped(path, openFile(jail, digests, path)),
    write: (path, source, conditions = {}) => mapped(path, writeFile(workspace, path, source, conditions)),
    edit: (body, conditions = {}) => mapped(body.path, editFile(workspace, body, conditions)),
    remove: (path, recursive = false, conditions = {}) =>
      mapped(path, removeEntry(workspace, path, recursive, conditions)),
    mkdir: (path, recursive = false) => mapped(path, makeFolder(jail, path, recursive)),
    move: (from, to, overwrite = false, conditions = {}) =>
      mapped(from, moveEntry(workspace, from, to, overwrite, conditions)),
  };
}

async function mapped<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw fsError(error, path);
  }
}
