import { parseArgs } from "node:util";
import { processEnvironment, readConfig } from "../config.ts";
import { warningsOnly } from "../database/log.ts";
import { rehearseRestore } from "../database/rehearse.ts";
import { restoreBackup } from "../database/restore.ts";
import { readPassphrase } from "./passphrase.ts";

const usage = `Usage: npm run restore -- <file> [--replace] [--with-key <passphrase file>]
       npm run restore -- --rehearse [file] [--scratch <folder>] [--with-key <passphrase file>]

Fills DATA_DIR from a backup. The server must be stopped. Nothing changes before the backup has been checked and has
been started once.
--replace   when DATA_DIR is not empty: keep its content in DATA_DIR/before-restore-<time> and restore
--with-key  opens the secret key in the backup by the first line of that file
--rehearse  restores the newest backup, or the named one, into a folder of its own, reads all of it, checks migrations and the
            audit trail, and removes it again. The server may run, and its data stay as they are. Doctor and the health screen
            know of it from then on.
--scratch   where a rehearsal has room for it; by default in DATA_DIR`;

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: "boolean" },
      rehearse: { type: "boolean", default: false },
      replace: { type: "boolean", default: false },
      scratch: { type: "string" },
      "with-key": { type: "string" },
    },
  });
  const [file] = positionals;
  if (values.help === true || (file === undefined && !values.rehearse) || positionals.length > 1) {
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
  const log = warningsOnly((text) => console.error(text));
  const passphrase = values["with-key"] === undefined ? undefined : await readPassphrase(values["with-key"]);
  if (file === undefined || values.rehearse) {
    const done = await rehearseRestore({
      dataDir: config.dataDir,
      file,
      scratch: values.scratch ?? config.dataDir,
      ownKey: config.secretKey,
      passphrase,
      log,
    });
    console.log(
      `${done.file} can be restored: the backup of ${done.createdAt}, ${done.files} files, ${done.tables} tables with ${done.rows} rows, ` +
        `${done.migrations} migrations, ${done.auditEntries} entries of the audit trail hold, ${(done.tookMs / 1000).toFixed(1)} s`,
    );
    return;
  }
  const result = await restoreBackup({
    directory: config.dataDir,
    file,
    replace: values.replace,
    ...(passphrase !== undefined && { passphrase }),
    log,
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
