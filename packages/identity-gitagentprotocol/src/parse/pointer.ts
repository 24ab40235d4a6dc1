/** Steps from the root of a document to a place in it. */
export type DataPath = readonly (string | number)[];

/** RFC 6901 pointer of a path: "" for the root, `/a/0/b~1c` else. */
export function toPointer(path: DataPath): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** A place inside a file of an identity, for the `path` of a notice: `agent.yaml#/runtime/temperature`. */
export function placeIn(file: string, path: DataPath): string {
  return `${file}#${toPointer(path)}`;
}
