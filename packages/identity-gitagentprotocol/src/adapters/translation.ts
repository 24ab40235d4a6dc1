import type { EngineProfile, Governance, LoadResult, NoticeData } from "@computeragent/protocol";
import type { GapAgent } from "../model/gap-agent.ts";

/** What an engine is told. Skills are named here and written to disk apart from this. */
export interface Translation {
  readonly instructions: string;
  readonly skillNames: readonly string[];
  readonly engine?: NonNullable<EngineProfile["engine"]>;
  readonly model: LoadResult["model"];
  readonly governance: Governance;
  readonly notices: readonly NoticeData[];
}

/** Makes an agent fit one engine. Pure: no disk, no clock. */
export type Translator = (agent: GapAgent) => Translation;
