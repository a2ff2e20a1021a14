import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { pino } from "pino";
import sharp from "sharp";
import { createApp } from "./app.ts";
import { ConfigError, describeConfig, processEnvironment, readConfig } from "./config.ts";
import { makeDataFolder } from "./data-folder.ts";
import { openDatabase } from "./database/connection.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./database/embedded-postgres.ts";
import { migrate } from "./database/migrate.ts";
import { seedContent } from "./database/seeds/content.ts";
import { demoAccounts, demoPassword, seedDemo, seedDemoPhones } from "./database/seeds/demo.ts";
import { seedDemoAccountEvents } from "./database/seeds/demo-account-events.ts";
import { seedDemoAlarmRules } from "./database/seeds/demo-alarm-rules.ts";
import { seedDemoArchives } from "./database/seeds/demo-archives.ts";
import { seedDemoClosing } from "./database/seeds/demo-closing.ts";
import { seedDemoCommissioning } from "./database/seeds/demo-commissioning.ts";
import { seedDemoContractDocuments, seedDemoContracts } from "./database/seeds/demo-contracts.ts";
import { knownCredentials } from "./database/seeds/demo-credentials.ts";
import { seedDemoCustomers } from "./database/seeds/demo-customers.ts";
import { seedDemoDocumentFiles } from "./database/seeds/demo-documents.ts";
import { seedDemoDriverLink } from "./database/seeds/demo-driver-link.ts";
import { seedDemoHerdHealth } from "./database/seeds/demo-herd-health.ts";
import { seedDemoMaintenance } from "./database/seeds/demo-maintenance.ts";
import { seedDemoMessages } from "./database/seeds/demo-messages.ts";
import { seedDemoOutlets } from "./database/seeds/demo-outlets.ts";
import { seedDemoPrices } from "./database/seeds/demo-prices.ts";
import { seedDemoAuthentications, seedDemoRealName } from "./database/seeds/demo-real-name.ts";
import { seedDemoSettings } from "./database/seeds/demo-settings.ts";
import { seedDemoSiteForms } from "./database/seeds/demo-site-forms.ts";
import { seedDemoStock } from "./database/seeds/demo-stock.ts";
import { seedDemoTrade } from "./database/seeds/demo-trade.ts";
import { seedDemoTradeSettings } from "./database/seeds/demo-trade-settings.ts";
import { seedDemoVideoFilms } from "./database/seeds/demo-videos.ts";
import { seedDemoWeighbridges } from "./database/seeds/demo-weighbridges.ts";
import { seedDemoWorkOrders } from "./database/seeds/demo-work-orders.ts";
import { seedFoundation } from "./database/seeds/foundation.ts";
import { logOptions } from "./log.ts";
import { startMallSandbox } from "./mall-sandbox.ts";
import { createPasswords } from "./modules/identity/index.ts";
import { createSimulatorControl } from "./modules/simulator/index.ts";
import { startBroker } from "./mqtt/broker.ts";
import { connectOutsideBroker, loadClientId } from "./mqtt/outside-broker.ts";
import { readTlsFiles } from "./mqtt/tls-files.ts";
import { memoryBus, redisBus } from "./providers/bus.ts";
import { memoryStore, redisStore } from "./providers/store.ts";
import { loadSecretKey } from "./secret-key.ts";
import { startSimulator } from "./simulator.ts";
import { StartFault } from "./start-fault.ts";
import { appVersion } from "./version.ts";

const webBuild = fileURLToPath(new URL("../../web/build/", import.meta.url));
const poolSize = 16;
const loopback = new Set(["127.0.0.1", "::1", "localhost"]);
/** When the documents of a demo are written, after the start. */
const demoDocumentsAfterMs = 8000;
/** A start waits for an outside database that is not up yet, as containers start in any order. */
const migrateRetryMs = 1000;
/** After a signal everything must be stored and closed within this time. */
const stopLimitMs = 9000;
/** Of that the database has this much for itself: whatever else hangs, it is stopped and not left behind. */
const databaseStopMs = 2500;

// By itself the heap may grow to several times what is in use before it is looked through: an import of 50,000 rows would hold
// the memory of many. bench/import.ts measures it.
setFlagsFromString("--heap-growing-percent=50");
// No picture is worked on twice: what libvips would keep of the last hundred for that is memory that nobody uses.
sharp.cache(false);

const databaseName = "PostgreSQL";

/** What a database answers to a DATABASE_URL that is not right, by SQLSTATE. */
const databaseFaults: Readonly<Record<string, string>> = {
  "28P01": "its password is wrong",
  "28000": "its user is not let in",
  "3D000": "there is no such database",
  "42501": "its user may not do what the server needs: make it the owner of the database",
};

/** Names the setting behind a failed listen. */
function listenFault(error: NodeJS.ErrnoException, portSetting: string, port: number, host: string): Error {
  switch (error.code) {
    case "EADDRINUSE":
      return new ConfigError([`${portSetting} is ${port}, which is in use: stop what uses it, or choose another`]);
    case "EACCES":
      return new ConfigError([`${portSetting} is ${port}, which this user may not take: choose one from 1024 on`]);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new ConfigError([`HOST is "${host}", which is no address of this machine`]);
    default:
      return error;
  }
}

/** Words of the command line that are the simulator's: `npm start -- --scenario heat-wave --speed 60`. */
function simulatorWords(words: readonly string[]): string[] {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: { scenario: { type: "string" }, speed: { type: "string" } },
    });
    return Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]);
  } catch (error) {
    throw new ConfigError([
      `${(error as Error).message}. There are --scenario and --speed, see docs/operations/README.md`,
    ]);
  }
}

const say = (text: string) => process.stdout.write(`${text}\n`);

async function run(): Promise<void> {
  const config = readConfig(processEnvironment());
  // A mistake in them is told before anything is started.
  if (config.mqttTls !== undefined) await readTlsFiles(config.mqttTls);
  const words = simulatorWords(process.argv.slice(2));
  await makeDataFolder(config.dataDir);
  const log = pino(logOptions(config.logLevel));
  log.info({ config: describeConfig(config) }, "starting");

  const closers: { what: string; close: () => Promise<unknown> }[] = [];
  let stopping: Promise<void> | undefined;
  const hurry = new AbortController();
  const stop = (why: string, delayMs = 0): Promise<void> => {
    stopping ??= (async () => {
      log.info({ why, delayMs }, "stopping");
      // /readyz says 503 from here on, and balancers choose others before this one takes no more.
      await delay(delayMs, undefined, { signal: hurry.signal }).catch(() => undefined);
      const limit = setTimeout(() => {
        log.error("stopping took too long");
        process.exit(1);
      }, stopLimitMs);
      const others = AbortSignal.timeout(stopLimitMs - databaseStopMs);
      const late = once(others, "abort").then(() => "late" as const);
      for (const { what, close } of closers.reverse()) {
        const closed = close().catch((error: unknown) => log.error({ err: error }, `${what} did not stop cleanly`));
        const ended = await (what === databaseName ? closed : Promise.race([closed, late]));
        if (ended === "late") log.error({ what }, "did not stop in time and is left to itself");
      }
      clearTimeout(limit);
      log.info("stopped");
      process.exit(process.exitCode ?? 0);
    })();
    return stopping;
  };
  process.on("SIGINT", () => {
    hurry.abort();
    void stop("SIGINT");
  });
  process.on("SIGTERM", () => {
    // Who asks again does not want to wait.
    if (stopping !== undefined) hurry.abort();
    void stop("SIGTERM", config.stopDelaySeconds * 1000);
  });
  process.on("unhandledRejection", (error) => log.error({ err: error }, "a promise was rejected and nobody looked"));

  try {
    let embedded: EmbeddedPostgres | undefined;
    if (config.databaseUrl === undefined) {
      const started = await startEmbeddedPostgres({ directory: config.dataDir, log });
      closers.push({ what: databaseName, close: () => started.stop() });
      embedded = started;
    }
    const databaseUrl = config.databaseUrl ?? embedded?.url() ?? "";
    const database = openDatabase({ url: databaseUrl, poolSize, applicationName: `herdwise ${appVersion}`, log });
    closers.push({ what: "database connections", close: () => database.close() });
    const bus = config.redisUrl === undefined ? memoryBus() : await redisBus(config.redisUrl, log);
    closers.push({ what: "bus", close: () => bus.stop() });
    const store = config.redisUrl === undefined ? memoryStore() : await redisStore(config.redisUrl, log);
    closers.push({ what: "key-value store", close: () => store.stop() });
    const secretKey = await loadSecretKey(config.secretKey, config.dataDir);

    const withSandbox = config.demo && config.mallUrl === undefined;
    if (withSandbox) config.mallSecret ??= randomBytes(24).toString("base64url");
    const simulatorControl = config.simulator ? createSimulatorControl() : undefined;
    let whyNotReady: string | undefined = "the database is being prepared";
    const app = await createApp({
      config,
      log,
      database,
      bus,
      store,
      secretKey,
      webBuild,
      simulator: simulatorControl,
      health: {
        async whyNotReady() {
          if (stopping !== undefined) return "the server is stopping";
          if (whyNotReady !== undefined) return whyNotReady;
          try {
            await database.pool.query("select 1");
            return undefined;
          } catch (error) {
            return `the database does not answer: ${(error as Error).message}`;
          }
        },
      },
    });
    closers.push({ what: "HTTP and ingest", close: () => app.stop() });
    await app.http.listen({ port: config.port, host: config.host }).catch((error: NodeJS.ErrnoException) => {
      throw listenFault(error, "PORT", config.port, config.host);
    });
    const address = app.http.server.address();
    const port = typeof address === "object" && address !== null ? address.port : config.port;

    for (;;) {
      try {
        await migrate(database, log);
        break;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        const notYet = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "57P03"].includes(code ?? "");
        const fault = config.databaseUrl === undefined ? undefined : databaseFaults[code ?? ""];
        if (fault !== undefined) throw new ConfigError([`DATABASE_URL: ${fault}`]);
        if (!notYet) throw error;
        whyNotReady = `the database can't be reached: ${code}`;
        log.warn({ code }, "waiting for the database of DATABASE_URL");
        await new Promise((resolve) => setTimeout(resolve, migrateRetryMs));
      }
    }
    await seedFoundation(database.kysely, app.nextId);
    await seedContent(database.kysely, app.nextId, { demo: config.demo });
    if (config.demo) {
      const isNew = await seedDemo(database.kysely, app.nextId, app.hashPassword);
      if (isNew) {
        await seedDemoArchives(database.kysely, app.personalCipher, app.nextId);
        await seedDemoWeighbridges(database.kysely, app.nextId);
        await seedDemoStock(database.kysely, { cipher: app.personalCipher, nextId: app.nextId });
        await seedDemoTradeSettings(database.kysely, app.nextId);
        await seedDemoOutlets(database.kysely, app.nextId);
        await seedDemoPrices(database.kysely, app.nextId);
        // Some of the orders hang on a contract's price.
        await seedDemoContracts(database.kysely, {
          cipher: app.personalCipher,
          nextId: app.nextId,
          now: Date.now(),
        });
        await seedDemoTrade(database.kysely, app.personalCipher, app.nextId);
        await seedDemoDriverLink(database.kysely, { secretKey, nextId: app.nextId });
        await seedDemoMessages(database.kysely, app.nextId);
        await seedDemoAccountEvents(database.kysely, app.nextId);
        await seedDemoSettings(database.kysely, app.nextId);
        await seedDemoMaintenance(database.kysely, app.nextId);
        await seedDemoCommissioning(database.kysely, app.nextId);
        await seedDemoHerdHealth(database.kysely, app.nextId);
        await seedDemoAlarmRules(database.kysely, app.nextId);
        await seedDemoRealName(database.kysely, {
          cipher: app.personalCipher,
          nextId: app.nextId,
          hashPassword: app.hashPassword,
          keepFile: app.keepFile,
        });
        await seedDemoClosing(database.kysely, { cipher: app.personalCipher, nextId: app.nextId });
        await seedDemoWorkOrders(database.kysely, {
          nextId: app.nextId,
          hashPassword: app.hashPassword,
          now: Date.now(),
        });
        await seedDemoCustomers(database.kysely, { nextId: app.nextId, cipher: app.personalCipher });
        await seedDemoSiteForms(database.kysely, {
          cipher: app.personalCipher,
          nextId: app.nextId,
          nowMs: Date.now(),
        });
      }
      await seedDemoPhones(database.kysely, app.personalCipher);
      await seedDemoAuthentications(database.kysely, { cipher: app.personalCipher, nextId: app.nextId });
    } else {
      const known = await knownCredentials(database.kysely, createPasswords(secretKey));
      if (known.length > 0)
        throw new StartFault(
          `this installation was a demo: everybody knows the password or token of ${known.slice(0, 5).join(", ")}${known.length > 5 ? ` and ${known.length - 5} more` : ""}. ` +
            "Take them out with `npm run purge-demo`, which keeps the data, or start with an empty DATA_DIR",
        );
    }
    await app.start();
    if (config.demoDocuments) {
      // Nobody waits for the files of the demo, and what a stop cuts short is made after the next start.
      const stopped = () => stopping !== undefined;
      const warnOf = (what: string) => (error: unknown) => {
        if (!stopped()) log.warn({ err: error }, what);
      };
      seedDemoContractDocuments(database.kysely, {
        cipher: app.personalCipher,
        publicUrl: config.publicUrl,
        stopped,
      }).catch(warnOf("files of the demo's contracts were not made"));
      // They take some seconds of work, and the first pages come before them.
      setTimeout(() => {
        seedDemoDocumentFiles(database.kysely, {
          write: app.writeDocument,
          stopped,
          nowMs: Date.now(),
        })
          .then(() => seedDemoVideoFilms(database.kysely, { write: app.writeVideo, stopped }))
          .then(() => bus.publish("contentChanged", {}))
          .catch(warnOf("files of the demo's documents or videos were not made"));
      }, demoDocumentsAfterMs).unref();
    }

    const { mqttUrl, mqttShared: shared } = config;
    if (mqttUrl !== undefined) {
      const clientId = await loadClientId(config.dataDir);
      const outside = await connectOutsideBroker({ url: mqttUrl, uplink: app.uplink, log, clientId, shared });
      closers.push({ what: "outside MQTT broker", close: () => outside.stop() });
    }
    // Beside an outside broker only the simulator has use for the embedded one, as its devices know no prefix.
    const broker =
      mqttUrl === undefined || config.simulator
        ? await startBroker({
            uplink: app.uplink,
            log,
            balancers: config.trustProxy,
            ...(mqttUrl === undefined
              ? { host: config.host, port: config.mqttPort, orNextFree: true, tls: config.mqttTls }
              : { host: "127.0.0.1", port: 0, orNextFree: false }),
          }).catch((error: NodeJS.ErrnoException) => {
            throw listenFault(error, "MQTT_PORT", config.mqttPort, config.host);
          })
        : undefined;
    if (broker !== undefined) closers.push({ what: "MQTT", close: () => broker.stop() });
    if (broker !== undefined && mqttUrl === undefined) app.http.server.on("upgrade", broker.upgrade);
    if (withSandbox) {
      const sandbox = await startMallSandbox(`http://127.0.0.1:${port}`, config.host, config.mallSecret ?? "");
      closers.push({ what: "mall sandbox", close: () => sandbox.stop() });
      config.mallUrl = `${new URL(config.publicUrl).protocol}//${new URL(config.publicUrl).hostname}:${sandbox.port}`;
    }
    if (simulatorControl !== undefined && broker !== undefined) {
      const simulator = await startSimulator({
        db: database.kysely,
        log,
        dataDir: config.dataDir,
        mqttUrl: `mqtt://127.0.0.1:${broker.port}`,
        control: simulatorControl,
        words,
      });
      closers.push({ what: "simulator", close: () => simulator.stop() });
    }
    whyNotReady = undefined;
    log.info({ port, mqttPort: broker?.port, mqttTlsPort: broker?.tlsPort }, "ready");

    const publicUrl = config.port === 0 ? `http://localhost:${port}` : config.publicUrl;
    say("");
    say(`  Herdwise 慧牧   ${publicUrl}`);
    if (mqttUrl !== undefined) {
      say(`  MQTT           outside broker ${new URL(mqttUrl).host}`);
    } else if (broker !== undefined) {
      const taken = config.mqttPort === 0 || broker.port === config.mqttPort ? "" : `   (${config.mqttPort} is taken)`;
      say(`  MQTT           mqtt://localhost:${broker.port}${taken}`);
      if (broker.tlsPort !== undefined) say(`  MQTT with TLS  mqtts://localhost:${broker.tlsPort}`);
    }
    if (config.demo) {
      say("");
      say(`  Demo accounts, password ${demoPassword}:`);
      for (const { account, realName, note } of demoAccounts) say(`    ${account.padEnd(8)}${realName}  ${note}`);
      if (app.outboxShown) say(`  SMS and mails are shown at ${publicUrl}/dev/outbox`);
      if (!loopback.has(config.host))
        say(`  HOST is ${config.host}: whoever reaches this machine can log in with these passwords`);
      say("  A demo device's access token is demo- and its serial number, see docs/demo-devices.md");
    }
    say("");
  } catch (error) {
    const known = error instanceof ConfigError || error instanceof StartFault;
    say(error instanceof ConfigError ? error.message : `Herdwise could not start: ${(error as Error).message}`);
    // What says by itself what to do needs no stack; of anything else it is all that tells.
    log.fatal(known ? { fault: error.message } : { err: error }, "could not start");
    process.exitCode = 1;
    await stop("a failed start");
  }
}

run().catch((error: unknown) => {
  const told = error instanceof Error ? error.message : String(error);
  say(error instanceof ConfigError ? told : `Herdwise could not start: ${told}`);
  process.exit(1);
});
