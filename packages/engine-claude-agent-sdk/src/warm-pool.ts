import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ResolvedEngineOptions } from "./engine-options.ts";
import { loadSdk } from "./sdk.ts";
import { Spare } from "./spare.ts";
import type { SpareRecipe } from "./spare-recipe.ts";

/** Milliseconds that a spare waits for a session. */
const KEEP_MS = 5 * 60_000;

interface Place {
  readonly key: string;
  readonly spare: Spare;
  /** Settles when it is parked, or was given up; never rejects. */
  readonly parking: Promise<void>;
  ready: boolean;
}

/** At most one parked process, of the kind that was asked for last. Empty until the first session asks for one. */
export class WarmPool {
  readonly #engine: ResolvedEngineOptions;
  #root: Promise<string> | undefined;
  #place: Place | undefined;
  #expiry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(engine: ResolvedEngineOptions) {
    this.#engine = engine;
  }

  /** The parked process if it is of this kind. It is the caller's from now on. */
  take(key: string): Spare | undefined {
    const place = this.#place;
    if (!place?.ready || place.key !== key) return undefined;
    this.#empty();
    return place.spare;
  }

  /** Starts a process of this kind in the background, unless there is one; one of another kind gives way. */
  warm(recipe: SpareRecipe): void {
    if (this.#closed || this.#place?.key === recipe.key) return;
    const old = this.#empty();
    const spare = new Spare(this.#engine);
    const place: Place = { key: recipe.key, spare, ready: false, parking: this.#park(spare, recipe, old) };
    this.#place = place;
    place.parking.then(() => {
      if (this.#place !== place) return;
      place.ready = true;
      this.#engine.logger?.debug({ spare: spare.sessionId }, "a spare process is parked");
    });
    spare.ended.then(() => this.#forget(place));
    this.#expiry = setTimeout(() => void this.#forget(place), KEEP_MS).unref();
  }

  /** Ends the parked process and every one that is on its way; none is started any more. */
  async dispose(): Promise<void> {
    this.#closed = true;
    const place = this.#empty();
    await place?.spare.discard();
    await place?.parking;
    const root = await this.#root?.catch(() => undefined);
    if (root !== undefined) await rm(root, { recursive: true, force: true });
  }

  async #park(spare: Spare, { options, env }: SpareRecipe, old: Place | undefined): Promise<void> {
    try {
      await old?.spare.discard();
      this.#root ??= mkdtemp(join(this.#engine.runtimeDir ?? tmpdir(), "ca-spare-"));
      await spare.park(await loadSdk(), options, env, await this.#root);
    } catch (error) {
      if (!this.#closed) this.#engine.logger?.debug({ err: error }, "a spare process could not be parked");
      await this.#forget(this.#place?.spare === spare ? this.#place : undefined);
    }
  }

  async #forget(place: Place | undefined): Promise<void> {
    if (!place || this.#place !== place) return;
    this.#empty();
    await place.spare.discard().catch(() => {});
  }

  #empty(): Place | undefined {
    const place = this.#place;
    this.#place = undefined;
    clearTimeout(this.#expiry);
    return place;
  }
}
