import { parseArgs } from "node:util";
import { processEnvironment, readConfig } from "../config.ts";
import { warningsOnly } from "../database/log.ts";
import { restoreBackup } from "../database/restore.ts";

const usage = `Usage: npm run restore -- <file> [--replace]

Fills DATA_DIR from a backup. The server must be stopped. Nothing changes before the backup has been checked and has
been started once.
--replace  when DATA_DIR is not empty: keep its content in DATA_DIR/before-restore-<time> and restore`;

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { help: { type: "boolean" }, replace: { type: "boolean", default: false } },
  });
  const [file] = positionals;
  if (values.help === true || file === undefined || positionals.length > 1) {
    console.log(usage);
    process.exitCode = values.help === true ? 0 : 2;
    return;
  }
  const config = readConfig(processEnvironment());
  if (config.databaseUrl !== undefined) {
    throw new Error(
      "DATABASE_URL is set: this restores only the database in DATA_DIR. Unset it, or use that PostgreSQL’s tools.",
    );
  }
  const result = await restoreBackup({
    directory: config.dataDir,
    file,
    replace: values.replace,
    log: warningsOnly((text) => console.error(text)),
  });
  console.log(
    `${config.dataDir} holds the backup of ${result.createdAt}: ${result.files} files, ` +
      `${(result.contentBytes / 1e6).toFixed(1)} MB, ${result.migrations} migrations, checked and started once, ` +
      `${(result.tookMs / 1000).toFixed(1)} s`,
  );
  if (result.replacedAt !== undefined) console.log(`What was there before: ${result.replacedAt}`);
}

main().catch((error: Error) => {
  console.error(`Restore failed: ${error.message}`);
  process.exitCode = 1;
});
