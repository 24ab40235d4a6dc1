import { BLOCK, isHighRisk } from "./compliance.ts";
import { recordAt, textAt, textsAt, valueAt } from "./raw.ts";
import { report, type Scope, type YamlFile } from "./scope.ts";

const FINANCE = [BLOCK, "financial_governance"] as const;
/** Words, not parts of words: a payload is no payment. */
const MONEY = /(?:^|-)(?:pay|payments?|purchases?|financial|billing|invoices?|stripe)(?:-|$)/;

/** `compliance.financial_governance`: F1-F3. */
export function checkFinance(scope: Scope, yaml: YamlFile): void {
  if (!recordAt(yaml.data, ...FINANCE)) {
    if (!isHighRisk(yaml.data)) return;
    for (const [index, name] of textsAt(yaml.data, "tools")) {
      if (!MONEY.test(name)) continue;
      const message = `${JSON.stringify(name)} seems to handle money, and there is no financial_governance`;
      report(scope, "F3", yaml, ["tools", index], message);
    }
    return;
  }
  if (valueAt(yaml.data, ...FINANCE, "enabled") === true) {
    for (const key of ["max_per_transaction_cents", "max_monthly_cents"]) {
      const path = [...FINANCE, "spending", key];
      const cap = valueAt(yaml.data, ...path);
      if (typeof cap === "number" && cap <= 0) report(scope, "F1", yaml, path, "must be above 0");
    }
  }
  const firewall = textAt(yaml.data, ...FINANCE, "firewall");
  if (firewall && /^https?:/i.test(firewall)) {
    report(scope, "F2", yaml, [...FINANCE, "firewall"], "must be an identifier, not a URL");
  }
}
