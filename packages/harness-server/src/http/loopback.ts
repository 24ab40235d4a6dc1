/** True for addresses and names that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
