import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "herdwise-second-try-"));
afterAll(() => rmSync(folder, { recursive: true }));

const script = join(import.meta.dirname, "..", "scripts", "second-try.mjs");
const run = (verb: string, ...names: string[]): string =>
  execFileSync(process.execPath, [script, verb, ...names.map((name) => join(folder, name))], {
    encoding: "utf8",
    cwd: folder,
  });

interface Outcome {
  fullName: string;
  status: "passed" | "failed" | "skipped";
}
function report(name: string, files: Record<string, Outcome[]>, brokenFiles: string[] = []): void {
  const testResults = Object.entries(files).map(([file, outcomes]) => ({
    name: join(folder, file),
    status: brokenFiles.includes(file) || outcomes.some(({ status }) => status === "failed") ? "failed" : "passed",
    message: brokenFiles.includes(file) ? "the server did not start" : "",
    assertionResults: outcomes.map((outcome) => ({
      ...outcome,
      failureMessages: outcome.status === "failed" ? [`${outcome.fullName} failed`] : [],
    })),
  }));
  writeFileSync(join(folder, name), JSON.stringify({ testResults }));
}
const outcome = (fullName: string, status: Outcome["status"]): Outcome => ({ fullName, status });

test("the files of failed tests run once more, and only what passes then is counted as passed", () => {
  report(
    "embedded.json",
    {
      "slow.test.ts": [outcome("slow", "failed"), outcome("fine", "passed")],
      "start.test.ts": [outcome("first", "skipped"), outcome("second", "skipped")],
      "wrong.test.ts": [outcome("wrong", "failed")],
    },
    ["start.test.ts"],
  );
  report("again.json", {
    "slow.test.ts": [outcome("slow", "passed"), outcome("fine", "failed")],
    "start.test.ts": [outcome("first", "passed"), outcome("second", "passed")],
    "wrong.test.ts": [outcome("wrong", "failed")],
  });
  expect(run("files", "embedded.json").trim().split("\n")).toEqual(["slow.test.ts", "start.test.ts", "wrong.test.ts"]);
  expect(run("change", "embedded.json", "again.json").trim()).toBe("3 -2 -2");
  const told = run("tell", "embedded.json", "again.json");
  expect(told.match(/^(SECOND TRY|FAILED).*$/gm)).toEqual([
    "SECOND TRY slow.test.ts: slow",
    "SECOND TRY start.test.ts",
    "FAILED wrong.test.ts: wrong",
    "FAILED IN THE SECOND TRY ALONE slow.test.ts: fine",
  ]);
});

test("more than ten failures come from the change and are not tried again", () => {
  report("many.json", {
    "many.test.ts": Array.from({ length: 11 }, (_, place) => outcome(`test ${place}`, "failed")),
  });
  expect(run("files", "many.json")).toBe("");
});
