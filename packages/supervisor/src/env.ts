const ALLOWED = new Set([
  "PATH",
  "HOME",
  "LANG",
  "TERM",
  "TZ",
  "TMPDIR",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "GIT_SSL_CAINFO",
  "GIT_SSL_CAPATH",
]);

/** Of `source` only what no secret hides in: PATH, HOME, locale, terminal, time zone, TMPDIR and CA files. `extra` wins. */
export function allowListedEnv(
  source: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(source)) {
    if (value !== undefined && (ALLOWED.has(name) || name.startsWith("LC_"))) env[name] = value;
  }
  return { ...env, ...extra };
}
