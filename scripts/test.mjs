// `npm test`: installs, builds, and runs all tests. Words after `--` go to vitest: `npm test -- --project unit`.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build, compileCache, install, node, root } from "./prepare.mjs";

install();
build();
const { findBrowser } = await import("./browser.mjs");
const browser = await findBrowser();
if (browser === undefined) console.log("No Chromium was found: the browser tests are skipped.");
if (process.getuid?.() !== 0) console.log("Files named *.root.test.ts need root and are not part of this run.");
// Tests that take another part of a long list in each run tell by the commit which one: what a commit's run found is found again.
const commits = spawnSync("git", ["rev-list", "--count", "HEAD"], { cwd: root, encoding: "utf8" });
const turn = process.env.HERDWISE_TEST_TURN ?? (commits.stdout?.trim() || "0");
console.log(`Long lists are taken in turn: HERDWISE_TEST_TURN=${turn} takes the same parts of them again.`);
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const result = spawnSync(node, [vitest, "run", ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
  env: {
    ...compileCache,
    ...process.env,
    HERDWISE_TEST_TURN: turn,
    ...(browser && { HERDWISE_TEST_BROWSER: JSON.stringify(browser) }),
  },
});
process.exit(result.status ?? 1);
