import type { HealthDetail } from "@herdwise/contract";
import { readBackupLog } from "../../backup-log.ts";
import type { Config } from "../../config.ts";
import { tryMail } from "../../providers/mail/mail.ts";
import { tryRedis } from "../../providers/redis.ts";
import type { SystemScope } from "../../tenant-scope.ts";
import { appVersion } from "../../version.ts";
import type { HealthFacts } from "./facts.ts";
import type { HealthRepository } from "./health.repository.ts";
import { judge } from "./judge.ts";
import {
  certificateIn,
  certificateOf,
  dataFolder,
  ifSet,
  isThere,
  listens,
  type Room,
  reach,
  roomOf,
  tried,
  whoAnswers,
} from "./probes.ts";

/** How long what was found is told again without looking, ms. */
const keptMs = 30_000;

/** What the checks look at. */
export interface HealthSurroundings {
  readonly config: Config;
  readonly scope: SystemScope;
  /** Milliseconds since 1970; a test may move it. */
  readonly now: () => number;
  /** How the database is read, or why it can't be; `off` where there is none yet. */
  readonly database: HealthRepository | { readonly fault: string; readonly off?: boolean };
  /** Whether the server itself looks, which then answers by that. */
  readonly isServer: boolean;
  readonly room?: Room;
  /** Folder of the migrations, for tests. */
  readonly migrations?: string;
}

async function databaseFacts({
  database,
  now,
  scope,
  migrations,
}: HealthSurroundings): Promise<HealthFacts["database"]> {
  if ("fault" in database) return database;
  try {
    const { outcomesSince, ...server } = await database.server(now, migrations);
    if (outcomesSince === undefined) return server;
    const [jobs, services, people] = await Promise.all([
      database.jobs(outcomesSince),
      database.services(),
      database.people(scope),
    ]);
    return { ...server, inside: { ...jobs, ...services, ...people } };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { fault: [code, message].filter(Boolean).join(" ") };
  }
}

/** Looks at everything and judges it. Nothing is changed, and nothing waits longer than some seconds. */
export async function examine(around: HealthSurroundings): Promise<HealthDetail> {
  const begun = performance.now();
  const { config, now, isServer, room = roomOf } = around;
  const [
    database,
    dataDir,
    http,
    mqtt,
    redis,
    mail,
    bank,
    payment,
    translation,
    mall,
    files,
    publicCertificate,
    mqttCertificate,
    backups,
  ] = await Promise.all([
    databaseFacts(around),
    dataFolder(config.dataDir, room),
    isServer ? ("this" as const) : config.port === 0 ? ("silent" as const) : whoAnswers(config.host, config.port),
    config.mqttUrl !== undefined || config.mqttPort === 0 ? undefined : listens(config.host, config.mqttPort),
    ifSet(config.redisUrl, (url) => tried(tryRedis(url))),
    ifSet(config.mailUrl, (url) => tried(tryMail(url))),
    ifSet(config.remittance, ({ url }) => reach(url)),
    ifSet(config.payment, ({ url }) => reach(url)),
    ifSet(config.translation?.provider === "libretranslate" ? config.translation.url : undefined, reach),
    ifSet(config.mallUrl, reach),
    ifSet(config.s3?.endpoint, reach),
    certificateOf(config.publicUrl),
    config.mqttTls === undefined ? undefined : certificateIn(config.mqttTls.certFile),
    readBackupLog(config.dataDir),
  ]);
  const findings = judge({
    nowMs: now(),
    config,
    nodeVersion: process.versions.node,
    appVersion,
    database,
    dataDir,
    http,
    mqtt,
    redis,
    mail,
    reached: { bank, payment, translation, mall, files },
    publicCertificate,
    mqttCertificate,
    backups,
    backupThere: backups.made !== undefined && (await isThere(backups.made.file)),
  });
  const { made, rehearsed } = backups;
  return {
    atMs: now(),
    tookMs: Math.round(performance.now() - begun),
    findings,
    backup: {
      ...(made && { newestMs: made.atMs, bytes: made.bytes }),
      ...(rehearsed && { rehearsedMs: rehearsed.atMs, rehearsalS: Math.round(rehearsed.tookMs / 1000) }),
      everyHours: config.backupHours,
      outside: config.databaseUrl !== undefined,
    },
  };
}

/** Looks at most every half minute, and once for all who ask meanwhile. */
export function createHealthService(around: HealthSurroundings) {
  let kept: Promise<HealthDetail> | undefined;
  let until = 0;
  let looking = false;
  return {
    async detail(fresh: boolean): Promise<HealthDetail> {
      const nowMs = performance.now();
      if (kept === undefined || (!looking && (fresh || nowMs >= until))) {
        looking = true;
        kept = examine(around).finally(() => {
          looking = false;
          until = performance.now() + keptMs;
        });
      }
      return kept;
    },
  };
}
export type HealthService = ReturnType<typeof createHealthService>;
