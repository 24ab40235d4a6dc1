import { Access, Hitl, Limits, NoticeData, PermissionMode, WireError } from "@computeragent/protocol";
import { z } from "zod";

/** What the mock loader understands of an inline manifest; everything else in it is ignored. */
const MockManifest = z.looseObject({
  name: z.string().min(1).default("mock-agent"),
  version: z.string().default("0.0.0"),
  instructions: z.string().exactOptional(),
  model: z
    .object({ preferred: z.string().exactOptional(), fallbacks: z.array(z.string()).default([]) })
    .exactOptional(),
  notices: z.array(NoticeData).exactOptional(),
  governance: z
    .strictObject({
      hitl: Hitl.exactOptional(),
      access: Access.exactOptional(),
      permissionMode: PermissionMode.exactOptional(),
      limits: Limits.exactOptional(),
      compliance: z
        .strictObject({ framework: z.string(), rule_citations: z.array(z.string()).exactOptional() })
        .exactOptional(),
    })
    .exactOptional(),
});
type MockManifest = z.infer<typeof MockManifest>;

/** Reads a manifest. Throws `WireError` IDENTITY_INVALID with a pointer per problem. */
export function readManifest(manifest: unknown): MockManifest {
  const read = MockManifest.safeParse(manifest);
  if (read.success) return read.data;
  const errors = read.error.issues.map(({ path, message }) => ({
    file: "manifest",
    pointer: path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""),
    message,
  }));
  throw new WireError("IDENTITY_INVALID", "The manifest is not valid.", { errors });
}
