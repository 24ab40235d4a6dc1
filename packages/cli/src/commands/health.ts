import { connect } from "../client/connect.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { wrapped } from "../ui/summary.ts";

/** Asks a host what it is and prints it. */
export async function healthCommand(flags: {
  readonly host: string;
  readonly token?: string;
  readonly json?: boolean;
}): Promise<ExitCode> {
  const client = await connect(process.env, flags.host, flags.token);
  const health = await client.call("health");
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  if (flags.json) {
    say(JSON.stringify(health, null, 2));
    return health.ok ? EXIT.success : EXIT.failed;
  }
  say(`${client.baseUrl}: ${health.status}, version ${health.version}, protocol ${health.protocolVersion}`);
  if (!health.engines) {
    say("no details: the host does not know this token (computeragent token, --token or COMPUTERAGENT_TOKEN)");
    return EXIT.success;
  }
  for (const [name, engine] of Object.entries(health.engines)) {
    say(`engine ${name}${engine.version ? ` ${engine.version}` : ""}, can:`);
    say(wrapped(engine.capabilities.join(", "), 2));
  }
  say(`loaders: ${health.loaders?.join(", ")}`);
  for (const route of health.routes ?? []) {
    const marks = [
      route.id === health.defaultRoute && "default",
      route.offline && "follows a script, no language model",
    ];
    const said = marks.filter(Boolean).join("; ");
    say(`model route: ${route.id}${said ? ` (${said})` : ""}`);
  }
  say(`containment: ${health.containment?.tier ?? "unknown"}`);
  say(`sessions: ${health.sessions?.live} live, ${health.sessions?.known} known; journal: ${health.journal}`);
  return health.ok ? EXIT.success : EXIT.failed;
}
