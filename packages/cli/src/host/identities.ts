import type { GapLoaderOptions } from "@computeragent/identity-gitagentprotocol";
import type { GitCheckout, IdentityLoader } from "@computeragent/protocol";

/**
 * The loader of GAP identities and the checkout of git workspaces, whose package is loaded at the first use: a start does
 * without it. Agents may come from any folder of this machine, workspaces only from the allowed ones.
 */
export function lazyIdentities(
  options: Pick<GapLoaderOptions, "run" | "env" | "cacheDir">,
  allowWorkspaces: readonly string[],
): { readonly loader: IdentityLoader; readonly checkout: GitCheckout } {
  const load = () => import("@computeragent/identity-gitagentprotocol");
  const loader = onceDone(async () => (await load()).createGapLoader({ ...options, localSources: "any" }));
  const checkout = onceDone(async () =>
    (await load()).createGitCheckout({ ...options, localSources: allowWorkspaces }),
  );
  return {
    loader: { name: "gitagentprotocol", load: async (request) => (await loader()).load(request) },
    checkout: async (request) => (await checkout())(request),
  };
}

/** Makes it at the first call and keeps it; what failed is tried again at the next. */
export function onceDone<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
