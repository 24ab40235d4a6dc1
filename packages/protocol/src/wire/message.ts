import { z } from "zod";

/** One content block of a user message: Anthropic's shape, kept as it is. */
export const ContentBlock = z.looseObject({ type: z.string().min(1) }).meta({ id: "ContentBlock" });
export type ContentBlock = z.infer<typeof ContentBlock>;

/** A message of the user. Roles other than `user` are refused: history belongs to the engine. */
export const UserMessage = z
  .strictObject({
    role: z.literal("user"),
    content: z.union([z.string().min(1), z.array(ContentBlock).min(1)]),
  })
  .meta({ id: "UserMessage" });
export type UserMessage = z.infer<typeof UserMessage>;
