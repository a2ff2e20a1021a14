import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startServerProcess } from "../faults/server-process.ts";
import { foundBrowser } from "./browser.ts";
import { createDatabase, templateName } from "./database.ts";
import { testSecretKey } from "./seed.ts";

/** The portal that all browser tests share. */
export interface SharedPortal {
  readonly address: string;
  readonly mqttPort: number;
  readonly databaseUrl: string;
}

declare module "vitest" {
  interface ProvidedContext {
    portal: SharedPortal | undefined;
  }
}

/** Vitest's globalSetup of the browser tests, after that of the database: one server process for all of them. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  project.provide("portal", undefined);
  if (foundBrowser === undefined) return undefined;
  const testServer = project.getProvidedContext().testServer;
  const dataDir = await mkdtemp(join(tmpdir(), "herdwise-portal-"));
  const { url } = await createDatabase(testServer, templateName(testServer.run, "migrated"), "portal");
  const server = await startServerProcess({
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    SECRET_KEY: testSecretKey,
    NODE_ENV: "production",
    DEMO_DOCUMENTS: "on",
    // Each browser context comes from an address of its own, so that none uses up another's budgets.
    TRUST_PROXY: "127.0.0.1",
  });
  project.provide("portal", {
    address: `http://127.0.0.1:${server.httpPort}`,
    mqttPort: server.mqttPort,
    databaseUrl: url,
  });
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
