import { existsSync } from "node:fs";
import { join } from "node:path";
import { type HealthFinding, type HealthState, healthStates } from "@herdwise/contract";
import type { Kysely } from "kysely";
import { type Config, ConfigError, type processEnvironment, readConfig } from "../config.ts";
import { openDatabase } from "../database/connection.ts";
import { clusterDirectory, findRunningPostgres, startEmbeddedPostgres } from "../database/embedded-postgres.ts";
import type { DB } from "../database/generated/database.ts";
import { silentLog } from "../database/log.ts";
import {
  configFindings,
  examine,
  type HealthSurroundings,
  healthRepository,
  type Room,
} from "../modules/health/index.ts";
import { createSettingsMemory, settingSecrets, settingsRepository, withServices } from "../modules/settings/index.ts";
import { createSecretCipher } from "../secret-cipher.ts";
import { loadSecretKey, secretKeyName } from "../secret-key.ts";
import { systemScope } from "../tenant-scope.ts";

/** For what a test changes of the machine. */
export interface Examined {
  environment: ReturnType<typeof processEnvironment>;
  now?: () => number;
  room?: Room;
  migrations?: string;
}

interface Opened {
  database: HealthSurroundings["database"];
  /** Where the database could be opened. */
  kysely?: Kysely<DB>;
  close(): Promise<void>;
}

/** The database for the checks: a running one, or the embedded one started for them. A data folder without one stays as it is. */
async function open(databaseUrl: string | undefined, dataDir: string): Promise<Opened> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const one of closers.reverse()) await one();
  };
  try {
    let url = databaseUrl ?? (await findRunningPostgres(dataDir))?.url();
    if (url === undefined) {
      if ((await clusterDirectory(dataDir)) === undefined)
        return { database: { fault: "there is none yet", off: true }, close };
      const started = await startEmbeddedPostgres({ directory: dataDir, log: silentLog });
      closers.push(() => started.stop());
      url = started.url();
    }
    const database = openDatabase({ url, poolSize: 3, applicationName: "doctor", log: silentLog });
    closers.push(() => database.close());
    return { database: healthRepository(database.kysely), kysely: database.kysely, close };
  } catch (error) {
    return { database: { fault: (error as Error).message }, close };
  }
}

/** The configuration with what administrators set on the screen, where that can be read. */
async function withEntered(config: Config, kysely: Kysely<DB> | undefined): Promise<Config> {
  const hasKey = config.secretKey !== undefined || existsSync(join(config.dataDir, secretKeyName));
  if (kysely === undefined || !hasKey) return config;
  const memory = createSettingsMemory({
    config,
    repository: settingsRepository(kysely),
    cipher: createSecretCipher(await loadSecretKey(config.secretKey, config.dataDir), settingSecrets),
    onChanged: () => undefined,
    onUnreadable: () => undefined,
  });
  // A database of an earlier version has no settings; its migrations are a finding of their own.
  const isRead = await memory.refresh().then(
    () => true,
    () => false,
  );
  return isRead ? withServices(config, memory.settings) : config;
}

/**
 * Runs the checks of an installation from beside it, whether or not its server runs.
 * @returns what was found, the worst first; mistakes of the settings alone where they can't be read
 */
export async function examineInstallation({
  environment,
  now = Date.now,
  room,
  migrations,
}: Examined): Promise<HealthFinding[]> {
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return configFindings(error.problems);
    throw error;
  }
  const { database, kysely, close } = await open(config.databaseUrl, config.dataDir);
  try {
    const { findings } = await examine({
      config: await withEntered(config, kysely),
      scope: systemScope("who has a shell on the server has the database"),
      now,
      database,
      isServer: false,
      ...(room && { room }),
      ...(migrations !== undefined && { migrations }),
    });
    return findings;
  } finally {
    await close();
  }
}

const stateWords: Readonly<Record<HealthState, readonly [zh: string, en: string]>> = {
  critical: ["紧急", "CRITICAL"],
  major: ["严重", "MAJOR"],
  minor: ["一般", "minor"],
  off: ["未用", "off"],
  ok: ["正常", "ok"],
};

/** Whether something must be done at once, so that the command fails. */
export const mustAct = (findings: readonly HealthFinding[]): boolean =>
  findings.some(({ state }) => state === "critical" || state === "major");

/** The findings as lines for a terminal: each with its value, and below it what to do. */
export function printed(findings: readonly HealthFinding[], language: "zh" | "en"): string {
  const at = language === "zh" ? 0 : 1;
  const width = Math.max(...healthStates.map((state) => stateWords[state][at].length)) + 2;
  const lines = findings.flatMap(({ id, state, title, text, mend }) => [
    `${stateWords[state][at].padEnd(width)}${id.padEnd(26)} ${title[language]}: ${text[language]}`,
    ...(mend === undefined || state === "off" ? [] : [`${" ".repeat(width)}-> ${mend[language]}`]),
  ]);
  const count = (state: HealthState): number => findings.filter((one) => one.state === state).length;
  const sums = healthStates.map((state) => `${count(state)} ${stateWords[state][at]}`).join(", ");
  return [...lines, "", sums].join("\n");
}
