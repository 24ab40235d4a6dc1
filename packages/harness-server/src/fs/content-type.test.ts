import { expect, it } from "vitest";
import { contentType, isActive } from "./content-type.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const TEXT = "text/plain; charset=utf-8";

it.each([
  ["a.png", PNG, "image/png"],
  ["lies.html", PNG, "image/png"],
  ["a.pdf", "%PDF-1.7\n%âãÏÓ\n", "application/pdf"],
  ["index.html", "<p>hello", "text/html; charset=utf-8"],
  ["data.json", '{"a":1}', "application/json; charset=utf-8"],
  ["main.ts", "export const a = 1;\n", TEXT],
  ["main.js", "export {};\n", "text/javascript; charset=utf-8"],
  ["README.md", "# Title é\n", "text/markdown; charset=utf-8"],
  ["config.yaml", "a: 1\n", "text/yaml; charset=utf-8"],
  ["Makefile", "all:\n", TEXT],
  ["fake.png", "not an image", TEXT],
  ["fake.zip", "not an archive", TEXT],
  ["empty", "", TEXT],
  ["empty.png", "", TEXT],
  ["data.bin", Buffer.from([0, 1, 2, 3]), "application/octet-stream"],
  ["noext", Buffer.from([0xff, 0xfe, 0xfd, 0x80]), "application/octet-stream"],
  ["latin1.txt", Buffer.from("caf\xe9", "latin1"), "text/plain"],
  ["logo.svg", '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', "image/svg+xml; charset=utf-8"],
  ["logo.svg", "<svg/>", "image/svg+xml; charset=utf-8"],
  ["feed", '<?xml version="1.0"?><a/>', "application/xml; charset=utf-8"],
])("%s holding %j is %s", async (name, content, type) => {
  expect(await contentType(name, Buffer.from(content), true)).toBe(type);
});

it("takes a character that the head cuts in two for text, but not at the end of the file", async () => {
  const cut = Buffer.from("é".repeat(10)).subarray(0, 19);
  expect(await contentType("x", cut, false)).toBe(TEXT);
  expect(await contentType("x", cut, true)).toBe("application/octet-stream");
});

it.each([
  ["text/html; charset=utf-8", true],
  ["image/svg+xml; charset=utf-8", true],
  ["application/xml; charset=utf-8", true],
  ["text/xml", true],
  ["application/xhtml+xml", true],
  ["application/atom+xml; charset=utf-8", true],
  ["text/plain; charset=utf-8", false],
  ["image/png", false],
  ["application/json; charset=utf-8", false],
])("%s is active: %s", (type, active) => {
  expect(isActive(type)).toBe(active);
});
