/** A tool's input as a record; anything else has no fields. */
export function fieldsOf(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? { ...input } : {};
}

const PATH_FIELDS = [
  "file_path",
  "filePath",
  "path",
  "absolute_path",
  "notebook_path",
  "dir_path",
  "directory",
  "target_file",
  "filename",
  "source",
  "destination",
  "old_path",
  "new_path",
];
const PATH_LISTS = ["paths", "files", "include", "locations"];
const PATTERN_FIELDS = ["pattern", "glob", "include"];
const FOLDER_FIELDS = ["cwd", "workdir", "dir_path", "directory", "working_directory"];

/** The paths that a file tool names. */
export function pathsOf(fields: Readonly<Record<string, unknown>>): string[] {
  const single = PATH_FIELDS.map((name) => fields[name]);
  const listed = PATH_LISTS.flatMap((name) => {
    const list = fields[name];
    return Array.isArray(list) ? list.map((item) => (typeof item === "string" ? item : fieldsOf(item).path)) : [];
  });
  return [...single, ...listed].filter((value) => typeof value === "string" && value !== "") as string[];
}

/** Patterns that reach out of the folder that is searched. */
export function strayPatternsOf(fields: Readonly<Record<string, unknown>>): string[] {
  return PATTERN_FIELDS.map((name) => fields[name]).filter(
    (value): value is string => typeof value === "string" && /^[/~]|(^|[/{,])\.\.(\/|$)/.test(value),
  );
}

/** The folder that a command is to run in, if it names one. */
export function folderOf(fields: Readonly<Record<string, unknown>>): string | undefined {
  const found = FOLDER_FIELDS.map((name) => fields[name]).find((value) => typeof value === "string" && value !== "");
  return typeof found === "string" ? found : undefined;
}
