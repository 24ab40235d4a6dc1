import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { locked } from "./path-locks.ts";

it("runs one at a time per key, in order, and different keys side by side", async () => {
  const log: string[] = [];
  const job = (name: string, keys: string[]) =>
    locked(keys, async () => {
      log.push(`+${name}`);
      await sleep(5);
      log.push(`-${name}`);
      return name;
    });
  const results = await Promise.all([job("1", ["a"]), job("2", ["a"]), job("3", ["b"])]);
  expect(results).toEqual(["1", "2", "3"]);
  expect(log.indexOf("+2")).toBeGreaterThan(log.indexOf("-1"));
  expect(log.indexOf("+3")).toBeLessThan(log.indexOf("-1"));
});

it("takes several keys in any order without a deadlock, one key twice too", async () => {
  let running = 0;
  const job = (keys: string[]) =>
    locked(keys, async () => {
      expect(++running).toBe(1);
      await sleep(1);
      running--;
    });
  await Promise.all([job(["a", "b"]), job(["b", "a"]), job(["a", "a", "b"]), job(["b", "a"])]);
});

it("goes on after a failure, which only its own caller sees", async () => {
  const failed = locked(["a"], async () => {
    throw new Error("mine");
  });
  const next = locked(["a"], async () => "fine");
  await expect(failed).rejects.toThrow("mine");
  expect(await next).toBe("fine");
});
