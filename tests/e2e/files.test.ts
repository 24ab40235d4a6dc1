import { readdir, readFile, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { eventually } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import { files } from "../../bench/src/files.ts";
import { type HostProcess, startHost } from "./host-process.ts";

const MIB = 1024 * 1024;

describe("files of the real host", { timeout: 120_000 }, () => {
  it("of 256 MB go in and out in constant memory, whole, and leave nothing beside them", async () => {
    const { upload, download } = await files(256 * MIB);
    expect(upload.sha).toBe(download.sha);
    expect(upload.peakMiB).toBeLessThan(48);
    expect(download.peakMiB).toBeLessThan(48);
  });

  it.each(["SIGTERM", "SIGINT"] as const)(
    "keep their old content when %s comes in the middle of an upload, and nothing is left beside them",
    async (signal) => {
      await using host = await startHost();
      const sessionId = await host.create();
      await writeFile(join(host.workspace, "f"), "old");
      await halfAnUpload(host, sessionId);
      await host.end(signal);
      expect(await readdir(host.workspace)).toEqual(["f"]);
      expect(await readFile(join(host.workspace, "f"), "utf8")).toBe("old");
    },
  );

  it("that a host was writing when it was killed are removed by the next one", async () => {
    await using host = await startHost();
    const sessionId = await host.create();
    await writeFile(join(host.workspace, "f"), "old");
    await halfAnUpload(host, sessionId);
    await host.end("SIGKILL");
    expect(await readdir(host.workspace)).toHaveLength(2);
    await using next = await startHost([], { COMPUTERAGENT_HOME: host.home });
    expect(next.home).toBe(host.home);
    expect(await readdir(host.workspace)).toEqual(["f"]);
    expect(await readFile(join(host.workspace, "f"), "utf8")).toBe("old");
  });
});

/** Sends the first part of a new "f" and never the rest. */
async function halfAnUpload(host: HostProcess, sessionId: string): Promise<void> {
  const client = request(`${host.url}/v1/sessions/${sessionId}/fs/file?path=f`, {
    method: "PUT",
    headers: { authorization: `Bearer ${host.token}` },
  });
  client.on("error", () => {});
  client.write(Buffer.alloc(MIB));
  await eventually(20_000, "the upload to begin", async () => (await readdir(host.workspace)).length === 2);
}
