import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { appVersion } from "./version.ts";

/** A reading of /metrics waits this long for figures that have to be asked for, ms; then the last ones are told. */
const refreshLimitMs = 3000;

/** Figures for Prometheus. Names follow its conventions: base units, `_total` for counters. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const gauge = <Label extends string = string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  /** A gauge that is absent until it is set. */
  const unsetGauge = (name: string, help: string) => {
    const held = gauge(name, help);
    held.remove();
    return held;
  };
  const refreshers: (() => Promise<void> | void)[] = [];
  gauge("herdwise_build_info", "1, with the version of the server", ["version"]).set({ version: appVersion }, 1);
  return {
    registry,
    /** Adds work that brings figures up to date before they are read; what it throws leaves the last ones. */
    beforeRead: (refresh: () => Promise<void> | void): void => void refreshers.push(refresh),
    /** What Prometheus reads. A database that does not answer delays it by some seconds at most. */
    async read(): Promise<string> {
      let limit: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        limit = setTimeout(resolve, refreshLimitMs);
      });
      await Promise.race([Promise.allSettled(refreshers.map(async (refresh) => refresh())), late]);
      clearTimeout(limit);
      return registry.metrics();
    },
    ready: gauge("herdwise_ready", "1 while /readyz answers that the server can work, else 0"),
    messages: new Counter({
      name: "herdwise_device_messages_total",
      help: "Messages of devices by what became of them: stored, or the reason why they were dropped",
      labelNames: ["outcome"],
      registers,
    }),
    connectedDevices: gauge("herdwise_devices_connected", "Devices with an open connection to this server"),
    values: new Counter({ name: "herdwise_telemetry_values_total", help: "Values committed", registers }),
    ingestFaults: new Counter({
      name: "herdwise_ingest_faults_total",
      help: "Batches that failed and were tried again",
      registers,
    }),
    ingestCommit: new Histogram({
      name: "herdwise_ingest_commit_seconds",
      help: "Time from the arrival of a batch's first message to its commit, waits and repeated tries included",
      buckets: [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
      registers,
    }),
    waitingRows: gauge("herdwise_ingest_waiting_rows", "Rows that wait for their commit; callers wait from 20000 on"),
    liveStreams: gauge("herdwise_live_streams", "Open live streams"),
    requests: new Histogram({
      name: "herdwise_http_request_seconds",
      help: "Time to answer, by route",
      labelNames: ["method", "route", "status"],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
    notices: new Counter({
      name: "herdwise_alarm_notices_total",
      help: "Notices of alarms by channel and outcome: sent, or failed in one try",
      labelNames: ["channel", "outcome"],
      registers,
    }),
    // Prometheus itself gives every series a label `job`.
    jobRuns: new Counter({
      name: "herdwise_job_runs_total",
      help: "Runs of jobs on this server by outcome: succeeded, failed, or interrupted by a stop or a cancellation",
      labelNames: ["task", "outcome"],
      registers,
    }),
    jobSeconds: new Histogram({
      name: "herdwise_job_run_seconds",
      help: "Time that a run of a job took on this server",
      labelNames: ["task"],
      buckets: [0.1, 1, 10, 60, 600, 3600],
      registers,
    }),
    statements: new Histogram({
      name: "herdwise_database_statement_seconds",
      help: "Time from sending a statement to the database until its answer",
      buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30],
      registers,
    }),
    statementFaults: new Counter({
      name: "herdwise_database_statement_faults_total",
      help: "Statements that the database refused or that got no answer",
      registers,
    }),
    poolConnections: gauge("herdwise_database_pool_connections", "Connections of this server's pool: busy or idle", [
      "state",
    ]),
    poolLimit: gauge("herdwise_database_pool_limit", "Most connections of this server's pool"),
    poolWaiting: gauge("herdwise_database_pool_waiting", "Work that waits for a connection of the pool"),
    databaseConnections: gauge("herdwise_database_connections", "Connections of all clients to the database server"),
    databaseConnectionLimit: gauge("herdwise_database_connection_limit", "Most connections of the database server"),
    databaseBytes: gauge("herdwise_database_size_bytes", "Size of the database"),
    oldestTransaction: gauge(
      "herdwise_database_oldest_transaction_seconds",
      "Age of the oldest open transaction of the database, 0 without one",
    ),
    clockOffset: unsetGauge("herdwise_clock_offset_seconds", "Clock of the database minus the clock of this server"),
    servers: gauge("herdwise_servers", "Servers on this database that were heard of within 15 s"),
    diskFree: unsetGauge("herdwise_data_disk_free_bytes", "Free bytes of the disk with the data folder"),
    diskSize: unsetGauge("herdwise_data_disk_size_bytes", "Size of the disk with the data folder"),
    backupMade: unsetGauge(
      "herdwise_backup_newest_timestamp_seconds",
      "When the newest backup was made, 0 without one; absent for an outside database, whose own tools make backups",
    ),
    backupInterval: unsetGauge("herdwise_backup_interval_seconds", "How often a backup is due (BACKUP_HOURS)"),
    backupFailed: unsetGauge("herdwise_backup_failed", "1 where the last try of a backup failed, else 0"),
    backupRehearsed: unsetGauge(
      "herdwise_backup_rehearsed_timestamp_seconds",
      "When a backup was last restored for a rehearsal, 0 where none was",
    ),
    jobSucceeded: gauge(
      "herdwise_job_last_success_timestamp_seconds",
      "When work by the clock last succeeded on any server; absent before the first time",
      ["task"],
    ),
    jobFailed: gauge("herdwise_job_failed", "1 where the last run of work by the clock failed for good, else 0", [
      "task",
    ]),
    jobLate: gauge(
      "herdwise_job_late_seconds",
      "Time since work by the clock should have succeeded at the latest, 0 while it is on time",
      ["task"],
    ),
    jobQueueWait: gauge(
      "herdwise_job_queue_wait_seconds",
      "Time that the first job in the queue waits beyond its time",
    ),
    noticesWaiting: gauge("herdwise_alarm_notices_waiting", "Notices of alarms that are due and not sent yet"),
    noticesOverdue: gauge(
      "herdwise_alarm_notices_overdue_seconds",
      "Time by which the first waiting notice of an alarm is overdue, 0 while none is",
    ),
    serviceFailing: gauge(
      "herdwise_service_failing",
      "1 where the last use of an outside service (sms, mail, voice, wechat …) failed, else 0",
      ["service"],
    ),
    serviceSpent: gauge("herdwise_services_out_of_money", "Outside services that said that they have no money left"),
    certificateEnds: unsetGauge(
      "herdwise_mqtt_certificate_expiry_timestamp_seconds",
      "When the certificate of MQTT_TLS_CERT_FILE ends; absent without one",
    ),
  };
}
export type Metrics = ReturnType<typeof createMetrics>;
