import { parseArgs } from "node:util";
import { processEnvironment, readConfig } from "../config.ts";
import { warningsOnly } from "../database/log.ts";
import { restoreBackup } from "../database/restore.ts";
import { readPassphrase } from "./passphrase.ts";

const usage = `Usage: npm run restore -- <file> [--replace] [--with-key <passphrase file>]

Fills DATA_DIR from a backup. The server must be stopped. Nothing changes before the backup has been checked and has
been started once.
--replace   when DATA_DIR is not empty: keep its content in DATA_DIR/before-restore-<time> and restore
--with-key  opens the secret key in the backup by the first line of that file`;

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: "boolean" },
      replace: { type: "boolean", default: false },
      "with-key": { type: "string" },
    },
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
      "DATABASE_URL is set: this restores only the database in DATA_DIR. Unset it, or use that PostgreSQL's tools.",
    );
  }
  const result = await restoreBackup({
    directory: config.dataDir,
    file,
    replace: values.replace,
    ...(values["with-key"] !== undefined && { passphrase: await readPassphrase(values["with-key"]) }),
    log: warningsOnly((text) => console.error(text)),
  });
  console.log(
    `${config.dataDir} holds the backup of ${result.createdAt}: ${result.files} files, ` +
      `${(result.contentBytes / 1e6).toFixed(1)} MB, ${result.migrations} migrations, checked and started once, ` +
      `${(result.tookMs / 1000).toFixed(1)} s`,
  );
  if (result.key === "missing")
    console.log(
      `The secret key is missing, and the server does not start without it: put the secret.key of that installation into ${config.dataDir}, ` +
        "or set SECRET_KEY. If the backup was taken with --with-key, restore it again with the passphrase.",
    );
  if (result.key === "kept") console.log("secret.key is the one that was there: it belongs to this backup.");
  if (result.key === "elsewhere")
    console.log("That installation had no secret.key: start it with the same SECRET_KEY.");
  if (result.replacedAt !== undefined) console.log(`What was there before: ${result.replacedAt}`);
}

main().catch((error: Error) => {
  console.error(`Restore failed: ${error.message}`);
  process.exitCode = 1;
});
