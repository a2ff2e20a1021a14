import { shanghaiClock } from "@herdwise/contract/shanghai";
import { type Bus, memoryBus } from "../../apps/server/src/providers/bus.ts";
import { createTestApp, type TestApp } from "./app.ts";

/** What a refusal of the desk says. */
export type Refused = { reason?: string; problems?: { field: string }[] };

/** A server, who writes its site, and who may not. */
export interface SiteDesk {
  app: TestApp;
  admin: string;
  owner: string;
  bus: Bus;
  /** How often every server was told to forget the pages that it keeps. */
  told(): number;
  /** Tells them once more, after something that the server did not do itself. */
  tell(): void;
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  fetched(path: string, headers?: Record<string, string>): Promise<Awaited<ReturnType<TestApp["http"]["inject"]>>>;
}

/**
 * @param pages folder of the web app; without one only the API is there
 * @param environment settings of the server
 */
export async function openSiteDesk(pages?: string, environment: Record<string, string> = {}): Promise<SiteDesk> {
  const bus = memoryBus();
  let told = 0;
  bus.subscribe("contentChanged", () => {
    told += 1;
  });
  const app = await createTestApp(environment, { bus }, pages);
  return {
    app,
    admin: await app.logIn("admin"),
    owner: await app.logIn("farm"),
    bus,
    told: () => told,
    tell: () => bus.publish("contentChanged", {}),
    sql: async <Row>(text: string, values: unknown[] = []) =>
      (await app.test.database.pool.query(text, values)).rows as Row[],
    fetched: async (path, headers = {}) => await app.http.inject({ url: path, headers }),
  };
}

/** A moment as the wire has it. */
export const inShanghai = (at: number): string => shanghaiClock(at).slice(0, 19).replace("T", " ");
