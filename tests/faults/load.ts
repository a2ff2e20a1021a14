import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect } from "vitest";
import { startEmbeddedPostgres } from "../../apps/server/src/database/embedded-postgres.ts";
import { silentLog } from "../../apps/server/src/database/log.ts";
import { demoDevices, demoTokenPrefix } from "../../apps/server/src/database/seeds/demo.ts";
import { onServer, urlOf } from "../harness/database.ts";
import { WirePublisher } from "./mqtt-wire.ts";

const connections = 40;
/** Messages per second over all connections while a server is up. */
const rate = 4000;
/** Messages that one connection keeps unacknowledged at most. */
const windowMessages = 400;
const tickMs = 5;
/** Where the rows go: an own database on DATABASE_URL, or PostgreSQL in the server's own folder. */
export async function openPlace() {
  const dataDir = await mkdtemp(join(tmpdir(), "herdwise-kill-"));
  const outside = process.env.DATABASE_URL;
  const name = `herdwise_kill_${randomBytes(6).toString("hex")}`;
  const url = outside && urlOf(outside, name);
  if (outside) await onServer(outside, (client) => client.query(`CREATE DATABASE ${name}`));
  return {
    environment: { DATA_DIR: dataDir, ...(url && { DATABASE_URL: url }) },
    async read<T extends object>(query: string): Promise<T[]> {
      if (url) return onServer(url, async (client) => (await client.query<T>(query)).rows);
      const postgres = await startEmbeddedPostgres({ directory: dataDir, log: silentLog });
      try {
        const client = new pg.Client({ connectionString: postgres.url() });
        await client.connect();
        const { rows } = await client.query<T>(query);
        await client.end();
        return rows;
      } finally {
        await postgres.stop();
      }
    },
    async remove() {
      if (outside) await onServer(outside, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type Place = Awaited<ReturnType<typeof openPlace>>;

export interface Judgement {
  stored: number;
  /** Acknowledged and not stored. */
  lost: number;
  /** Stored more than once. */
  doubled: number;
  /** Stored and never sent. */
  unasked: number;
}

/** Publishes numbers that are used once, and remembers which were acknowledged. */
export class Load {
  readonly acknowledged = new Set<number>();
  /** Number of acknowledgements by the place of the device among those of the demo. */
  readonly ofDevice = new Map<number, number>();
  sent = 0;
  /** Resolves with the first acknowledgement of the present server. */
  firstAck: Promise<void> = Promise.resolve();
  private readonly lastTimes: number[] = [];
  private publishers: { publisher: WirePublisher; underWay: Map<number, number> }[] = [];
  private timer: NodeJS.Timeout | undefined;
  private owed = 0;
  private turn = 0;

  async connect(port: number): Promise<void> {
    const tokens = demoDevices().map(({ serialNumber }) => `${demoTokenPrefix}${serialNumber}`);
    let acked: () => void = () => undefined;
    this.firstAck = new Promise((resolve) => {
      acked = resolve;
    });
    this.publishers = await Promise.all(
      Array.from({ length: connections }, async (_, at) => {
        const underWay = new Map<number, number>();
        const { publisher, code } = await WirePublisher.open(port, tokens[at % tokens.length] ?? "", `load-${at}`, {
          onPuback: (id) => {
            const value = underWay.get(id);
            if (value === undefined) throw new Error(`message ${id} was acknowledged but not under way`);
            underWay.delete(id);
            this.acknowledged.add(value);
            const device = at % tokens.length;
            this.ofDevice.set(device, (this.ofDevice.get(device) ?? 0) + 1);
            acked();
          },
        });
        expect(code).toBe(0);
        return { publisher, underWay };
      }),
    );
    let last = performance.now();
    this.timer = setInterval(() => {
      const at = performance.now();
      this.owed = Math.min(this.owed + ((at - last) / 1000) * rate, rate / 10);
      last = at;
      for (; this.owed >= 1; this.owed -= 1) this.publishOne();
    }, tickMs);
  }

  private publishOne(): void {
    const at = this.turn % this.publishers.length;
    this.turn += 1;
    const line = this.publishers[at];
    if (line === undefined || line.underWay.size >= windowMessages || line.publisher.socket.destroyed) return;
    const value = this.sent;
    this.sent += 1;
    let payload = `{"n":${value}}`;
    if (Math.floor(value / connections) % 2 === 0) {
      // A device's own times differ, and lie in the same milliseconds in which its messages without a time arrive.
      const ts = Math.max(Date.now(), (this.lastTimes[at] ?? 0) + 1);
      this.lastTimes[at] = ts;
      payload = `{"ts":${ts},"values":{"n":${value}}}`;
    }
    line.underWay.set(line.publisher.publish("v1/devices/me/telemetry", payload), value);
  }

  pause(): void {
    clearInterval(this.timer);
  }

  /** Waits until nothing is under way. */
  async settled(): Promise<void> {
    while (this.publishers.some(({ underWay }) => underWay.size > 0)) {
      await new Promise((resolve) => setTimeout(resolve, tickMs));
    }
  }

  /** Waits until the server has closed every connection and what it sent before was read. */
  async closed(): Promise<void> {
    await Promise.all(
      this.publishers.map(({ publisher: { socket } }) =>
        socket.closed ? undefined : new Promise((resolve) => socket.once("close", resolve)),
      ),
    );
  }

  /** Compares what was acknowledged with what is stored. Call it when the server has stopped. */
  async judge(place: Pick<Place, "read">): Promise<Judgement> {
    const rows = await place.read<{ n: string; times: string }>(
      `select t.readings->>'n' as n, count(*) as times from telemetry_values t
        where t.readings->>'n' is not null group by 1`,
    );
    const times = new Map(rows.map((row) => [Number(row.n), Number(row.times)]));
    return {
      stored: times.size,
      lost: [...this.acknowledged].filter((value) => !times.has(value)).length,
      doubled: [...times.values()].filter((count) => count > 1).length,
      unasked: [...times.keys()].filter((value) => !(value >= 0 && value < this.sent)).length,
    };
  }

  disconnect(): void {
    this.pause();
    for (const { publisher } of this.publishers) publisher.close();
  }
}
