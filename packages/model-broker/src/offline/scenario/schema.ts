import { type JsonValue, whole } from "@computeragent/protocol";
import { z } from "zod";
import { parseCondition } from "./condition.ts";
import { parseTemplate } from "./template.ts";

/** A string that `parse` accepts; its complaint becomes the issue. */
function checked(parse: (text: string) => unknown): z.ZodType<string> {
  return z.string().superRefine((text, context) => {
    try {
      parse(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: error instanceof Error ? error.message : "is not valid" });
    }
  });
}

const Template = checked(parseTemplate);
const Pattern = checked((text) => new RegExp(text, "m"));
const Comparison = checked(parseCondition);

/** When a step or a line counts: one comparison, several that must all hold, or `any` of several. */
const When = z.union([Comparison, z.array(Comparison).min(1), z.strictObject({ any: z.array(Comparison).min(1) })]);

/** A text: one template, or lines of which some depend on a comparison. */
const Text = z.union([Template, z.array(z.union([Template, z.strictObject({ when: When, text: Template })])).min(1)]);

/** A value from a tool's result: the first group of the pattern, or the whole match; `all` = every match, as a list. */
const Capture = z.union([Pattern, z.strictObject({ pattern: Pattern, all: z.boolean().optional() })]);

const Input: z.ZodType<JsonValue> = z.lazy(() =>
  z.union([Template, z.number(), z.boolean(), z.null(), z.array(Input), whole(z.record(z.string(), Input))]),
);

const CALLS = ["bash", "read", "write", "edit", "tool"] as const;

const Step = z
  .strictObject({
    when: When.optional(),
    think: Text.optional(),
    say: Text.optional(),
    bash: Template.optional(),
    read: Template.optional(),
    write: z.strictObject({ path: Template, text: Text }).optional(),
    edit: z.strictObject({ path: Template, old: Template, new: Template }).optional(),
    tool: z.strictObject({ name: z.string().min(1), input: whole(z.record(z.string(), Input)).default({}) }).optional(),
    capture: whole(z.record(z.string().regex(/^[A-Za-z_]\w*$/), Capture)).optional(),
  })
  .superRefine((step, context) => {
    const calls = CALLS.filter((name) => step[name] !== undefined);
    if (calls.length > 1)
      context.addIssue({ code: "custom", message: `takes one tool call, not ${calls.join(" and ")}` });
    if (calls.length === 0 && step.say === undefined && step.think === undefined) {
      context.addIssue({ code: "custom", message: `needs say, think or one of ${CALLS.join(", ")}` });
    }
    if (calls.length === 0 && step.capture) {
      context.addIssue({
        code: "custom",
        message: "captures from a tool's result, but calls no tool",
        path: ["capture"],
      });
    }
  });

/** One scenario: when it answers, and its steps. */
export const ScenarioSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "must be lower case words with dashes")
    .refine((name) => name !== "directives", "is taken by the built-in scenario"),
  description: z.string().optional(),
  match: z
    .strictObject({ user: Pattern.optional(), system: Pattern.optional(), tool: Pattern.optional() })
    .refine((match) => Object.keys(match).length > 0, "needs user, system or tool"),
  steps: z.array(Step).min(1),
});

/** A scenario of the offline model, as its file states it. */
export type Scenario = z.infer<typeof ScenarioSchema>;
/** A step of a scenario. */
export type ScenarioStep = Scenario["steps"][number];
/** A text of a scenario. */
export type ScenarioText = z.infer<typeof Text>;
/** A comparison of a scenario. */
export type ScenarioWhen = z.infer<typeof When>;
/** A capture of a scenario. */
export type ScenarioCapture = z.infer<typeof Capture>;
