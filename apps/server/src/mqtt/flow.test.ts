import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { pino } from "pino";
import { afterEach, describe, expect, test, vi } from "vitest";
import { connectPacket, publishPacket, remainingLength, WirePublisher } from "../../../../tests/faults/mqtt-wire.ts";
import { createDownlinks } from "../modules/commands/index.ts";
import type { DropReason, Uplink } from "../modules/telemetry/index.ts";
import { type Broker, startBroker } from "./broker.ts";
import { flowLimits } from "./flow.ts";
import { packetLimits } from "./packet-reader.ts";

const log = pino({ level: "silent" });
const device = { id: "1", tenantId: "900001", kind: "environment", serialNumber: "T-1" } as const;
const topic = "v1/devices/me/telemetry";
const opened: (Broker | Socket)[] = [];

afterEach(async () => {
  for (const each of opened.splice(0)) {
    if ("stop" in each) await each.stop();
    else each.destroy();
  }
});

/** A broker whose messages go to the test; `commit` decides when they may be acknowledged. */
async function openBroker(
  commit: (text: string) => Promise<void> = async () => undefined,
  times: Parameters<typeof startBroker>[0]["times"] = {},
) {
  const taken: string[] = [];
  const drops: DropReason[] = [];
  const uplink = {
    authenticate: async () => device,
    telemetry: async (_device: unknown, payload: Buffer) => {
      taken.push(payload.toString());
      await commit(payload.toString());
      return undefined;
    },
    drop: (_device: unknown, reason: DropReason) => drops.push(reason),
    opened: () => undefined,
    closed: () => undefined,
    links: createDownlinks(),
  } as unknown as Uplink;
  const broker = await startBroker({ uplink, log, host: "127.0.0.1", port: 0, orNextFree: false, times });
  opened.push(broker);
  return { broker, taken, drops };
}

let lineNumber = 0;
/** A connection that is welcome, and what came back on it. */
async function openLine(port: number) {
  const acks: number[] = [];
  let isClosed = false;
  lineNumber += 1;
  const { publisher, code } = await WirePublisher.open(port, "t", `line-${lineNumber}`, {
    onPuback: (id) => acks.push(id),
    onClose: () => {
      isClosed = true;
    },
  });
  expect(code).toBe(0);
  opened.push(publisher.socket);
  return { socket: publisher.socket, acks, isClosed: () => isClosed };
}

/** A raw connection that did not log in. */
async function openRaw(port: number) {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  opened.push(socket);
  await once(socket, "connect");
  return socket;
}

let seed = 7;
const random = (below: number) => {
  seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
  return seed % below;
};

describe("after log-in", () => {
  test("a message of more than 256 KiB is counted and acknowledged in its turn, and the connection lives on", async () => {
    const { broker, taken, drops } = await openBroker();
    const line = await openLine(broker.port);
    line.socket.write(publishPacket(topic, "1", 1));
    line.socket.write(publishPacket(topic, Buffer.alloc(1024 * 1024, 0x20), 2));
    line.socket.write(publishPacket(topic, "3", 3));
    line.socket.write(publishPacket(topic, Buffer.alloc(5 * 1024 * 1024, 0x20)));
    line.socket.write(publishPacket(topic, "5", 5));
    await vi.waitFor(() => expect(line.acks.toSorted()).toEqual([1, 2, 3, 5]));
    expect(taken).toEqual(["1", "3", "5"]);
    expect(drops).toEqual(["too_large", "too_large"]);
    expect(line.isClosed()).toBe(false);
  });

  test("packets arrive as they were sent wherever the network cuts them (2,000 packets)", async () => {
    const { broker, taken, drops } = await openBroker();
    const line = await openLine(broker.port);
    const packets: Buffer[] = [];
    const expected: string[] = [];
    let large = 0;
    for (let n = 1; n <= 2000; n += 1) {
      if (n % 400 === 0) {
        large += 1;
        packets.push(publishPacket(topic, Buffer.alloc(packetLimits.publish + random(100_000), 0x31), n));
      } else if (n % 50 === 0) {
        packets.push(Buffer.from([0xc0, 0]));
      } else {
        const text = `${n}:${"x".repeat(random(n % 7 === 0 ? 20_000 : 200))}`;
        expected.push(text);
        packets.push(publishPacket(topic, text, n));
      }
    }
    const bytes = Buffer.concat(packets);
    for (let at = 0; at < bytes.length; ) {
      // Cuts of one byte fall into headers, lengths and message ids.
      const size = random(3) === 0 ? 1 + random(6) : 1 + random(30_000);
      const more = line.socket.write(bytes.subarray(at, at + size));
      at += size;
      if (!more) await once(line.socket, "drain");
      else if (random(4) === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await vi.waitFor(() => expect(line.acks).toHaveLength(expected.length + large), { timeout: 10_000 });
    expect(taken).toEqual(expected);
    expect(drops).toHaveLength(large);
  });

  test.each<[string, () => Buffer]>([
    [
      "a PUBLISH of more than 16 MB",
      () => Buffer.concat([Buffer.from([0x32]), remainingLength(packetLimits.swallowed + 1)]),
    ],
    ["a length of five bytes", () => Buffer.from([0x32, 0xff, 0xff, 0xff, 0xff, 0x01])],
    [
      "a SUBSCRIBE of more than 64 KB",
      () => Buffer.concat([Buffer.from([0x82]), remainingLength(packetLimits.control + 1)]),
    ],
  ])("%s ends the connection", async (_name, packet) => {
    const { broker } = await openBroker();
    const line = await openLine(broker.port);
    line.socket.write(packet());
    await vi.waitFor(() => expect(line.isClosed()).toBe(true));
  });
});

describe("before log-in", () => {
  test.each<[string, Buffer]>([
    ["a PUBLISH", publishPacket(topic, "1", 1)],
    ["a CONNECT of more than 64 KB", Buffer.concat([Buffer.from([0x10]), remainingLength(packetLimits.control + 1)])],
    ["a CONNECT of 256 MB", Buffer.concat([Buffer.from([0x10]), remainingLength(268_435_455)])],
    ["no MQTT at all", Buffer.from("GET / HTTP/1.1\r\nHost: a\r\n\r\n")],
  ])("%s ends the connection", async (_name, bytes) => {
    const { broker, taken } = await openBroker();
    const socket = await openRaw(broker.port);
    const closed = once(socket, "close");
    socket.write(bytes);
    socket.resume();
    await closed;
    expect(taken).toEqual([]);
  });

  test("what is sent right behind CONNECT waits until the device is known, and is taken then", async () => {
    const { broker, taken } = await openBroker();
    const socket = await openRaw(broker.port);
    const packets = Array.from({ length: 3000 }, (_, n) => publishPacket(topic, `${n}`, n + 1));
    socket.write(Buffer.concat([connectPacket("t", "c"), ...packets]));
    await vi.waitFor(() => expect(taken).toHaveLength(3000));
    expect(taken).toEqual(packets.map((_, n) => `${n}`));
  });

  test("a CONNECT that arrives byte by byte is welcome, one that does not arrive is not waited for", async () => {
    const { broker } = await openBroker();
    const socket = await openRaw(broker.port);
    socket.setNoDelay(true);
    const answer = once(socket, "data");
    for (const byte of connectPacket("t", "c")) {
      socket.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect([...((await answer)[0] as Buffer)]).toEqual([0x20, 2, 0, 0]);

    const { broker: hasty } = await openBroker(undefined, { connectMs: 20 });
    const slow = await openRaw(hasty.port);
    slow.resume();
    await once(slow, "close");
  });
});

describe("while commits wait", () => {
  test("nothing more is read than may be under way, on one connection and on all; then everything is taken", async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { broker, taken } = await openBroker(() => gate);
    const payload = "x".repeat(20_000);
    const each = 400;
    const lines = await Promise.all(Array.from({ length: 12 }, () => openLine(broker.port)));
    // 96 MB altogether, and each message for itself: that is how a server is led to read on and on.
    for (let n = 1; n <= each; n += 1) {
      for (const { socket } of lines) socket.write(publishPacket(topic, payload, n));
      for (let turn = 0; turn < 30 && taken.length < n * lines.length; turn += 1) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    await vi.waitFor(() => expect(broker.heldBytes()).toBeGreaterThan(flowLimits.all * 0.9));
    let before = -1;
    await vi.waitFor(
      () => {
        // Nothing moves any more: all are held back.
        const now = taken.length;
        const still = now === before;
        before = now;
        expect(still).toBe(true);
      },
      { interval: 200 },
    );
    // What one read of a socket brings may go beyond the limit.
    expect(broker.heldBytes()).toBeLessThan(flowLimits.all + 12 * 256 * 1024);
    expect(lines.every(({ acks }) => acks.length === 0)).toBe(true);
    release();
    await vi.waitFor(() => expect(lines.map(({ acks }) => acks.length)).toEqual(lines.map(() => each)), {
      timeout: 10_000,
    });
    expect(broker.heldBytes()).toBe(0);
  });

  test("one connection has no more under way than its part, so that others go on", async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { broker, taken } = await openBroker(() => gate);
    const line = await openLine(broker.port);
    for (let n = 1; n <= 500; n += 1) line.socket.write(publishPacket(topic, "x".repeat(20_000), n));
    await vi.waitFor(() => expect(broker.heldBytes()).toBeGreaterThan(flowLimits.connection * 0.9));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(broker.heldBytes()).toBeLessThan(flowLimits.connection + 2 * packetLimits.publish);
    const before = taken.length;
    const other = await openLine(broker.port);
    other.socket.write(publishPacket(topic, "1", 1));
    await vi.waitFor(() => expect(taken).toHaveLength(before + 1));
    release();
    await vi.waitFor(() => expect(line.acks).toHaveLength(500));
  });

  test("stop acknowledges what it stored before it closes, and reads nothing more", async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { broker, taken } = await openBroker(() => gate);
    const line = await openLine(broker.port);
    line.socket.write(publishPacket(topic, "1", 1));
    await vi.waitFor(() => expect(taken).toEqual(["1"]));
    const stopped = broker.stop();
    line.socket.write(publishPacket(topic, "2", 2));
    release();
    await stopped;
    await vi.waitFor(() => expect(line.isClosed()).toBe(true));
    expect(line.acks).toEqual([1]);
    expect(taken).toEqual(["1"]);
  });
});
