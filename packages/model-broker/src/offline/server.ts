import { createHash, timingSafeEqual } from "node:crypto";
import { shownTokens } from "../http/headers.ts";
import { type Logger, SILENT } from "../logger.ts";
import { type Listening, serve } from "../server.ts";
import { createOfflineModel, type OfflineModelOptions } from "./model.ts";

/** Options of an offline model that listens by itself. */
export interface OfflineServerOptions extends OfflineModelOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Absent: every local program is answered. */
  readonly token?: string;
  readonly logger?: Logger;
}

const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Serves the offline model alone on a loopback port, uncounted. Dispose to stop it. Rejects when the port is taken. */
export function createOfflineServer(options: OfflineServerOptions = {}): Promise<Listening> {
  const { port = 0, token, logger = SILENT } = options;
  const target = {
    upstream: createOfflineModel(options),
    signal: new AbortController().signal,
    running: new Set<Promise<void>>(),
  };
  const wanted = token === undefined ? null : hashOf(token);
  return serve({
    host: "127.0.0.1",
    port,
    logger,
    authenticate: ({ headers }) =>
      !wanted || shownTokens(headers).some((shown) => timingSafeEqual(hashOf(shown), wanted)) ? target : null,
  });
}
