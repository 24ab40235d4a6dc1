import type { Hitl } from "@computeragent/protocol";
import type { AgentYaml } from "../schema/agent-yaml.ts";
import type { SkillFrontMatter } from "../schema/skill.ts";

/** One text file of an identity. */
export interface GapDocument {
  /** Path inside the identity. */
  readonly file: string;
  readonly text: string;
}

/** One enabled skill. */
export interface GapSkill {
  /** Folder name below `skills/`; what a manifest lists and an engine is told. */
  readonly name: string;
  readonly frontMatter: SkillFrontMatter;
  /** The Markdown below the frontmatter. */
  readonly body: string;
}

/** The four texts of an agent, without byte order marks and with LF line ends. */
export interface GapDocuments {
  readonly soul: GapDocument;
  readonly rules?: GapDocument;
  readonly duties?: GapDocument;
  readonly agents?: GapDocument;
}

/** An identity after all dialects are made one: what translators work on. Holds no paths of this machine. */
export interface GapAgent {
  readonly manifest: AgentYaml;
  /** From `compliance.supervision`, in any dialect's spelling. */
  readonly hitl?: Hitl;
  /** US dollars; the smaller of what the manifest names. */
  readonly budgetUsd?: number;
  readonly documents: GapDocuments;
  /** What `knowledge/index.yaml` marks `always_load`, in its order. */
  readonly knowledge: readonly GapDocument[];
  readonly skills: readonly GapSkill[];
  /** Parts of the repository that exist beside these, such as `hooks` and `PROMPT.md`: paths inside it. */
  readonly otherParts: readonly string[];
}
