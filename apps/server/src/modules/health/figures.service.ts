import { readBackupLog } from "../../backup-log.ts";
import type { Config } from "../../config.ts";
import type { Metrics } from "../../metrics.ts";
import type { SystemScope } from "../../tenant-scope.ts";
import type { HealthRepository } from "./health.repository.ts";
import { lateByMs } from "./judge.ts";
import { certificateIn, type Room, roomOf } from "./probes.ts";

/** How long what was read is told again, ms; several Prometheus servers cost the database no more than one. */
const keptMs = 10_000;

export interface FiguresSurroundings {
  readonly config: Config;
  readonly metrics: Metrics;
  readonly scope: SystemScope;
  /** Milliseconds since 1970; a test may move it. */
  readonly now: () => number;
  readonly repository: Pick<HealthRepository, "figures" | "outcomesSince" | "jobs" | "services" | "notices">;
  readonly room?: Room;
}

/** Brings up to date what /metrics tells of the installation: disk, backups, database, jobs, notices, services. */
export function createFigures({ config, metrics, scope, now, repository, room = roomOf }: FiguresSurroundings) {
  const disk = async () => {
    const { freeBytes, totalBytes } = await room(config.dataDir);
    metrics.diskFree.set(freeBytes);
    metrics.diskSize.set(totalBytes);
  };

  const backups = async () => {
    const { made, failed, rehearsed } = await readBackupLog(config.dataDir);
    // A demo needs none, and of an outside database nothing is known here.
    if (config.databaseUrl !== undefined || (config.demo && made === undefined)) return;
    metrics.backupInterval.set(config.backupHours * 3600);
    metrics.backupMade.set((made?.atMs ?? 0) / 1000);
    metrics.backupFailed.set((failed?.atMs ?? 0) > (made?.atMs ?? 0) ? 1 : 0);
    metrics.backupRehearsed.set((rehearsed?.atMs ?? 0) / 1000);
  };

  const certificate = async () => {
    if (config.mqttTls === undefined) return;
    const { validToMs, fault } = await certificateIn(config.mqttTls.certFile);
    metrics.certificateEnds.set(fault === "" ? validToMs / 1000 : 0);
  };

  const database = async () => {
    const { clockOffMs, connections, oldestTransactionS, bytes } = await repository.figures(now);
    metrics.clockOffset.set(clockOffMs / 1000);
    metrics.databaseConnections.set(connections.used);
    metrics.databaseConnectionLimit.set(connections.most);
    metrics.oldestTransaction.set(oldestTransactionS);
    metrics.databaseBytes.set(bytes);
  };

  const work = async () => {
    const since = await repository.outcomesSince();
    if (since === undefined) return;
    const { jobs, queueS } = await repository.jobs(since);
    metrics.jobQueueWait.set(queueS);
    const { jobFailed, jobLate, jobSucceeded } = metrics;
    // A job that a new version no longer has must not be told for ever.
    for (const held of [jobFailed, jobLate, jobSucceeded]) held.reset();
    for (const job of jobs) {
      const task = job.job;
      jobFailed.set({ task }, job.failedMs === undefined ? 0 : 1);
      jobLate.set({ task }, lateByMs(job, now()) / 1000);
      if (job.succeeded) jobSucceeded.set({ task }, job.sinceMs / 1000);
    }
    const { outcomes, spent, servers } = await repository.services();
    metrics.servers.set(servers);
    metrics.serviceSpent.set(spent.length);
    for (const { service, succeededMs = 0, failedMs = 0 } of outcomes)
      metrics.serviceFailing.set({ service }, failedMs > succeededMs ? 1 : 0);
    const { waiting, overdueS } = await repository.notices(scope);
    metrics.noticesWaiting.set(waiting);
    metrics.noticesOverdue.set(overdueS);
  };

  let kept: Promise<void> | undefined;
  let until = 0;
  let looking = false;
  return {
    /** Looks at most every ten seconds, and once for all who ask meanwhile. What can't be read keeps its last figures. */
    refresh(): Promise<void> {
      if (kept === undefined || (!looking && performance.now() >= until)) {
        looking = true;
        kept = Promise.allSettled([disk(), backups(), certificate(), database(), work()]).then(() => {
          looking = false;
          until = performance.now() + keptMs;
        });
      }
      return kept;
    },
  };
}
