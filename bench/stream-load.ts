// Devices that send and browsers that listen, for bench/live.ts and bench/fleet.ts: processes of their own, which speak with their parent
// by messages. Both note times by the clock of the machine they share.
import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { createConnection } from "node:net";
import { WirePublisher } from "../tests/faults/mqtt-wire.ts";

/** Microseconds are told, as many streams get what they wait for within one millisecond. */
const nowMs = (): number => performance.timeOrigin + performance.now();

export interface DevicesOrder {
  role: "devices";
  /** MQTT, or a bare port that takes one line of JSON for each message. */
  wire: "mqtt" | "lines";
  port: number;
  devices: readonly { id: string; token: string; values: Readonly<Record<string, unknown>> }[];
  /** Messages a second of all of them, evenly spread. */
  rate: number;
}

export interface ReadersOrder {
  role: "readers";
  /** Each stream by its address, with headers. */
  streams: readonly { url: string; headers: Readonly<Record<string, string>> }[];
}

export type StreamOrder = DevicesOrder | ReadersOrder;

/** What was counted since it was asked last. */
export interface StreamCounts {
  sent: number;
  acknowledged: number;
  received: number;
  /** Milliseconds from the sending of a value to its arrival; at most `mostLatencies` of them, evenly taken. */
  latenciesMs: number[];
  /** Streams that ended before they were asked to. */
  ended: number;
}

/** What a parent says to it. */
export type StreamCommand = "count" | "stop";

const mostLatencies = 200_000;
/** The name of the value that carries the time of sending. */
const stampKey = "sent_ms";
const stampInLine = /"sent_ms":(?:\{"value":)?(\d+\.\d+)/g;

const counts: StreamCounts = { sent: 0, acknowledged: 0, received: 0, latenciesMs: [], ended: 0 };

/** Connections that are being opened at once: more would not be faster. */
const openedTogether = 50;
async function inTurns<Item>(items: readonly Item[], open: (item: Item, at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async () => {
    for (let at = next++; at < items.length; at = next++) await open(items[at] as Item, at);
  };
  await Promise.all(Array.from({ length: openedTogether }, work));
}

async function runDevices({ wire, port, devices, rate }: DevicesOrder): Promise<() => void> {
  const senders: ((payload: string) => void)[] = [];
  const closers: (() => void)[] = [];
  await inTurns(devices, async ({ id, token }, at) => {
    if (wire === "lines") {
      const socket = createConnection({ port, host: "127.0.0.1", noDelay: true });
      socket.on("error", () => undefined);
      await once(socket, "connect");
      senders[at] = (payload) => void socket.write(`${id} ${payload}\n`);
      closers.push(() => socket.destroy());
      return;
    }
    const { publisher, code } = await WirePublisher.open(port, token, `bench-${id}`, {
      onPuback: () => {
        counts.acknowledged += 1;
      },
    });
    if (code !== 0) throw new Error(`device ${id} was answered with ${code}`);
    senders[at] = (payload) => void publisher.publish("v1/devices/me/telemetry", payload);
    closers.push(() => publisher.close());
  });
  let turn = 0;
  let due = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const at = performance.now();
    due += ((at - last) / 1000) * rate;
    last = at;
    for (; due >= 1; due -= 1) {
      const place = turn % devices.length;
      turn += 1;
      const values = { ...devices[place]?.values, [stampKey]: Number(nowMs().toFixed(3)) };
      // A whole number would be written without a point, by which the readers find it.
      if (Number.isInteger(values[stampKey])) values[stampKey] += 0.001;
      senders[place]?.(JSON.stringify({ ts: Date.now(), values }));
      counts.sent += 1;
    }
  }, 5);
  return () => {
    clearInterval(timer);
    for (const close of closers) close();
  };
}

async function runReaders({ streams }: ReadersOrder): Promise<() => void> {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const answers: IncomingMessage[] = [];
  let stopping = false;
  await inTurns(streams, async ({ url, headers }) => {
    const request = get(url, { agent, headers: { ...headers, Accept: "text/event-stream" } });
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    if (answer.statusCode !== 200) throw new Error(`a stream was answered ${answer.statusCode}`);
    answers.push(answer);
    answer.setEncoding("latin1");
    // Events may begin in one chunk and end in the next: what is not yet a whole line waits.
    let rest = "";
    answer.on("data", (chunk: string) => {
      const text = rest + chunk;
      const end = text.lastIndexOf("\n");
      rest = text.slice(end + 1);
      const now = nowMs();
      for (const [, stamp] of text.slice(0, end + 1).matchAll(stampInLine)) {
        counts.received += 1;
        if (counts.latenciesMs.length < mostLatencies) counts.latenciesMs.push(now - Number(stamp));
        else counts.latenciesMs[counts.received % mostLatencies] = now - Number(stamp);
      }
    });
    answer.on("error", () => undefined);
    answer.once("close", () => {
      if (!stopping) counts.ended += 1;
    });
  });
  return () => {
    stopping = true;
    for (const answer of answers) answer.destroy();
    agent.destroy();
  };
}

process.once("message", (order: StreamOrder) => {
  void (async () => {
    const stop = order.role === "devices" ? await runDevices(order) : await runReaders(order);
    process.on("message", (command: StreamCommand) => {
      if (command === "stop") {
        stop();
        process.disconnect();
        return;
      }
      process.send?.({ ...counts });
      Object.assign(counts, { sent: 0, acknowledged: 0, received: 0, latenciesMs: [] });
    });
    process.send?.("ready");
  })();
});
