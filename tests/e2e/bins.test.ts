import { rm } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "@computeragent/testing";
import { expect, it } from "vitest";
import { command } from "./command.ts";
import { makeHome, ROOT } from "./host-process.ts";

it("`pnpm exec harness-server` serves, as the first seed has it", async () => {
  const home = await makeHome();
  const server = command(join(ROOT, "node_modules", ".bin", "harness-server"), ["--port", "0"], { home, cwd: home });
  await eventually(30_000, "the host to listen", () => server.stdout().includes("listening on http://127.0.0.1:"));
  server.child.kill("SIGTERM");
  expect((await server.finished).code).toBe(0);
  await rm(home, { recursive: true, force: true });
});
