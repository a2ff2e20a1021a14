import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "./endpoint.ts";
import { Empty, EpochMs } from "./scalars.ts";

const Words = Type.Object({ zh: Type.String(), en: Type.String() });

/** How a check ended, the worst first; `off` is what is not used or could not be looked at. */
export const healthStates = ["critical", "major", "minor", "off", "ok"] as const;
export type HealthState = (typeof healthStates)[number];

export const healthAreas = ["settings", "database", "server", "jobs", "services", "backup", "people"] as const;

/** What one check found, with the measured value, and what to do about it. */
export const HealthFinding = Type.Object({
  /** Names the check, such as `database.migrations`; the same in the command line. */
  id: Type.String(),
  area: Type.Enum(healthAreas),
  state: Type.Enum(healthStates),
  title: Words,
  /** A sentence with the measured value. */
  text: Words,
  /** What to do; left out where nothing is to be done. */
  mend: Type.Optional(Words),
  /** The screen of the portal that mends it. */
  link: Type.Optional(Type.String()),
  /** Whether it belongs to the list of the first day: what a new installation still lacks. */
  firstDay: Type.Boolean(),
});
export type HealthFinding = Static<typeof HealthFinding>;

export const HealthBackup = Type.Object({
  /** The newest backup that was written; left out where none is known. */
  newestMs: Type.Optional(EpochMs),
  bytes: Type.Optional(Type.Integer({ minimum: 0, description: "size of its file" })),
  /** The last rehearsal that restored a backup and found it whole. */
  rehearsedMs: Type.Optional(EpochMs),
  rehearsalS: Type.Optional(Type.Integer({ minimum: 0, description: "seconds that it took" })),
  /** Hours after which a newer backup is due. */
  everyHours: Type.Integer({ minimum: 1 }),
  /** Whether the database is an outside one, whose backups are made by its own tools. */
  outside: Type.Boolean(),
});
export type HealthBackup = Static<typeof HealthBackup>;

export const healthDetail = {
  access: permission("health_view"),
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  method: "GET",
  path: "/api/muyuan-system/health/detail",
  summary:
    "What every check of the installation found, the worst first, with what to do about it; looked at anew at most every 30 s, or when `fresh` is 1.",
  query: Type.Object({ fresh: Type.Optional(Type.Literal("1")) }),
  body: Empty,
  reply: Type.Object({
    atMs: EpochMs,
    tookMs: Type.Integer({ minimum: 0 }),
    findings: Type.Array(HealthFinding),
    backup: HealthBackup,
  }),
} satisfies Endpoint;
export type HealthDetail = Static<typeof healthDetail.reply>;

/** By what slow statements are looked for: what costs the database most, single slow calls, or failures. */
export const statementOrders = ["total", "p95", "max", "faults"] as const;

/** Statements that one answer tells of. */
export const mostStatements = 30;

/** What one statement cost a server since its start. */
export const HealthStatement = Type.Object({
  /** The statement without its values; "" for all statements beyond those that are kept apart. */
  text: Type.String(),
  calls: Type.Integer({ minimum: 0 }),
  faults: Type.Integer({ minimum: 0, description: "calls that the database refused or did not answer" }),
  totalMs: Type.Number({ minimum: 0, description: "time of all calls together, from sending to the answer" }),
  share: Type.Number({ minimum: 0, maximum: 1, description: "of the time of all statements" }),
  meanMs: Type.Number({ minimum: 0 }),
  p95Ms: Type.Number({ minimum: 0, description: "bound below which 95 of 100 calls stayed; too high by 41 % at most" }),
  maxMs: Type.Number({ minimum: 0 }),
  maxAtMs: EpochMs,
});
export type HealthStatement = Static<typeof HealthStatement>;

export const healthStatements = {
  access: permission("health_view"),
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  method: "GET",
  path: "/api/muyuan-system/health/statements",
  summary:
    "The statements that cost the database most since the start of the server that answers, without their values.",
  query: Type.Object({ order: Type.Optional(Type.Enum(statementOrders)) }),
  body: Empty,
  reply: Type.Object({
    /** Start of the server that answers; each server counts its own. */
    sinceMs: EpochMs,
    /** Names the server among those on the database. */
    server: Type.String(),
    calls: Type.Integer({ minimum: 0 }),
    totalMs: Type.Number({ minimum: 0 }),
    statements: Type.Array(HealthStatement, { maxItems: mostStatements }),
  }),
} satisfies Endpoint;
export type HealthStatements = Static<typeof healthStatements.reply>;
