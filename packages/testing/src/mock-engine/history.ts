import { type FileHandle, open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type EngineContext, EngineFailure } from "@computeragent/protocol";
import { z } from "zod";

/** Name of the file in the session's home. */
export const HISTORY_FILE = "mock-history.jsonl";

const Line = z.discriminatedUnion("type", [
  z.object({ type: z.literal("session"), id: z.string(), parent: z.string().optional() }),
  z.object({ type: z.literal("user"), messageIds: z.array(z.string()), text: z.string() }),
  z.object({ type: z.literal("step") }),
  z.object({ type: z.literal("end"), reason: z.string() }),
]);
type Line = z.infer<typeof Line>;

/** Begins a message that tells a resumed engine what happened; it is no script. */
export const RECOVERY_MARK = "<computeragent-recovery>";

function parse(text: string): Line[] {
  const lines: Line[] = [];
  for (const raw of text.split("\n")) {
    try {
      const line = Line.safeParse(JSON.parse(raw));
      if (line.success) lines.push(line.data);
    } catch {
      // A line that a crash cut short.
    }
  }
  return lines;
}

async function readIfThere(file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
}

/** Opens a file that holds `text`; a last line that a crash cut short gets its end. */
async function openToAppend(path: string, text: string): Promise<FileHandle> {
  const file = await open(path, "a");
  if (text !== "" && !text.endsWith("\n")) await file.appendFile("\n");
  return file;
}

/** What a mock session remembers: a file of JSON lines in its home, one line per message and completed step. */
export class MockHistory {
  readonly engineSessionId: string;
  readonly #file: FileHandle;
  readonly #lines: Line[];
  #messages = 0;

  private constructor(file: FileHandle, lines: Line[], engineSessionId: string) {
    this.#file = file;
    this.#lines = lines;
    for (const line of lines) if (line.type === "user") this.#messages++;
    this.engineSessionId = engineSessionId;
  }

  /** Starts a history, or goes on with the one in `home`; close it in the end. Rejects with `EngineFailure` if it is not the wanted one. */
  static async open(home: string, freshId: string, resume: EngineContext["resume"]): Promise<MockHistory> {
    const path = join(home, HISTORY_FILE);
    if (!resume) {
      await writeFile(path, "", { mode: 0o600 });
      return MockHistory.#begin(path, [], { type: "session", id: freshId });
    }
    const text = await readIfThere(path);
    const lines = parse(text);
    const known = lines.findLast((line) => line.type === "session")?.id;
    if (known !== resume.engineSessionId) {
      const message = `No conversation found with session ID: ${resume.engineSessionId}`;
      throw new EngineFailure({ class: "permanent", message, code: "no_conversation" });
    }
    if (resume.fork) return MockHistory.#begin(path, lines, { type: "session", id: freshId, parent: known }, text);
    return new MockHistory(await openToAppend(path, text), lines, known);
  }

  static async #begin(
    path: string,
    lines: Line[],
    header: Line & { type: "session" },
    text = "",
  ): Promise<MockHistory> {
    const history = new MockHistory(await openToAppend(path, text), lines, header.id);
    await history.append(header).catch(async (error: unknown) => {
      await history.close();
      throw error;
    });
    return history;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async append(line: Line): Promise<void> {
    await this.#file.appendFile(`${JSON.stringify(line)}\n`);
    this.#lines.push(line);
    if (line.type === "user") this.#messages++;
  }

  /** How many messages were remembered. */
  get messages(): number {
    return this.#messages;
  }

  get lines(): readonly Line[] {
    return this.#lines;
  }

  /** The script of a turn that was cut short, with the number of its completed steps; null if the last turn ended. */
  unfinished(): { readonly script: string; readonly done: number } | null {
    const open = this.#lines.slice(this.#lines.findLastIndex((line) => line.type === "end") + 1);
    const scripts = open.filter((line) => line.type === "user" && !line.text.startsWith(RECOVERY_MARK));
    if (scripts.length === 0) return null;
    return {
      script: scripts.map((line) => (line.type === "user" ? line.text : "")).join("\n"),
      done: open.filter((line) => line.type === "step").length,
    };
  }
}
