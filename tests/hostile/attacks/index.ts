import type { Attack } from "../under-attack.ts";
import { agent } from "./agent.ts";
import { bodies } from "./bodies.ts";
import { floods } from "./floods.ts";
import { framing } from "./framing.ts";
import { names } from "./names.ts";

/** Bounds of the host under attack: short enough for a test to see them hold. `many`: readers at the most. */
export const limitsFor = (many: number) => ({
  headersMs: 1500,
  bodyMs: 1500,
  maxLiveSessions: 8,
  maxReaders: many,
});

/** Every way to be hostile that the host must bear, with `many` connections where it is their number that hurts. */
export const attacks = (many: number): readonly Attack[] => [
  ...names,
  ...bodies,
  ...framing,
  ...floods(many),
  ...agent,
];
