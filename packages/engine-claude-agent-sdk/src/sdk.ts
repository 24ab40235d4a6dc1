import { readFile } from "node:fs/promises";
import { EngineFailure } from "@computeragent/protocol";

/** The Agent SDK's module. */
export type Sdk = typeof import("@anthropic-ai/claude-agent-sdk");

const NAME = "@anthropic-ai/claude-agent-sdk";
let loading: Promise<Sdk> | undefined;

/** Loads the SDK at its first use. Rejects with `EngineFailure` if it is not installed. */
export function loadSdk(): Promise<Sdk> {
  loading ??= import("@anthropic-ai/claude-agent-sdk").catch((cause: unknown) => {
    loading = undefined;
    const message = "The Claude Agent SDK is not installed.";
    throw new EngineFailure({ class: "permanent", message, code: "sdk_missing" }, cause);
  });
  return loading;
}

/** Version of the SDK and of the Claude Code in it, e.g. `0.3.332 (Claude Code 2.1.332)`; null if it is not installed. */
export async function sdkVersion(): Promise<string | null> {
  try {
    const text = await readFile(new URL("package.json", import.meta.resolve(NAME)), "utf8");
    const manifest: { version: string; claudeCodeVersion?: string } = JSON.parse(text);
    return manifest.claudeCodeVersion === undefined
      ? manifest.version
      : `${manifest.version} (Claude Code ${manifest.claudeCodeVersion})`;
  } catch {
    return null;
  }
}
