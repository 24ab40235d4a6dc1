import { readdir } from "node:fs/promises";
import { serve } from "./serve.ts";
import { download, type Transfer, upload } from "./transfer.ts";

/** A file of `bytes` into the real host and out again: time, and the host's memory meanwhile. */
export async function files(bytes: number): Promise<{ readonly upload: Transfer; readonly download: Transfer }> {
  const host = await serve({ maxFileBytes: bytes });
  try {
    const workspace = { type: "local", path: host.workspace };
    const { sessionId } = await host.call("POST", "/v1/sessions", { engine: "mock", workspace });
    const at = (path: string) => ({ pid: host.pid, url: `${host.url}/v1/sessions/${sessionId}/fs/file?path=${path}` });
    // The first transfer of a process compiles and warms up: it does not count.
    const warm = 64 * 1024 * 1024;
    await upload(at("warm"), Math.min(warm, bytes));
    await download(at("warm"), Math.min(warm, bytes));
    const up = await upload(at("big"), bytes);
    const down = await download(at("big"), bytes);
    if (up.sha !== down.sha) throw new Error("what came out is not what went in");
    const names = await readdir(host.workspace);
    if (names.sort().join() !== "big,warm") throw new Error(`left behind: ${names}`);
    return { upload: up, download: down };
  } finally {
    await host.stop();
  }
}

if (import.meta.main) {
  const bytes = Number(process.argv[2] ?? 2 * 1024 ** 3);
  process.stdout.write(`${JSON.stringify(await files(bytes), null, 2)}\n`);
}
