import type { GapLoaderOptions } from "@computeragent/identity-gitagentprotocol";
import type { GitCheckout, IdentityLoader } from "@computeragent/protocol";

/**
 * The loader of GAP identities and the checkout of git workspaces, whose package is loaded at the first use: a start does without it.
 * Agents may come from any folder of this machine, workspaces only from the allowed ones.
 */
export function lazyIdentities(
  options: Pick<GapLoaderOptions, "run" | "env" | "cacheDir">,
  allowWorkspaces: readonly string[],
): { readonly loader: IdentityLoader; readonly checkout: GitCheckout } {
  const load = () => import("@computeragent/identity-gitagentprotocol");
  let loader: Promise<IdentityLoader> | undefined;
  let checkout: Promise<GitCheckout> | undefined;
  return {
    loader: {
      name: "gitagentprotocol",
      load: async (request) => {
        loader ??= load().then(({ createGapLoader }) => createGapLoader({ ...options, localSources: "any" }));
        return (await loader).load(request);
      },
    },
    checkout: async (request) => {
      checkout ??= load().then(({ createGitCheckout }) =>
        createGitCheckout({ ...options, localSources: allowWorkspaces }),
      );
      return (await checkout)(request);
    },
  };
}
