import { createHash, timingSafeEqual } from "node:crypto";
import type { AuthHandler, Principal } from "@computeragent/protocol";

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Accepts `Authorization: Bearer TOKEN` for one token, compared in constant time. */
export function bearerToken(
  token: string,
  principal: Principal = { id: "local", scopes: ["read", "drive", "approve", "admin"] },
): AuthHandler {
  if (token.length < 16) throw new Error("a bearer token needs at least 16 characters");
  const expected = sha256(token);
  return {
    async authenticate({ headers }) {
      const match = /^Bearer +([^\s]+)$/i.exec(headers.authorization ?? "");
      return match?.[1] !== undefined && timingSafeEqual(sha256(match[1]), expected) ? principal : null;
    },
  };
}
