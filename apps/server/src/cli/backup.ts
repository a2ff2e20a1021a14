import { parseArgs } from "node:util";
import { noteInBackupLog } from "../backup-log.ts";
import { processEnvironment, readConfig } from "../config.ts";
import { createBackup } from "../database/backup.ts";
import { warningsOnly } from "../database/log.ts";
import { readPassphrase } from "./passphrase.ts";

const usage = `Usage: npm run backup -- <file> [--with-key <passphrase file>]

Writes a backup of the database and the uploaded files in DATA_DIR. The server may run.
<file>      such as /backups/herdwise-2026-11-21.tar.gz; it must not exist. A name that ends in .tar is not compressed.
--with-key  takes DATA_DIR/secret.key along, encrypted by the first line of that file (12 characters or more). Without it
            the key is not in the backup: keep it elsewhere, for without it no password fits and phone numbers stay closed.`;

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { help: { type: "boolean" }, "with-key": { type: "string" } },
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
      "DATABASE_URL is set: the database is not in DATA_DIR. Back it up with the tools of that PostgreSQL " +
        "(pg_dump, pg_basebackup), and copy DATA_DIR, which holds the files and keys.",
    );
  }
  const result = await createBackup({
    directory: config.dataDir,
    file,
    ...(values["with-key"] !== undefined && { passphrase: await readPassphrase(values["with-key"]) }),
    log: warningsOnly((text) => console.error(text)),
  }).catch(async (error: Error) => {
    // The checks of the installation tell it; a folder that takes no note has other faults.
    await noteInBackupLog(config.dataDir, { failed: { atMs: Date.now(), fault: error.message } }).catch(
      () => undefined,
    );
    throw error;
  });
  await noteInBackupLog(config.dataDir, {
    made: { atMs: Date.now(), file: result.file, bytes: result.archiveBytes },
  });
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
  console.log(
    `${result.file}: ${result.files} files, ${megabytes(result.contentBytes)}, packed ${megabytes(result.archiveBytes)}, ` +
      `${(result.tookMs / 1000).toFixed(1)} s, from a ${result.takenFrom} server`,
  );
  if (result.key === "left out")
    console.log(`Not in it: ${config.dataDir}/secret.key. Keep a copy of that file elsewhere; a restore asks for it.`);
  if (result.key === "sealed") console.log("The secret key is in it, under the passphrase.");
}

main().catch((error: Error) => {
  console.error(`Backup failed: ${error.message}`);
  process.exitCode = 1;
});
