import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { HealthFinding } from "@herdwise/contract";
import { pino } from "pino";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { noteInBackupLog } from "../../apps/server/src/backup-log.ts";
import { type Examined, examineInstallation, mustAct } from "../../apps/server/src/cli/examination.ts";
import { createJobQueue } from "../../apps/server/src/jobs/queue.ts";
import { memoryBus } from "../../apps/server/src/providers/bus.ts";
import { testCertificate } from "../harness/certificate.ts";
import { createSeededDatabase, type TestDatabase, urlOf } from "../harness/database.ts";
import { scratchFolder } from "../harness/scratch-folder.ts";

const dayMs = 86_400_000;
const doctor = fileURLToPath(new URL("../../apps/server/src/cli/doctor.ts", import.meta.url));

let folder: string;
let held: TestDatabase;
let taken: Server;
let site: TlsServer;
let mail: SMTPServer;
const queueOf = () => createJobQueue({ pool: held.database.pool, bus: memoryBus(), log: pino({ level: "silent" }) });
const portOf = (server: { address(): unknown }): number => (server.address() as { port: number }).port;

beforeAll(async () => {
  folder = await mkdtemp(join(await scratchFolder(), "herdwise-doctor-"));
  held = await createSeededDatabase();
  // What the server makes at its first start.
  const queue = queueOf();
  await queue.start([]);
  await queue.stop();
  taken = createServer((socket) => socket.on("error", () => undefined).end("no HTTP\r\n"));
  const { cert, key } = testCertificate();
  site = createTlsServer({ cert, key });
  mail = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: (_login, _session, done) => done(new Error("no such user")),
  });
  for (const server of [taken, site, mail.server])
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
});
afterAll(async () => {
  taken.close();
  site.close();
  mail.close();
  await held.drop();
  await rm(folder, { recursive: true, force: true });
});

const templates =
  "LOGIN REGISTER RESET_PASSWORD VERIFY_PHONE RESET_LINK ACCOUNT_NAMES NO_ACCOUNT PHONE_CHANGE ACCOUNT_CLOSING CONTRACT_CODE";
const sms = Object.fromEntries([
  ["SMS_PROVIDER", "aliyun"],
  ["SMS_KEY_ID", "id"],
  ["SMS_KEY_SECRET", "secret"],
  ["SMS_SIGN_NAME", "慧牧"],
  ...templates.split(" ").map((name) => [`SMS_TEMPLATE_${name}`, `SMS_${name}`]),
]);

let folders = 0;
const newDataDir = async (): Promise<string> => {
  folders += 1;
  const dataDir = join(folder, `data-${folders}`);
  await mkdir(dataDir);
  return dataDir;
};

/** An installation on a database of its own with which nothing is wrong. */
const onDatabase = async (): Promise<Examined> => ({
  environment: {
    ...sms,
    DATABASE_URL: held.url,
    DATA_DIR: await newDataDir(),
    PORT: "0",
    MQTT_PORT: "0",
    PUBLIC_URL: "https://herdwise.invalid",
  },
  room: async () => ({ freeBytes: 50e9, totalBytes: 100e9 }),
});

/** An installation with an embedded database that was not made yet, and whose backups are as they should be. */
const embedded = async (): Promise<Examined> => {
  const around = await onDatabase();
  const { DATABASE_URL: _, ...environment } = around.environment;
  const file = join(folder, `backup-${folders}.tar.gz`);
  await writeFile(file, "a backup");
  const atMs = Date.now() - 3_600_000;
  await noteInBackupLog(environment.DATA_DIR ?? "", {
    made: { atMs, file, bytes: 8 },
    rehearsed: { atMs, file, backupMs: atMs, tookMs: 60_000 },
  });
  return { ...around, environment };
};

/** Changes rows and gives back what undoes it. */
const change = async (text: string, undo: string): Promise<() => Promise<void>> => {
  await held.database.pool.query(text);
  return async () => void (await held.database.pool.query(undo));
};

interface Fault {
  /** What is done to a sound installation; what it returns is undone afterwards. */
  plant(around: Examined): Promise<(() => Promise<void>) | undefined> | (() => Promise<void>) | undefined;
  base?: () => Promise<Examined>;
  id: string;
  state: HealthFinding["state"];
  says: RegExp;
  mend: RegExp;
}

const set =
  (values: Record<string, string | (() => string)>): Fault["plant"] =>
  (around) => {
    const given = Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? value : value()]);
    around.environment = { ...around.environment, ...Object.fromEntries(given) };
    return undefined;
  };
const logged =
  (news: (nowMs: number) => Parameters<typeof noteInBackupLog>[1]): Fault["plant"] =>
  async ({ environment }) => {
    await noteInBackupLog(environment.DATA_DIR ?? "", news(Date.now()));
    return undefined;
  };
const emptyLog: Fault["plant"] = async ({ environment }) => {
  await rm(join(environment.DATA_DIR ?? "", "backups.json"));
  return undefined;
};
const ofSite = (host: string) => () => `https://${host}:${portOf(site)}`;

const faults: Readonly<Record<string, Fault>> = {
  "a wrong password of the database": {
    plant: set({ DATABASE_URL: () => held.url.replace(/:[^:@/]*@/, ":wrong@") }),
    id: "database.reach",
    state: "critical",
    says: /28P01/,
    mend: /Correct user and password in DATABASE_URL/,
  },
  "a database that is not there": {
    plant: set({ DATABASE_URL: () => urlOf(inject("testServer").url, "herdwise_nowhere") }),
    id: "database.reach",
    state: "critical",
    says: /3D000/,
    mend: /createdb/,
  },
  "a database that is down": {
    plant: set({ DATABASE_URL: "postgres://herdwise@127.0.0.1:9/herdwise" }),
    id: "database.reach",
    state: "critical",
    says: /ECONNREFUSED/,
    mend: /Start PostgreSQL/,
  },
  "a migration that is missing": {
    plant: () =>
      change(
        "create table kept_rows as select * from schema_migrations; delete from schema_migrations where name = (select max(name) from schema_migrations)",
        "insert into schema_migrations select * from kept_rows on conflict do nothing; drop table kept_rows",
      ),
    id: "database.migrations",
    state: "major",
    says: /^1 are missing: \d{4}_/,
    mend: /npm run serve/,
  },
  "a migration that was changed": {
    plant: () =>
      change(
        "create table kept_rows as select * from schema_migrations; update schema_migrations set checksum = 'x' where name like '0002%'",
        "update schema_migrations s set checksum = k.checksum from kept_rows k where k.name = s.name; drop table kept_rows",
      ),
    id: "database.migrations",
    state: "critical",
    says: /0002_\w+\.sql is not the file that made these data/,
    mend: /git checkout/,
  },
  "a Redis that is down": {
    plant: set({ REDIS_URL: "redis://127.0.0.1:9" }),
    id: "server.redis",
    state: "critical",
    says: /ECONNREFUSED/,
    mend: /Start Redis/,
  },
  "another program at the server's port": {
    plant: set({ PORT: () => String(portOf(taken)), HOST: "127.0.0.1" }),
    id: "server.http",
    state: "critical",
    says: /taken by another program/,
    mend: /choose another PORT/,
  },
  "another program at the port of MQTT": {
    plant: set({ MQTT_PORT: () => String(portOf(taken)), HOST: "127.0.0.1" }),
    id: "server.mqtt",
    state: "major",
    says: /MQTT port \d+ is taken/,
    mend: /choose another MQTT_PORT/,
  },
  "a data folder that can't be written": {
    plant: set({ DATA_DIR: "/etc/hostname/data" }),
    id: "server.data_dir",
    state: "critical",
    says: /ENOTDIR/,
    mend: /chown/,
  },
  "a disk that is nearly full": {
    plant: (around) => {
      around.room = async () => ({ freeBytes: 0.3e9, totalBytes: 100e9 });
      return undefined;
    },
    id: "server.disk",
    state: "critical",
    says: /300 MB of 100 GB are free/,
    mend: /Make room/,
  },
  "a clock that is two minutes off": {
    plant: (around) => {
      around.now = () => Date.now() - 120_000;
      return undefined;
    },
    id: "database.clock",
    state: "critical",
    says: /1(19\.9|20|20\.1) s apart/,
    mend: /timedatectl/,
  },
  "a job that fails": {
    plant: async () => {
      const queue = queueOf();
      const run = async () => {
        throw new Error("no room");
      };
      await queue.start([{ name: "doctor.fails", schedule: "0 3 * * *", retries: 0, timeoutS: 60, run }]);
      await queue.enqueue("doctor.fails", {});
      queue.wake();
      await expect.poll(async () => (await held.database.pool.query("select from job_outcomes")).rowCount).toBe(1);
      return async () => {
        await queue.stop();
        await held.database.pool.query("delete from jobs.schedule; delete from job_outcomes");
      };
    },
    id: "jobs.failed",
    state: "major",
    says: /1 failed last: doctor\.fails \(no room\)/,
    mend: /a job failed for good/,
  },
  "a job that did not run": {
    plant: () =>
      change(
        `insert into jobs.schedule (name, key, cron, timezone, created_on) values ('clock', 'identity.sweep', '*/5 * * * *', 'Asia/Shanghai', now() - interval '9 days');
         update schema_migrations set applied_at = now() - interval '9 days' where name like '0520%'`,
        "delete from jobs.schedule; update schema_migrations set applied_at = now() where name like '0520%'",
      ),
    id: "jobs.late",
    state: "minor",
    says: /1 did not run at their time: identity\.sweep/,
    mend: /start it again/,
  },
  "no backup": {
    base: embedded,
    plant: emptyLog,
    id: "backup.age",
    state: "critical",
    says: /There never was one/,
    mend: /npm run backup/,
  },
  "a backup that is too old": {
    base: embedded,
    plant: (around) => {
      const { now = Date.now } = around;
      around.now = () => now() + 2 * dayMs;
      return undefined;
    },
    id: "backup.age",
    state: "major",
    says: /2 days old/,
    mend: /npm run backup/,
  },
  "a backup whose file is gone": {
    base: embedded,
    plant: logged((atMs) => ({ made: { atMs, file: "/nowhere/a.tar.gz", bytes: 8 } })),
    id: "backup.age",
    state: "critical",
    says: /is gone: \/nowhere\/a\.tar\.gz/,
    mend: /npm run backup/,
  },
  "a backup that nobody restored": {
    base: embedded,
    plant: async (around) => {
      await emptyLog(around);
      return logged((atMs) => ({ made: { atMs, file: doctor, bytes: 8 } }))(around);
    },
    id: "backup.rehearsed",
    state: "major",
    says: /Never restored/,
    mend: /npm run restore -- --rehearse/,
  },
  "a rehearsal that failed": {
    base: embedded,
    plant: logged((atMs) => ({ rehearsalFailed: { atMs, file: "a", fault: "damaged or not whole" } })),
    id: "backup.rehearsed",
    state: "critical",
    says: /damaged or not whole/,
    mend: /make another at once/,
  },
  "a certificate that expired": {
    plant: (around) => {
      set({ PUBLIC_URL: ofSite("localhost") })(around);
      around.now = () => Date.now() + 3 * dayMs;
      return undefined;
    },
    id: "server.certificate",
    state: "critical",
    says: /expired 2 days ago/,
    mend: /Renew the certificate of localhost/,
  },
  "a certificate of another host": {
    plant: set({ PUBLIC_URL: ofSite("127.0.0.2") }),
    base: async () => {
      const around = await onDatabase();
      await new Promise<void>((resolve) => site.close(() => resolve()));
      await new Promise<void>((resolve) => site.listen(0, "0.0.0.0", () => resolve()));
      return around;
    },
    id: "server.certificate",
    state: "critical",
    says: /127\.0\.0\.2 is not in the cert's list/,
    mend: /Renew the certificate of 127\.0\.0\.2/,
  },
  "a demo that others reach": {
    plant: set({ DEMO: "on" }),
    id: "settings.demo",
    state: "critical",
    says: /everybody knows its passwords/,
    mend: /npm run purge-demo/,
  },
  "a secret key that can be guessed": {
    plant: set({ SECRET_KEY: "a".repeat(40) }),
    id: "settings.secret",
    state: "critical",
    says: /^Can be guessed: SECRET_KEY/,
    mend: /openssl rand/,
  },
  "a public address that was forgotten": {
    plant: set({ PUBLIC_URL: "" }),
    id: "settings.public_url",
    state: "major",
    says: /PUBLIC_URL is not set/,
    mend: /Set PUBLIC_URL/,
  },
  "a mail server that refuses": {
    plant: set({ MAIL_URL: () => `smtp://user:wrong@127.0.0.1:${portOf(mail.server)}?tls=off` }),
    id: "services.mail",
    state: "major",
    says: /535/,
    mend: /MAIL_URL/,
  },
  "an SMS service without money": {
    plant: () => change("insert into out_of_money (channel, fault) values ('sms', 'x')", "delete from out_of_money"),
    id: "services.sms",
    state: "major",
    says: /no money left/,
    mend: /Pay in/,
  },
  "an SMS service that failed last": {
    plant: () =>
      change(
        "insert into service_outcomes (service, succeeded_at, failed_at, fault) values ('sms', now() - interval '2 hours', now() - interval '1 hour', 'isv.SIGN')",
        "delete from service_outcomes",
      ),
    id: "services.sms",
    state: "major",
    says: /has not worked since: isv\.SIGN/,
    mend: /SMS_PROVIDER/,
  },
  "a mistyped setting": {
    plant: set({ PUBIC_URL: "https://example.cn" }),
    id: "settings.unknown.PUBIC_URL",
    state: "minor",
    says: /Nothing reads the variable PUBIC_URL/,
    mend: /rename it to PUBLIC_URL/,
  },
  "a setting that can't be": {
    plant: set({ PORT: "eighty" }),
    id: "settings.mistake.1",
    state: "critical",
    says: /PORT is "eighty"/,
    mend: /Correct this variable/,
  },
  "a server of another version": {
    plant: async () => {
      const { default: pg } = await import("pg");
      const client = new pg.Client({ connectionString: held.url, application_name: "herdwise 0.0.1" });
      await client.connect();
      return () => client.end();
    },
    id: "server.others",
    state: "major",
    says: /Other versions are connected: 0\.0\.1/,
    mend: /same version/,
  },
};

test.each(Object.entries(faults))("%s is found, and what mends it", async (_name, fault) => {
  const around = await (fault.base ?? onDatabase)();
  const look = async () => (await examineInstallation(around)).find(({ id }) => id === fault.id);
  const sound = await look();
  expect(sound?.text.en ?? "").not.toMatch(fault.says);
  const undo = await fault.plant(around);
  try {
    const found = await look();
    expect(found).toMatchObject({ id: fault.id, state: fault.state });
    expect(found?.text.en).toMatch(fault.says);
    expect(found?.mend?.en).toMatch(fault.mend);
    expect(found?.mend?.zh).toMatch(/\p{Script=Han}/u);
  } finally {
    await undo?.();
  }
});

test("nothing is wrong with an installation that is sound", async () => {
  const findings = await examineInstallation(await onDatabase());
  expect(findings.filter(({ state }) => state === "critical" || state === "major")).toEqual([]);
  expect(mustAct(findings)).toBe(false);
  expect(findings.length).toBeGreaterThan(25);
});

test("the command ends with 1 where something must be done, and prints the worst first", async () => {
  const run = async (more: Record<string, string>, words: string[] = []) => {
    const { environment } = await onDatabase();
    const env = { PATH: process.env.PATH ?? "", ...environment, ...more };
    return promisify(execFile)(process.execPath, [doctor, ...words], { env }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
    );
  };
  const sound = await run({}, ["--json"]);
  expect(sound.code).toBe(0);
  const found = JSON.parse(sound.stdout) as HealthFinding[];
  expect(found.some(({ id, state }) => id === "database.reach" && state === "ok")).toBe(true);
  const broken = await run({ REDIS_URL: "redis://127.0.0.1:9" });
  expect(broken.code).toBe(1);
  expect(broken.stdout).toMatch(/^CRITICAL +server\.redis[^\n]*\n +-> Start Redis/);
});
