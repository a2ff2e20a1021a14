// Reads vitest's JSON reports for `.ci/run`, which runs the files of a few failed tests a second time:
//   files <reports>                prints the failed files, nothing where more than ten tests failed
//   change <reports>               prints what the report named again.json changes: passed, failed and skipped tests
//   tell <reports>                 names what failed, and what failed first and passed in again.json
import { existsSync, readFileSync } from "node:fs";
import { basename, relative } from "node:path";

/** More failures than these come from the change, not from a slow machine. */
const mostFailures = 10;

/** The failures of a report; a file that failed outside its tests counts as one. */
function failuresOf(path) {
  return JSON.parse(readFileSync(path, "utf8")).testResults.flatMap((file) => {
    const name = relative(process.cwd(), file.name);
    const tests = file.assertionResults.filter(({ status }) => status === "failed");
    if (file.status !== "failed" || tests.length > 0) {
      return tests.map((test) => ({ name, file, test: test.fullName, text: test.failureMessages.join("\n") }));
    }
    return [{ name, file, test: undefined, text: file.message ?? "" }];
  });
}

/** The failures that the second report has as passed, each with its file there. */
function recoveredOf(failures, second) {
  const files = new Map(
    JSON.parse(readFileSync(second, "utf8")).testResults.map((file) => [relative(process.cwd(), file.name), file]),
  );
  return new Map(
    failures.flatMap((failure) => {
      const file = files.get(failure.name);
      const twins = file?.assertionResults.filter(({ fullName }) => fullName === failure.test) ?? [];
      const passed = failure.test === undefined ? file?.status === "passed" : twins.length > 0 && twins.every(isPassed);
      return passed ? [[failure, file]] : [];
    }),
  );
}

const [verb, ...given] = process.argv.slice(2);
const reports = given.filter(existsSync);
const isPassed = ({ status }) => status === "passed";
const isSecond = (path) => basename(path) === "again.json";
const second = reports.find(isSecond);
const failures = reports.filter((path) => !isSecond(path)).flatMap(failuresOf);
const recovered = second === undefined ? new Map() : recoveredOf(failures, second);

if (verb === "files" && failures.length <= mostFailures) {
  for (const name of new Set(failures.map((failure) => failure.name))) console.log(name);
}
if (verb === "change") {
  const change = { passed: 0, failed: 0, skipped: 0 };
  for (const [failure, again] of recovered) {
    change.failed -= 1;
    if (failure.test === undefined) {
      // A file that failed before its tests began had them all skipped.
      const count = (file, status) => file.assertionResults.filter((test) => test.status === status).length;
      change.passed += count(again, "passed") - count(failure.file, "passed");
      change.skipped += ["pending", "skipped", "todo"].reduce(
        (sum, status) => sum + count(again, status) - count(failure.file, status),
        0,
      );
    } else change.passed += 1;
  }
  console.log(change.passed, change.failed, change.skipped);
}
if (verb === "tell") {
  const title = ({ name, test }) => (test === undefined ? name : `${name}: ${test}`);
  for (const failure of failures) {
    const word = recovered.has(failure) ? "SECOND TRY" : "FAILED";
    console.log(`${word} ${title(failure)}\n${failure.text.slice(0, 3000)}`);
  }
  // What the second try alone saw failing does not count, but is not kept quiet either.
  const known = new Set(failures.map(title));
  for (const failure of second === undefined ? [] : failuresOf(second)) {
    if (!known.has(title(failure)))
      console.log(`FAILED IN THE SECOND TRY ALONE ${title(failure)}\n${failure.text.slice(0, 600)}`);
  }
}
