import { type Call, type Handler, operands } from "../context.ts";
import { other } from "./other.ts";
import { isVersion } from "./shells.ts";

/** What of a tool's sub-commands publishes, deletes or takes privileges: tested on its operands, joined by blanks. */
const DESTRUCTIVE_VERBS: readonly (readonly [tools: string, verbs: RegExp])[] = [
  [
    "npm pnpm yarn bun deno",
    /(^|\s)(publish|unpublish|deprecate|dist-tag|owner|access|token|adduser|login|logout|team|org)(\s|$)/,
  ],
  ["cargo", /(^|\s)(publish|yank|owner|login|logout)(\s|$)/],
  ["docker podman nerdctl buildah", /(^|\s)(push|rm|rmi|prune|kill|remove|login)(\s|$)/],
  [
    "gh glab",
    /(^|\s)(release (create|delete|upload|edit)|repo (create|delete|archive|rename|edit|sync)|(pr|mr) merge|secret|variable|ssh-key|gpg-key|gist (create|delete|edit)|auth|workflow (run|disable)|cache delete|issue delete)(\s|$)/,
  ],
  ["kubectl oc helm k9s", /(^|\s)(delete|drain|uninstall|rollback|cordon|push)(\s|$)/],
  ["terraform tofu pulumi cdk terragrunt", /(^|\s)(apply|destroy|up|deploy|taint|force-unlock|(state|stack) rm)(\s|$)/],
  [
    "aws gcloud az gsutil rclone s3cmd mc",
    /(^|\s)(rm|rb|mb|sync|delete\S*|terminate\S*|destroy\S*|purge\S*|remove\S*|put-\S*policy)(\s|$)/,
  ],
  [
    "twine poetry uv hatch flit gem mvn gradle gradlew vsce ovsx lerna changeset nuget dotnet sbt lein mix pod",
    /(^|\s)(upload|publish\S*|push|yank|deploy)(\s|$)|:publish/,
  ],
  [
    "vercel netlify fly flyctl firebase heroku serverless sls wrangler railway surge gh-pages eas fastlane",
    /(^|\s)(deploy\S*|publish|destroy|delete|rollback|remove|apps:destroy|release|prod)(\s|$)|^$/,
  ],
  ["systemctl loginctl", /(^|\s)(poweroff|reboot|halt|kexec|suspend|hibernate|stop|disable|mask|isolate|kill)(\s|$)/],
  ["service launchctl rc-service", /(^|\s)(stop|remove|unload|bootout|disable)(\s|$)/],
  [
    "apt apt-get aptitude yum dnf zypper pacman apk dpkg rpm snap flatpak brew port",
    /(^|\s)(remove|purge|autoremove|erase|uninstall|del)(\s|$)/,
  ],
  ["redis-cli", /flush(all|db)|shutdown|\bdel\b/i],
];

/** Flags that do the same, tested on all arguments joined by blanks. */
const DESTRUCTIVE_FLAGS: readonly (readonly [tools: string, flags: RegExp])[] = [
  ["rsync", /(^|\s)--(delete\S*|remove-source-files)/],
  ["docker podman nerdctl", /(^|\s)(--privileged|(-v|--volume)[= ]?\/|--pid[= ]host|--volumes(\s|$))/],
  ["gh", /(^|\s)(-X|--method)[= ]?(DELETE|PUT|PATCH|POST)/i],
  ["curl", /(^|\s)(-X|--request)[= ]?DELETE/i],
  ["pacman rpm dpkg", /(^|\s)(-R\S*|-e|-r|-P|--purge|--remove|--erase)(\s|$)/],
  ["crontab", /(^|\s)-r(\s|$)/],
  ["kill", /(^|\s)-\S+ (-- )?-1(\s|$)|-- -1(\s|$)/],
];

const SQL = /\b(drop|truncate)\s|\bdelete\s+from\b|dropDatabase|\.drop\(|deleteMany/i;
const SQL_CLIENTS = "psql mysql mariadb sqlite3 duckdb mongosh mongo cqlsh clickhouse-client";
const RUNNERS = "npx bunx uvx pipx pnpx";

/** Package managers, clients of services and the like: high, or destructive by their sub-command. */
export function tools(): Map<string, Handler> {
  const table = new Map<string, Handler>();
  const names = [...DESTRUCTIVE_VERBS, ...DESTRUCTIVE_FLAGS].flatMap(([list]) => list.split(" "));
  for (const name of names) table.set(name, tool);
  for (const name of SQL_CLIENTS.split(" ")) table.set(name, sqlClient);
  for (const name of RUNNERS.split(" ")) table.set(name, (call) => runPackage(call, call.args));
  for (const name of "go rustc tsc java javac gcc clang cmake pip pip3 ruff eslint biome".split(" "))
    table.set(name, (call) => (isVersion(call) ? undefined : other(call)));
  return table;
}

function tool(call: Call) {
  if (isVersion(call)) return;
  const verbs = operands(call.args)
    .map((arg) => arg.text)
    .join(" ");
  const all = call.args.map((arg) => arg.text).join(" ");
  const hits = (table: typeof DESTRUCTIVE_VERBS, text: string): boolean =>
    table.some(([list, pattern]) => list.split(" ").includes(call.name) && pattern.test(text));
  if (
    hits(DESTRUCTIVE_VERBS, verbs) ||
    hits(DESTRUCTIVE_FLAGS, all) ||
    call.args.some((arg) => !arg.known && arg.text === "")
  )
    return call.cx.ledger.executes("destructive", `${call.name} publishes, deletes or takes privileges`);
  const words = new Set(call.args.map((arg) => arg.text));
  if (words.has("compose") && words.has("down") && words.has("-v"))
    return call.cx.ledger.executes("destructive", "it deletes volumes");
  const run = runOf(call);
  if (run >= 0) return runPackage(call, call.args.slice(run + 1));
  other(call);
}

/** `npm exec`, `pnpm dlx`, `uv run` and the like: index of that word, else -1. */
function runOf({ name, args }: Call): number {
  const verbs = /^(npm|pnpm|yarn|bun)$/.test(name)
    ? /^(exec|dlx|x)$/
    : /^(uv|poetry|hatch)$/.test(name)
      ? /^run$/
      : undefined;
  return verbs ? args.findIndex((arg, i) => i < 3 && verbs.test(arg.text)) : -1;
}

/** A program of a package: at least high; what is run is looked at as well. */
function runPackage(call: Call, args: Call["args"]) {
  call.cx.ledger.executes("high", `${call.name} runs a program of a package`);
  const text = args.findIndex((arg) => arg.text === "-c" || arg.text === "--call");
  const script = text >= 0 ? args[text + 1] : undefined;
  if (script && !script.known)
    return call.cx.ledger.executes("destructive", "it runs a text that cannot be told beforehand");
  if (script) return call.cx.inner.text(script.text, call.cx);
  const at = args.findIndex(
    (arg, i) => !arg.text.startsWith("-") && !/^(-p|--package|--from|--with)$/.test(args[i - 1]?.text ?? ""),
  );
  const [first, ...rest] = at < 0 ? [] : args.slice(at);
  if (first) call.cx.inner.words([{ ...first, text: withoutVersion(first.text) }, ...rest], call.cx);
}

/** `rimraf@5` is rimraf; the `@` of a scope stays. */
function withoutVersion(name: string): string {
  const at = name.lastIndexOf("@");
  return at > 0 ? name.slice(0, at) : name;
}

function sqlClient(call: Call) {
  const text = `${call.args.map((arg) => arg.text).join(" ")} ${call.document ?? ""}`;
  if (SQL.test(text)) return call.cx.ledger.executes("destructive", "it deletes data");
  other(call);
}
