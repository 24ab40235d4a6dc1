/** Dated revision of the Harness Protocol, reported by `/v1/health` and `ca_session_started`. */
export const PROTOCOL_VERSION = "2026-11-30";
