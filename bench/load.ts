// The load generator of bench/ingest.ts, in a process of its own. It speaks with its parent by messages.
import { WirePublisher } from "../tests/faults/mqtt-wire.ts";

/** What the parent asks for. */
export interface LoadOrder {
  port: number;
  tokens: readonly string[];
  connections: number;
  /** Messages that one connection keeps unacknowledged. */
  windowMessages: number;
  warmUpMs: number;
  measureMs: number;
  /** Messages carry times from here on at the earliest, ms since 1970: none of an earlier round comes twice. */
  fromMs: number;
}

export interface LoadResult {
  /** Messages acknowledged while it was measured. */
  measured: number;
  measuredMs: number;
  /** All messages that were acknowledged. */
  acknowledged: number;
  /** The latest time that a message carried, ms since 1970: at full speed a device's times run ahead of the clock. */
  lastMs: number;
  /** Milliseconds from sending to PUBACK: median, and of 99 in 100. */
  latencyMs: { p50: number; p99: number };
  /** Microseconds of processor time that this process took while it was measured. */
  cpuUs: number;
}

/** Up and down again: an air temperature that jumped back would be rejected. */
const wave = (at: number): number => (at < 32 ? at : 63 - at) / 20;

/** 10 values of an environment controller, in 64 variants. */
const variants = Array.from({ length: 64 }, (_, at) =>
  JSON.stringify({
    t_in: 21.4 + wave(at),
    t_out: 4.2 - wave(at),
    rh: 61.5 + at / 8,
    co2: 1480 + at * 7,
    nh3: 8.2 + at / 16,
    dp: -12.5 - at / 4,
    fan_pct: 35 + (at % 40),
    heat_pct: at % 20,
    water: 1834.25 + at,
    mode: "normal",
  }),
);

async function load(order: LoadOrder): Promise<LoadResult> {
  let acknowledged = 0;
  let begin = Number.POSITIVE_INFINITY;
  let end = Number.POSITIVE_INFINITY;
  let measured = 0;
  let stopping = false;
  const latencies: number[] = [];
  let allAcked: () => void = () => undefined;
  const whenAllAcked = new Promise<void>((resolve) => {
    allAcked = resolve;
  });
  let underWay = 0;
  let lastMs = 0;
  const lines = await Promise.all(
    Array.from({ length: order.connections }, async (_, at) => {
      const sentAt = new Map<number, number>();
      let ts = order.fromMs;
      let number = at;
      const send = () => {
        number += 1;
        // Times as of a device that reports now, so that the alarm rules judge what comes; each once.
        ts = Math.max(ts + 1, Date.now());
        lastMs = Math.max(lastMs, ts);
        const id = publisher.publish(
          "v1/devices/me/telemetry",
          `{"ts":${ts},"values":${variants[number % variants.length]}}`,
        );
        underWay += 1;
        sentAt.set(id, performance.now());
      };
      const { publisher, code } = await WirePublisher.open(order.port, order.tokens[at] ?? "", `bench-${at}`, {
        onPuback: (id) => {
          const now = performance.now();
          underWay -= 1;
          acknowledged += 1;
          if (now >= begin && now < end) {
            measured += 1;
            if (acknowledged % 8 === 0) latencies.push(now - (sentAt.get(id) ?? now));
          }
          sentAt.delete(id);
          if (!stopping) send();
          else if (underWay === 0) allAcked();
        },
      });
      if (code !== 0) throw new Error(`connection ${at} was answered with ${code}`);
      return { publisher, send };
    }),
  );
  for (const { publisher, send } of lines) {
    publisher.socket.cork();
    for (let i = 0; i < order.windowMessages; i += 1) send();
    publisher.socket.uncork();
  }
  await new Promise((resolve) => setTimeout(resolve, order.warmUpMs));
  begin = performance.now();
  process.send?.("begin");
  const cpu = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, order.measureMs));
  end = performance.now();
  const { user, system } = process.cpuUsage(cpu);
  process.send?.("end");
  stopping = true;
  await whenAllAcked;
  for (const { publisher } of lines) publisher.close();
  latencies.sort((a, b) => a - b);
  const part = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return {
    measured,
    measuredMs: end - begin,
    acknowledged,
    lastMs,
    latencyMs: { p50: part(0.5), p99: part(0.99) },
    cpuUs: user + system,
  };
}

process.once("message", (order: LoadOrder) => {
  void load(order).then((result) => process.send?.(result, () => process.disconnect()));
});
