import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Broker, startBroker } from "../../apps/server/src/mqtt/broker.ts";
import { type InsertedDevice, insertDevices } from "../faults/devices.ts";
import { connectPacket, WirePublisher } from "../faults/mqtt-wire.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { volume } from "../harness/volume.ts";

const messages = volume({ short: 5000, long: 200_000 });
const connections = volume({ short: 200, long: 5000 });
const count = 50;
/** Messages that a device keeps unacknowledged. */
const windowMessages = 100;

let app: TestApp;
let broker: Broker;
let devices: InsertedDevice[];

beforeAll(async () => {
  app = await createTestApp();
  broker = await startBroker({
    uplink: app.uplink,
    log: pino({ level: "silent" }),
    host: "127.0.0.1",
    port: 0,
    orNextFree: false,
  });
  devices = await insertDevices(app.test, count);
});
afterAll(async () => {
  await broker.stop();
  await app.close();
});

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query<Row>(text, values)).rows;
const words = () => randomBytes(randomInt(1, 12)).toString("hex");
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

/** Messages that nobody can store, each of them made anew: topic below `v1/devices/me/` and payload. */
const malformed: readonly (() => [string, string | Buffer])[] = [
  () => ["telemetry", Buffer.concat([Buffer.from([0xff]), randomBytes(randomInt(1, 200))])],
  () => ["telemetry", `{"${words()}":${randomInt(100)}`],
  () => ["telemetry", `{'${words()}':1}`],
  () => ["telemetry", ""],
  () => ["telemetry", JSON.stringify(words())],
  () => ["telemetry", String(randomInt(1e9))],
  () => ["telemetry", "null"],
  () => ["telemetry", `[${randomInt(9)},{"t_in":1}]`],
  () => ["telemetry", `[[{"t_in":${randomInt(9)}}]]`],
  // With a letter in front: a word of digits alone is a time in quotes, and one that lies ahead is taken at the time of receipt.
  () => ["telemetry", `{"ts":"t${words()}","values":{"t_in":1}}`],
  () => ["telemetry", `{"ts":-${randomInt(1, 1e9)},"values":{"t_in":1}}`],
  () => ["telemetry", `{"ts":1e400,"values":{"t_in":1}}`],
  () => ["telemetry", `{"ts":${randomInt(1, 1e9)},"values":{"t_in":1}}`],
  () => ["telemetry", `{"ts":${Date.now()},"values":[1]}`],
  () => ["telemetry", `{"t_in":1e${randomInt(309, 999)}}`],
  () => ["telemetry", `{"${words()}":"\\u0000"}`],
  () => ["telemetry", `{"${words()}":"\\ud800"}`],
  () => ["telemetry", `{"":${randomInt(9)}}`],
  () => ["telemetry", `{"${"k".repeat(randomInt(129, 400))}":1}`],
  () => ["telemetry", nested(randomInt(12, 40))],
  () => ["telemetry", `{${Array.from({ length: 501 }, (_, at) => `"k${at}":1`).join(",")}}`],
  () => ["attributes", `[${randomInt(9)}]`],
  () => ["attributes", `{"${words()}":"\\u0000"}`],
  () => ["events", `{"type":"${"t".repeat(65)}","id":"1"}`],
  () => ["events", `{"id":"${words()}"}`],
  () => ["events", "[]"],
  () => ["attributes/request/1", `[${randomInt(9)}]`],
  () => ["rpc/request/1", words()],
  () => [`rpc/response/${randomInt(1, 1e9)}`, "{}"],
  () => ["claim", `{"secretKey":${randomInt(9)}}`],
  () => ["claim", "{}"],
  () => [words(), '{"t_in":1}'],
];

test(
  `R10: ${messages} malformed messages: each is acknowledged and counted, none is stored, and the connections live on`,
  async () => {
    let sent = 0;
    await Promise.all(
      devices.map(async ({ token }) => {
        let underWay = 0;
        let proceed: () => void = () => undefined;
        let isClosed = false;
        const { publisher, code } = await WirePublisher.open(broker.port, token, "malformed", {
          onPuback: () => {
            underWay -= 1;
            proceed();
          },
          onClose: () => {
            isClosed = true;
            proceed();
          },
        });
        expect(code).toBe(0);
        const until = async (least: number) => {
          while (underWay > least && !isClosed)
            await new Promise<void>((resolve) => {
              proceed = resolve;
            });
        };
        while (sent < messages && !isClosed) {
          const [topic, payload] = (malformed[sent % malformed.length] as (typeof malformed)[number])();
          sent += 1;
          underWay += 1;
          publisher.publish(`v1/devices/me/${topic}`, payload);
          await until(windowMessages);
        }
        await until(0);
        expect([isClosed, underWay]).toEqual([false, 0]);
        publisher.close();
      }),
    );
    expect(sent).toBe(messages);
    const ids = [devices.map(({ id }) => id)];
    // Before the counts: what is acknowledged is stored by now, and which message it was says more than a count that lacks one.
    for (const table of ["telemetry", "device_events", "device_claims"])
      expect(await query(`select * from ${table} where device_id = any($1)`, ids), table).toEqual([]);
    expect(
      await query(
        "select * from device_states full join device_readings using (device_id) where device_id = any($1) and (readings <> '{}' or attributes <> '{}')",
        ids,
      ),
    ).toEqual([]);
    const counted = async () =>
      Object.fromEntries(
        (
          await query<{ reason: string; messages: number }>(
            "select reason, sum(messages)::int as messages from device_dropped_messages where device_id = any($1) group by 1 order by 1",
            ids,
          )
        ).map((row) => [row.reason, row.messages]),
      );
    const sum = async () => Object.values(await counted()).reduce((all, one) => all + one, 0);
    await expect.poll(sum).toBe(messages);
    console.log(`R10: ${JSON.stringify(await counted())}`);
  },
  60_000 + messages * 2,
);

test(
  `R10: ${connections} connections that go on with random bytes: the endpoint lives, and a good message is stored`,
  async () => {
    const token = devices[0]?.token ?? "";
    for (let from = 0; from < connections; from += 20)
      await Promise.all(
        Array.from({ length: 20 }, async (_, at) => {
          const socket = connect(broker.port, "127.0.0.1");
          socket.on("error", () => undefined);
          socket.resume();
          const closed = once(socket, "close");
          await once(socket, "connect");
          // Every other one shows who it is before.
          if (at % 2 === 0) socket.write(connectPacket(token, `random-${at}`));
          socket.write(randomBytes(randomInt(1, 4000)));
          socket.end();
          await closed;
        }),
      );
    const answer = await app.http.inject({ method: "POST", url: `/api/v1/${token}/telemetry`, payload: '{"t_in":7}' });
    expect(answer.statusCode).toBe(200);
    const { publisher, code } = await WirePublisher.open(broker.port, token, "good");
    expect(code).toBe(0);
    publisher.close();
  },
  60_000 + connections * 10,
);
