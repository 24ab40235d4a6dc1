import { expect, it } from "vitest";
import { allowListedEnv } from "./index.ts";

it("passes what carries no secret, and nothing else", () => {
  const source = {
    PATH: "/bin",
    HOME: "/h",
    LC_ALL: "C",
    SSL_CERT_FILE: "/ca",
    TERM: undefined,
    ANTHROPIC_API_KEY: "k",
    LD_PRELOAD: "x",
    USER: "u",
  };
  expect(allowListedEnv(source)).toEqual({ PATH: "/bin", HOME: "/h", LC_ALL: "C", SSL_CERT_FILE: "/ca" });
});

it("lets extra win", () => {
  expect(allowListedEnv({ PATH: "/bin" }, { PATH: "/other", TOKEN: "t" })).toEqual({ PATH: "/other", TOKEN: "t" });
});
