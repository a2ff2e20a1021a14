import { EventEmitter } from "node:events";
import { createClient } from "redis";

/** What servers tell each other. Each message goes to every server, the sender too. */
export interface BusMessages {
  /** Readings that were committed. */
  readings: { deviceId: string; readings: Record<string, { value: unknown; ts: number }> }[];
  /** A device began or stopped reporting, or opened or closed its connection. */
  presence: { deviceId: string; status: "online" | "offline"; connected: boolean };
  /** A session ended; its streams close. */
  sessionEnded: { sessionId: string };
}

export interface Bus {
  publish<Topic extends keyof BusMessages>(topic: Topic, message: BusMessages[Topic]): void;
  subscribe<Topic extends keyof BusMessages>(topic: Topic, listener: (message: BusMessages[Topic]) => void): void;
  stop(): Promise<void>;
}

interface BusLog {
  warn(context: object, message: string): void;
}

/** For one server: messages stay inside the process. */
export function memoryBus(): Bus {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  return {
    publish: (topic, message) => void emitter.emit(topic, message),
    subscribe: (topic, listener) => void emitter.on(topic, listener),
    stop: async () => void emitter.removeAllListeners(),
  };
}

const channel = (topic: string) => `herdwise:${topic}`;

/**
 * For several servers on one database. Live events are conveniences on top of stored data: while Redis is away the server
 * goes on with its own events and reconnects by itself.
 */
export async function redisBus(url: string, log: BusLog): Promise<Bus> {
  const local = memoryBus();
  const origin = `${process.pid}-${Math.random().toString(36).slice(2)}`;
  const publisher = createClient({ url, disableOfflineQueue: true });
  const subscriber = publisher.duplicate();
  for (const client of [publisher, subscriber]) {
    client.on("error", (error: unknown) => log.warn({ err: error }, "redis is away"));
  }
  await Promise.all([publisher.connect(), subscriber.connect()]);
  const topics: (keyof BusMessages)[] = ["readings", "presence", "sessionEnded"];
  for (const topic of topics) {
    await subscriber.subscribe(channel(topic), (text) => {
      const { from, message } = JSON.parse(text) as { from: string; message: never };
      if (from !== origin) local.publish(topic, message);
    });
  }
  return {
    publish(topic, message) {
      local.publish(topic, message);
      publisher.publish(channel(topic), JSON.stringify({ from: origin, message })).catch((error: unknown) => {
        log.warn({ err: error }, "an event did not reach the other servers");
      });
    },
    subscribe: local.subscribe,
    async stop() {
      await local.stop();
      await Promise.allSettled([publisher.close(), subscriber.close()]);
    },
  };
}
