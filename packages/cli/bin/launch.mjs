import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Whether this Node satisfies `engines.node`: ^22.22.0 || >=24.11.0. */
function fits(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major === 22 ? minor >= 22 : major === 24 ? minor >= 11 : major > 24;
}

/** The Node that the checkout brought along, if this is a checkout. */
function pinnedNode() {
  const tools = fileURLToPath(new URL("../../../.tools/node_modules/", import.meta.url));
  const names = existsSync(tools) ? readdirSync(tools).filter((name) => name.startsWith("node-")) : [];
  return names.map((name) => `${tools}${name}/bin/node`).find((path) => existsSync(path));
}

/** Runs a built program of this package, under a fitting Node. */
export async function launch(name) {
  const program = new URL(`../dist/bin/${name}.js`, import.meta.url);
  if (!existsSync(program)) fail(`${name} is not built yet; run 'npm run setup'`);
  if (fits(process.versions.node)) {
    await import(program.href);
    return;
  }
  const node = pinnedNode();
  if (!node) fail(`${name} needs Node ^22.22.0 or >=24.11.0; this is ${process.version}`);
  // As in the checkout's launchers: room for young objects.
  const child = spawn(node, ["--min-semi-space-size=16", fileURLToPath(program), ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  process.on("SIGINT", () => {});
  child.on("exit", (code, signal) => process.exit(signal ? 128 : (code ?? 1)));
}

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
