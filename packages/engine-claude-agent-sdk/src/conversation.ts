import { randomUUID } from "node:crypto";
import type { Options } from "@anthropic-ai/claude-agent-sdk";
import type { EngineContext, EngineState, JsonObject } from "@computeragent/protocol";
import { string } from "./json.ts";
import { claimTranscript } from "./transcripts.ts";

/** Which conversation of the CLI a session goes on with, through restarts, forks and resets. */
export class Conversation {
  #id: string;
  /** Id of the copy, until the CLI has written it. */
  #fork: string | undefined;

  /** `fresh`: the id of a new conversation. */
  constructor(resume: EngineContext["resume"], fresh: string = randomUUID()) {
    this.#id = resume?.engineSessionId ?? fresh;
    if (resume?.fork) this.#fork = randomUUID();
  }

  /** What is needed to find the conversation again. For a fork this is its origin until the copy exists. */
  get state(): EngineState {
    return { engineSessionId: this.#id };
  }

  /** How the next process gets the conversation: going on with it, copying it, or (`sessionId` alone) beginning it. */
  async plan(configDir: string): Promise<Pick<Options, "resume" | "sessionId" | "forkSession">> {
    if (this.#fork !== undefined && (await claimTranscript(configDir, this.#fork))) {
      this.#id = this.#fork;
      this.#fork = undefined;
    }
    if (!(await claimTranscript(configDir, this.#id))) {
      if (this.#fork !== undefined) this.#id = this.#fork;
      this.#fork = undefined;
      return { sessionId: this.#id };
    }
    if (this.#fork === undefined) return { resume: this.#id };
    return { resume: this.#id, forkSession: true, sessionId: this.#fork };
  }

  /** True if this message changed the state. */
  observe(message: JsonObject): boolean {
    if (message.type === "conversation_reset") return this.#move(string(message.new_conversation_id));
    if (message.type === "result" && message.session_id === this.#fork) return this.#move(this.#fork);
    return false;
  }

  #move(id: string | undefined): boolean {
    if (id === undefined) return false;
    this.#id = id;
    this.#fork = undefined;
    return true;
  }
}
