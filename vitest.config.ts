import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["apps/**/*.test.ts", "packages/**/*.test.ts", "tests/**/*.test.ts"],
    globalSetup: ["tests/harness/global-setup.ts"],
    // Two shared cores also run databases and child processes.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
