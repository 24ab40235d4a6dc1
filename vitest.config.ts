import { defineConfig } from "vitest/config";

export default defineConfig({
  ssr: { resolve: { conditions: ["@computeragent/source", "node", "import", "default"] } },
  resolve: { conditions: ["@computeragent/source", "node", "import", "default"] },
  test: {
    include: ["packages/*/src/**/*.test.ts", "tests/**/*.test.ts", "examples/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: "forks",
    // Some tests wait on purpose (a permission that is answered after a minute), so one worker more than cores pays.
    maxWorkers: 3,
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts"],
      exclude: ["**/*.test.ts", "**/*.test-support.ts", "**/generated/**", "**/fixtures/**"],
      reporter: ["text-summary", "json-summary"],
    },
  },
});
