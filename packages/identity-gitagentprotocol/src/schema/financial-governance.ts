import { z } from "zod";
import { wholeFrom } from "./text.ts";

/** `compliance.financial_governance`. Amounts are whole numbers of the smallest unit of the currency. */
export const FinancialGovernance = z.strictObject({
  enabled: z.boolean(),
  firewall: z.string().optional(),
  spending: z
    .strictObject({
      max_per_transaction_cents: wholeFrom(1),
      max_monthly_cents: wholeFrom(1).optional(),
      currency: z.string().optional(),
      allowed_categories: z.array(z.string()).optional(),
      blocked_categories: z.array(z.string()).optional(),
    })
    .optional(),
  approval: z
    .strictObject({
      require_above_cents: wholeFrom(0),
      timeout_minutes: wholeFrom(1),
      auto_deny_on_timeout: z.boolean(),
    })
    .optional(),
});
