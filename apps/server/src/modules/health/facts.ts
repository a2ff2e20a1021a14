import type { BackupLog } from "../../backup-log.ts";
import type { Config } from "../../config.ts";

/** A job of the clock and how it ended last. */
export interface JobFacts {
  readonly job: string;
  /** Five fields of cron, in Asia/Shanghai. */
  readonly cron: string;
  /** The last success; where there was none, since when it has been due. */
  readonly sinceMs: number;
  readonly succeeded: boolean;
  /** The last failure, where no success came after it. */
  readonly failedMs?: number;
  readonly fault: string;
}

interface ServiceOutcome {
  readonly service: string;
  readonly succeededMs?: number;
  readonly failedMs?: number;
  readonly fault: string;
}

/** What was read from the database. */
export interface DatabaseFacts {
  readonly version: string;
  readonly answeredMs: number;
  /** The database's clock minus this machine's, ms. */
  readonly clockOffMs: number;
  readonly connections: { readonly used: number; readonly most: number };
  /** Seconds since the oldest open transaction began; 0 when there is none. */
  readonly oldestTransactionS: number;
  readonly bytes: number;
  readonly migrations: { readonly applied: number; readonly pending: readonly string[]; readonly fault?: string };
  /** Left out while migrations are missing, as are those below. */
  readonly inside?: {
    readonly jobs: readonly JobFacts[];
    /** Seconds that the first job in the queue has waited beyond its time. */
    readonly queueS: number;
    readonly outcomes: readonly ServiceOutcome[];
    readonly spent: readonly string[];
    /** Servers that were heard of within 15 s. */
    readonly servers: number;
    /** Versions of the servers that are connected. */
    readonly versions: readonly string[];
    readonly administrators: number;
    readonly outlets: number;
    /** Kinds of agreements of which the installation published a text of its own. */
    readonly ownAgreements: readonly string[];
  };
}

/** Something that was tried: undefined where it was not, "" where it answered, else what went wrong. */
export type Tried = string | undefined;

export interface CertificateFacts {
  readonly validToMs: number;
  /** Why a browser would not accept it; "" where it would. */
  readonly fault: string;
}

/** Everything that the checks judge. What could not be looked at is left out. */
export interface HealthFacts {
  readonly nowMs: number;
  readonly config: Config;
  readonly nodeVersion: string;
  readonly appVersion: string;
  readonly database: DatabaseFacts | { readonly fault: string; readonly off?: boolean };
  readonly dataDir: {
    readonly exists: boolean;
    /** Why it can't be written; "" where it can. */
    readonly fault: string;
    readonly disk?: { readonly freeBytes: number; readonly totalBytes: number };
  };
  readonly http: "this" | "answers" | "stranger" | "silent";
  readonly mqtt: boolean | undefined;
  readonly redis: Tried;
  readonly mail: Tried;
  /** By the service's name. */
  readonly reached: Readonly<Record<string, Tried>>;
  readonly publicCertificate: CertificateFacts | { readonly unreachable: string } | undefined;
  readonly mqttCertificate: CertificateFacts | undefined;
  readonly backups: BackupLog;
  /** Whether the newest backup's file is still where it was written. */
  readonly backupThere: boolean;
}
