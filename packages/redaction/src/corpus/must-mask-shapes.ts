import { type MustMask, mixed } from "./synthetic.ts";

const header = btoa('{"alg":"HS256","typ":"JWT"}').replaceAll("=", "");
const azureHeader = btoa(
  JSON.stringify({ typ: "JWT", nonce: mixed(43), alg: "RS256", x5t: mixed(27), kid: mixed(27) }),
).replaceAll("=", "");
const payload = btoa('{"sub":"1234567890","name":"Nobody"}').replaceAll("=", "");
const jwt = `${header}.${payload}.${mixed(43)}`;

const lines = [mixed(64), mixed(64), `${mixed(30)}==`];
const dashes = "-".repeat(5);
const begin = (label: string): string => `${dashes}BEGIN ${label}${dashes}`;
const end = (label: string): string => `${dashes}END ${label}${dashes}`;
const pem = (label: string, newline: string): string => [begin(label), ...lines, end(label)].join(newline);
const numbered = pem("RSA PRIVATE KEY", "\n")
  .split("\n")
  .map((line, i) => `     ${i + 1}\t${line}`)
  .join("\n");
const added = pem("EC PRIVATE KEY", "\n")
  .split("\n")
  .map((line) => `+${line}`)
  .join("\n");
const removed = pem("EC PRIVATE KEY", "\n")
  .split("\n")
  .map((line) => `-${line}`)
  .join("\n");
const quoted = lines.map((line) => `  "${line}\\n" +`).join("\n");
const legacy = ["Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,00112233445566778899AABBCCDDEEFF", "", ...lines];
const pemCase = (text: string): MustMask => ({ kind: "pem-private-key", secret: mixed(30), text });

const url = (text: string, secret: string): MustMask => ({ kind: "connection-string", secret, text });

/** Secrets that are known by their form or their surroundings. */
export const SHAPES: readonly MustMask[] = [
  { kind: "jwt", secret: payload, text: jwt },
  { kind: "jwt", secret: mixed(43), text: `cookie: session=${jwt}; Path=/` },
  { kind: "jwt", secret: payload, text: `{"id_token":"${jwt}"}` },
  { kind: "jwt", secret: payload, text: `${azureHeader}.${payload}.${mixed(80)}` },
  { kind: "jwt", secret: mixed(40), text: `${header}.${mixed(40)}.${mixed(16)}.${mixed(24)}.${mixed(16)}` },
  pemCase(pem("PRIVATE KEY", "\n")),
  pemCase(pem("RSA PRIVATE KEY", "\r\n")),
  pemCase(JSON.stringify({ private_key: pem("PRIVATE KEY", "\n") })),
  pemCase(JSON.stringify(JSON.stringify({ private_key: pem("PRIVATE KEY", "\n") }))),
  pemCase(pem("OPENSSH PRIVATE KEY", "\n    ")),
  pemCase(pem("PGP PRIVATE KEY BLOCK", "\n")),
  pemCase(numbered),
  pemCase(added),
  pemCase(removed),
  pemCase([begin("RSA PRIVATE KEY"), ...legacy, end("RSA PRIVATE KEY")].join("\n")),
  pemCase([begin("RSA PRIVATE KEY"), ...lines].join("\n")),
  pemCase(`const key = "${begin("PRIVATE KEY")}\\n" +\n${quoted}\n  "${end("PRIVATE KEY")}";`),
  pemCase(`KEY="${pem("PRIVATE KEY", " ")}"`),
  { kind: "pem-private-key", secret: "c2hvcnQ=", text: `${begin("PRIVATE KEY")}\nc2hvcnQ=\n${end("PRIVATE KEY")}` },
  url("postgres://app:s3cretPw@db.internal:5432/app", "s3cretPw"),
  url("DATABASE_URL=postgresql://app:p%40ss%2Fw0rd@localhost/app?sslmode=require", "p%40ss%2Fw0rd"),
  url("mongodb+srv://root:Tr0ub4dor&3@cluster0.example.net/admin", "Tr0ub4dor&3"),
  url("redis://:hunter2hunter2@cache:6379/0", "hunter2hunter2"),
  url("amqp://guest:guest-pass@rabbit//", "guest-pass"),
  url("https://user:tok3n@registry.example.org/npm/", "tok3n"),
  url(`git remote add o https://x-access-token:${mixed(40)}@git.example.org/a/b.git`, mixed(40)),
  { kind: "github-token", secret: mixed(36), text: `https://ghp_${mixed(36)}:x-oauth-basic@git.example.org/a/b.git` },
  url('engine = create_engine("mysql+pymysql://root:toor1234@127.0.0.1/db")', "toor1234"),
  { kind: "bearer", secret: mixed(32), text: `Authorization: Bearer ${mixed(32)}` },
  { kind: "bearer", secret: mixed(24), text: `curl -H 'authorization: bearer ${mixed(24)}' http://localhost` },
  { kind: "bearer", secret: "opaque-token-20261130-0001", text: '{"auth":"Bearer opaque-token-20261130-0001"}' },
  { kind: "basic-auth", secret: "dXNlcjpwYXNzd29yZA==", text: "Authorization: Basic dXNlcjpwYXNzd29yZA==" },
  { kind: "basic-auth", secret: "YWRtaW46aHVudGVy", text: '{"Authorization":"Basic YWRtaW46aHVudGVy"}' },
];
