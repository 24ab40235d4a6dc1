/** Where `computeragent` looks for a host. In a file of its own, so that help loads no client. */
export const DEFAULT_HOST = "http://127.0.0.1:7700";
