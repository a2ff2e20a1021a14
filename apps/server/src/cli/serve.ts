// `npm run serve`: the server for real use. It does not start with what everybody knows, unless it is told to.
import { parseArgs } from "node:util";
import { ConfigError, processEnvironment, readConfig } from "../config.ts";
import { settingFindings } from "../modules/health/index.ts";

const usage = `Usage: npm run serve -- [--with-demo] [--with-weak-secrets]

Runs an installation for real use. Settings come from the environment, see docs/operations/README.md.
--with-demo          starts although DEMO is on, whose passwords everybody knows
--with-weak-secrets  starts although a secret can be guessed`;

/** What keeps a start back, and the option that lets it. */
const refused: Readonly<Record<string, "with-demo" | "with-weak-secrets">> = {
  "settings.demo": "with-demo",
  "settings.secret": "with-weak-secrets",
};

function mayStart(): boolean {
  const { values } = parseArgs({
    options: {
      help: { type: "boolean" },
      "with-demo": { type: "boolean" },
      "with-weak-secrets": { type: "boolean" },
    },
  });
  if (values.help === true) {
    console.log(usage);
    return false;
  }
  let isRefused = false;
  for (const { id, state, text, mend } of settingFindings(readConfig(processEnvironment()))) {
    const option = refused[id];
    const known = option !== undefined && (state === "critical" || id === "settings.demo");
    if (state === "ok" || (state === "off" && !known)) continue;
    console.error(`${id}: ${text.en}${mend ? `. ${mend.en}` : ""}`);
    if (!known || values[option] === true) continue;
    console.error(`Not started. To start all the same: npm run serve -- --${option}`);
    isRefused = true;
  }
  return !isRefused;
}

try {
  if (mayStart()) {
    // The words were for this command.
    process.argv.splice(2);
    await import("../main.ts");
  } else process.exitCode = process.argv.includes("--help") ? 0 : 1;
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : `Herdwise could not start: ${(error as Error).message}`);
  process.exitCode = 1;
}
