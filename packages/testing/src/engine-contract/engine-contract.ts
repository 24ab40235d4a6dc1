import { type ContractCase, suite } from "../contract/contract-case.ts";
import { authorizeCases } from "./authorize.ts";
import { endCases } from "./ends.ts";
import { openEngineBed } from "./engine-bed.ts";
import type { EngineCase, EngineFixture, Probe } from "./engine-case.ts";
import { interruptCases } from "./interrupt.ts";
import { messageCases } from "./messages.ts";
import { turnCases } from "./turns.ts";

/**
 * What every `EngineDriver` must do. The engine has to follow directives: by itself, or through the offline model.
 * Cases that need a capability are part of the suite only if the driver of `capabilities` names it.
 */
export function engineContract(
  make: () => EngineFixture | Promise<EngineFixture>,
  capabilities: readonly string[],
): readonly ContractCase[] {
  const open = async (): Promise<Probe> => {
    const fixture = await make();
    const beds: { dispose(keep?: boolean): Promise<void> }[] = [];
    return {
      open: async (options = {}) => {
        const model = await fixture.openModel?.();
        const given = fixture.options === undefined ? {} : { options: fixture.options };
        const context = { ...(model ? { model } : {}), ...given, ...options.context };
        const bed = await openEngineBed(fixture.driver, { ...options, context });
        beds.push(bed);
        return bed;
      },
      dispose: async () => {
        for (const bed of beds) await bed.dispose();
        await fixture.dispose?.();
      },
    };
  };
  const on: EngineCase = suite("engine", open, (probe) => probe.dispose());
  const can = (name: string): boolean => capabilities.includes(name);
  return [
    ...turnCases(on, can),
    ...messageCases(on, can),
    ...authorizeCases(on, can),
    ...interruptCases(on, can),
    ...endCases(on),
  ];
}
