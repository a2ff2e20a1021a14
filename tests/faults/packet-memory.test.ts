import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoDevices, demoTokenPrefix } from "../../apps/server/src/database/seeds/demo.ts";
import { remainingLength, WirePublisher } from "./mqtt-wire.ts";
import { residentMegabytes, type ServerProcess, startServerProcess } from "./server-process.ts";

const topic = "v1/devices/me/telemetry";
const tokens = demoDevices().map(({ serialNumber }) => `${demoTokenPrefix}${serialNumber}`);
const megabyte = 1024 * 1024;
let dataDir: string;
let server: ServerProcess;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "herdwise-packets-"));
  // What the C library gave back between two measures would look as if the second one had taken it.
  server = await startServerProcess({ DATA_DIR: dataDir, MALLOC_TRIM_THRESHOLD_: String(1024 * megabyte) });
});
afterAll(async () => {
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Resident memory of the server in MB. */

/** Runs `work`. @returns resident memory of the server at its highest meanwhile, in MB */
async function highestDuring(work: () => Promise<void>): Promise<number> {
  let highest = residentMegabytes(server.pid);
  const watch = setInterval(() => {
    highest = Math.max(highest, residentMegabytes(server.pid));
  }, 50);
  try {
    await work();
  } finally {
    clearInterval(watch);
  }
  return Math.max(highest, residentMegabytes(server.pid));
}

test("200 connections that send a CONNECT of 256 MB each are cut off; memory +100 MB at most", async () => {
  const header = Buffer.concat([Buffer.from([0x10]), remainingLength(268_435_455)]);
  const body = Buffer.alloc(megabyte);
  let sent = 0;
  const before = residentMegabytes(server.pid);
  const highest = await highestDuring(async () => {
    await Promise.all(
      Array.from({ length: 200 }, async () => {
        const socket = connect(server.mqttPort, "127.0.0.1");
        socket.on("error", () => undefined);
        const closed = new Promise((resolve) => socket.once("close", resolve));
        await once(socket, "connect");
        socket.write(header);
        // As much of the 256 MB as the server takes before it closes.
        const push = () => {
          while (!socket.destroyed && socket.write(body)) sent += body.length;
        };
        socket.on("drain", push);
        push();
        await closed;
      }),
    );
  });
  const rose = highest - before;
  console.log(
    `packet-memory: 200 x CONNECT of 256 MB: ${Math.round(sent / megabyte)} MB were sent until then, memory +${rose.toFixed(0)} MB`,
  );
  expect(rose).toBeLessThan(100);
});

/** Sends `count` messages on each of 50 connections and waits until all are acknowledged. */
async function sendAll(message: (n: number) => string | Buffer, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: 50 }, async (_, at) => {
      let acks = 0;
      let done: () => void = () => undefined;
      const allAcked = new Promise<void>((resolve) => {
        done = resolve;
      });
      const { publisher, code } = await WirePublisher.open(server.mqttPort, tokens[at] ?? "", `large-${at}`, {
        onPuback: () => {
          acks += 1;
          if (acks === count) done();
        },
        onClose: () => done(),
      });
      expect(code).toBe(0);
      for (let n = 0; n < count; n += 1) {
        publisher.publish(topic, message(n));
        if (publisher.socket.writableNeedDrain) await once(publisher.socket, "drain");
      }
      await allAcked;
      expect(acks).toBe(count);
      publisher.close();
    }),
  );
}

test("500 messages of 1 MB and 50 of 15 MB on 50 connections are refused, counted and acknowledged; memory +50 MB at most", async () => {
  // V8 lets up to 64 MB of read buffers lie before it collects them, whatever is in them, more or less by the speed of the
  // machine. What ordinary traffic took at its highest is where large messages begin; collected ones would add 750 MB.
  const ordinary = "x".repeat(20_000);
  const ofOrdinary = () => highestDuring(() => sendAll((n) => `{"n":${n},"text":"${ordinary}"}`, 100));
  const [large, larger] = [Buffer.alloc(megabyte, 0x20), Buffer.alloc(15 * megabyte, 0x20)];
  let rounds = 0;
  const riseOver = async (before: number): Promise<number> => {
    rounds += 1;
    const highest = await highestDuring(async () => {
      await sendAll(() => large, 10);
      await sendAll(() => larger, 1);
    });
    const rose = highest - before;
    console.log(
      `packet-memory: 500 x 1 MB and 50 x 15 MB after log-in: memory ${rose.toFixed(0)} MB above ordinary traffic (${before.toFixed(0)} MB)`,
    );
    return rose;
  };
  let rose = await riseOver(await ofOrdinary());
  expect(rose).toBeLessThan(150);
  // More read buffers than before may have lain about once.
  if (rose >= 50) rose = await riseOver(await ofOrdinary());
  expect(rose).toBeLessThan(50);
  const metrics = await (await fetch(`http://127.0.0.1:${server.httpPort}/metrics`)).text();
  expect(metrics).toContain(`herdwise_device_messages_total{outcome="too_large"} ${550 * rounds}`);
});
