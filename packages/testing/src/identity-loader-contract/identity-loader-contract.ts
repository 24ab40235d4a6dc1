import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type IdentityLoader, type IdentitySource, type LoadRequest, WireError } from "@computeragent/protocol";
import { type ContractCase, suite } from "../contract/contract-case.ts";
import { snapshot } from "./snapshot.ts";

/** What the suite needs of a loader. */
export interface IdentityLoaderFixture {
  readonly loader: IdentityLoader;
  /** Name of an engine that the loader can translate for. */
  readonly engine: string;
  /** A source that loads, and the name it must load as. */
  readonly good: { readonly source: IdentitySource; readonly name: string };
  /** A source whose manifest is not valid. */
  readonly invalid: IdentitySource;
  /** A source that cannot be fetched; its URL may hold the password `sourcesecret`. */
  readonly unreachable?: IdentitySource;
  /** Folder behind a local source: it must stay as it is. */
  readonly untouched?: string;
  readonly dispose?: () => Promise<void>;
}

interface Bench {
  readonly fixture: IdentityLoaderFixture;
  readonly root: string;
  request(source: IdentitySource, name?: string, signal?: AbortSignal): Promise<LoadRequest>;
}

const wireError = (code: string) => (error: unknown) => WireError.isInstance(error) && error.code === code;

/** What every `IdentityLoader` must do. */
export function identityLoaderContract(
  make: () => IdentityLoaderFixture | Promise<IdentityLoaderFixture>,
): readonly ContractCase[] {
  const open = async (): Promise<Bench> => {
    const fixture = await make();
    const root = await mkdtemp(join(tmpdir(), "ca-loader-"));
    return {
      fixture,
      root,
      request: async (source, name = "one", signal = new AbortController().signal) => {
        const dir = join(root, name, "identity");
        const generatedDir = join(root, name, "generated");
        await mkdir(dir, { recursive: true });
        await mkdir(generatedDir, { recursive: true });
        return { source, targetEngine: fixture.engine, dir, generatedDir, signal };
      },
    };
  };
  const on = suite("identity-loader", open, async ({ fixture, root }) => {
    await rm(root, { recursive: true, force: true });
    await fixture.dispose?.();
  });
  return [
    on("load", "gives name, version, profile, governance and notices as plain data", async ({ fixture, request }) => {
      const result = await fixture.loader.load(await request(fixture.good.source));
      assert.equal(result.info.name, fixture.good.name);
      assert.equal(typeof result.info.version, "string");
      assert.deepEqual(JSON.parse(JSON.stringify(result)), result);
      const { skills } = result.profile;
      if (skills) assert.ok(existsSync(skills.pluginDir), "the plug-in folder is missing");
    }),
    on("load.same", "gives the same for the same source, also at once", async ({ fixture, request, root }) => {
      const requests = await Promise.all(["one", "two"].map((name) => request(fixture.good.source, name)));
      const [one, two] = await Promise.all(requests.map((r) => fixture.loader.load(r)));
      const plain = (value: unknown, name: string) => JSON.stringify(value).replaceAll(join(root, name), "");
      assert.equal(plain(one, "one"), plain(two, "two"));
      const [first, second] = await Promise.all(requests.map((r) => snapshot(r.dir)));
      assert.deepEqual(first, second);
    }),
    on(
      "load.inside",
      "writes into its two folders only, and never to the source",
      async ({ fixture, request, root }) => {
        const before = fixture.untouched === undefined ? null : await snapshot(fixture.untouched);
        const wanted = await request(fixture.good.source);
        await fixture.loader.load(wanted);
        assert.deepEqual(await readdir(root), ["one"]);
        assert.deepEqual((await readdir(join(root, "one"))).sort(), ["generated", "identity"]);
        if (fixture.untouched !== undefined) assert.deepEqual(await snapshot(fixture.untouched), before);
      },
    ),
    on("invalid", "refuses a bad manifest with a pointer to each problem", async ({ fixture, request }) => {
      const failed = fixture.loader.load(await request(fixture.invalid));
      const error = await failed.then(
        () => null,
        (e: unknown) => e,
      );
      assert.ok(WireError.isInstance(error) && error.code === "IDENTITY_INVALID", `it said: ${String(error)}`);
      assert.ok((error.errors?.length ?? 0) > 0, "no errors are listed");
    }),
    on("escape", "refuses inline files that would leave the folder", async ({ fixture, request, root }) => {
      for (const path of ["../out.txt", "/tmp/ca-loader-out.txt", "a/../../out.txt", "nul\0"]) {
        const { source } = fixture.good;
        const manifest = source.type === "inline" ? source.manifest : { name: "x", version: "1.0.0" };
        const files = { ...(source.type === "inline" ? source.files : {}), [path]: "x" };
        const failed = fixture.loader.load(await request({ type: "inline", manifest, files }));
        await assert.rejects(
          failed,
          (error) => wireError("PATH_ESCAPE")(error) || wireError("IDENTITY_INVALID")(error),
        );
      }
      assert.ok(!existsSync(join(root, "out.txt")) && !existsSync(join(root, "one", "out.txt")));
    }),
    on("abort", "rejects when it is aborted", async ({ fixture, request }) => {
      await assert.rejects(fixture.loader.load(await request(fixture.good.source, "one", AbortSignal.abort())));
    }),
    on("unreachable", "says that a source cannot be fetched, without its credentials", async ({ fixture, request }) => {
      if (!fixture.unreachable) return;
      const failed = fixture.loader.load(await request(fixture.unreachable));
      await assert.rejects(failed, (error) => {
        assert.ok(wireError("SOURCE_UNREACHABLE")(error), String(error));
        assert.doesNotMatch(JSON.stringify((error as WireError).toProblem()), /sourcesecret/);
        return true;
      });
    }),
  ];
}
