import { parentPort, workerData } from "node:worker_threads";
import { committer } from "./commit.ts";
import { openWriter } from "./database.ts";
import { type FromWriter, failureOf, type ToWriter, type WriterData } from "./messages.ts";

/** The thread that waits for the disk, so that nobody else has to. */
const port = parentPort;
if (port) {
  const say = (message: FromWriter): void => port.postMessage(message);
  try {
    const { path, busyTimeoutMs } = workerData as WriterData;
    const db = openWriter(path, busyTimeoutMs);
    const commit = committer(db);
    port.on("message", (message: ToWriter) => {
      if (message.kind === "commit") return say({ kind: "done", outcomes: commit(message.tasks) });
      db.close();
      port.close();
    });
    say({ kind: "ready" });
  } catch (error) {
    say({ kind: "unusable", failure: failureOf(error) });
  }
}
