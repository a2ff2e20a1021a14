// `npm run doctor`: looks at an installation, says what is wrong, and what to do.
import { parseArgs } from "node:util";
import { processEnvironment } from "../config.ts";
import { examineInstallation, mustAct, printed } from "./examination.ts";

const usage = `Usage: npm run doctor -- [--json] [--zh]

Looks at settings, database, server, jobs, services and backups, and says what is wrong and what to do, the worst first.
The server need not run: then its database is started for the time of the look. Nothing is changed.
Ends with 1 where something critical or major was found, else with 0.
--json  prints the findings as JSON, in both languages
--zh    prints Chinese`;

const { values } = parseArgs({
  options: { help: { type: "boolean" }, json: { type: "boolean" }, zh: { type: "boolean" } },
});
if (values.help === true) {
  console.log(usage);
} else {
  const findings = await examineInstallation({ environment: processEnvironment() });
  console.log(values.json ? JSON.stringify(findings, undefined, 2) : printed(findings, values.zh ? "zh" : "en"));
  process.exitCode = mustAct(findings) ? 1 : 0;
}
