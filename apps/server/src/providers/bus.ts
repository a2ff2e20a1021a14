import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import type { CommandState } from "@herdwise/contract";
import type { RedisLog } from "./redis.ts";

/** What servers tell each other. Each message goes to every server, the sender too. */
export interface BusMessages {
  /** Readings that were committed. */
  readings: { deviceId: string; readings: Record<string, { value: unknown; ts: number }> }[];
  /** A device began or stopped reporting, or opened or closed its connection. */
  presence: { deviceId: string; status: "online" | "offline"; connected: boolean };
  /** A session ended; its streams close. */
  sessionEnded: { sessionId: string };
  /** A device was removed or moved, or its access token was replaced; its connections close. */
  deviceChanged: { deviceId: string };
  /** Something waits for a device, and the server that holds its connection looks: a command, or settings that changed. */
  deviceWaiting: { deviceId: string; for: "rpc" | "attributes" };
  /** A command of a device came to another state. */
  commandChanged: { deviceId: string; commandId: string; state: CommandState };
  /** Settings of a device were changed, sent, reported or withdrawn. */
  parametersChanged: { deviceId: string };
  /** Jobs were put into the queue; servers that have nothing to do look at once. */
  jobsWaiting: Record<string, never>;
  /** A job was cancelled; the server that runs it ends it. */
  jobCancelled: { queueId: string };
  /** A job that a person asked for began, got on, or ended. */
  jobChanged: { accountId: string; id: string };
  /** Alarms of a tenant began, changed or ended. */
  alarmsChanged: { tenantId: string; ids: string[] };
  /** A person ended an alarm: its evaluation begins anew. */
  alarmEnded: { deviceId: string; ruleId: string };
  /** A server evaluates the rules of a device from now on; the others forget it. */
  alarmDevice: { deviceId: string; serverId: string };
  /** Thresholds or masking windows of a tenant changed. */
  alarmRulesChanged: { tenantId: string };
  /** A lot was bid for, or a bid was struck. */
  lotChanged: { lot: string };
  /** What visitors read changed; rendered pages are forgotten. */
  contentChanged: Record<string, never>;
  /** Settings of the installation changed; every server reads them again. */
  settingsChanged: Record<string, never>;
}

export interface Bus {
  publish<Topic extends keyof BusMessages>(topic: Topic, message: BusMessages[Topic]): void;
  subscribe<Topic extends keyof BusMessages>(topic: Topic, listener: (message: BusMessages[Topic]) => void): void;
  /** Tells when something that another server said may not have been heard here. */
  onGap(listener: () => void): void;
  /** Lets what was published leave, for a second at most. */
  stop(): Promise<void>;
}

/** For one server: messages stay inside the process. */
export function memoryBus(): Bus {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  return {
    publish: (topic, message) => void emitter.emit(topic, message),
    subscribe: (topic, listener) => void emitter.on(topic, listener),
    // Nobody else speaks here.
    onGap: () => undefined,
    stop: async () => void emitter.removeAllListeners(),
  };
}

const topics: readonly (keyof BusMessages)[] = [
  "readings",
  "presence",
  "sessionEnded",
  "deviceChanged",
  "deviceWaiting",
  "commandChanged",
  "parametersChanged",
  "jobsWaiting",
  "jobCancelled",
  "jobChanged",
  "alarmsChanged",
  "alarmEnded",
  "alarmDevice",
  "alarmRulesChanged",
  "lotChanged",
  "contentChanged",
];
/** Channel on which a server tells that the others missed something. */
const gap = "gap";
const stopLimitMs = 1000;
/** Events on their way to Redis, in characters; beyond it they are left out, as a slow Redis must not fill the memory. */
const underWayLimit = 8 * 1024 * 1024;

/** Channels reach across the databases of a Redis, so each database gets its own. */
const databaseOf = (url: string): number => Number(new URL(url).pathname.slice(1));

/**
 * For several servers on one database. Live events are conveniences on top of stored data: while Redis is away, slow, or not
 * there yet, the server goes on with its own events and reconnects by itself; nothing is sent later, and `onGap` tells that something was missed.
 * @param prefix of the channels, for tests beside a running installation
 */
export async function redisBus(url: string, log: RedisLog, prefix = `herdwise:${databaseOf(url)}`): Promise<Bus> {
  // The driver has 600 files, which a server without Redis need not load.
  const { createWarner, redisLine, waitForFirst } = await import("./redis.ts");
  const local = memoryBus();
  const origin = randomUUID();
  const channel = (topic: string) => `${prefix}:${topic}`;
  const warn = createWarner(log);
  const speaking = redisLine(url, warn);
  const listening = redisLine(url, warn, { listens: true });
  const publisher = speaking.client;

  const gapListeners: (() => void)[] = [];
  const tellOfGap = () => {
    for (const listener of gapListeners) listener();
  };
  const receive = (topic: keyof BusMessages, text: string): void => {
    try {
      const { from, message } = JSON.parse(text) as { from: string; message: never };
      if (from !== origin) local.publish(topic, message);
    } catch (error) {
      warn(error, "an event of another server could not be read");
    }
  };
  const opened = Promise.all([
    speaking.open(),
    listening.open(),
    ...topics.map((topic) => listening.client.subscribe(channel(topic), (text) => receive(topic, text))),
    listening.client.subscribe(channel(gap), (from) => {
      if (from !== origin) tellOfGap();
    }),
  ]).catch((error: unknown) => warn(error, "Redis can't be used"));
  await waitForFirst(opened);
  // Its subscriptions are made again before it is ready.
  listening.client.on("ready", tellOfGap);

  let underWay = 0;
  let whenNothingIsUnderWay: () => void = () => undefined;
  /** Something that this server said did not leave it. */
  let unsaid = false;
  const confess = () => {
    if (!unsaid || !publisher.isReady) return;
    unsaid = false;
    publisher.publish(channel(gap), origin).catch(() => {
      unsaid = true;
    });
  };
  publisher.on("ready", confess);
  return {
    publish(topic, message) {
      local.publish(topic, message);
      if (!publisher.isReady || underWay > underWayLimit) {
        unsaid = true;
        return;
      }
      const text = JSON.stringify({ from: origin, message });
      underWay += text.length;
      publisher
        .publish(channel(topic), text)
        .catch((error: unknown) => {
          unsaid = true;
          warn(error, "an event did not reach the other servers");
        })
        .finally(() => {
          underWay -= text.length;
          if (underWay > 0) return;
          whenNothingIsUnderWay();
          confess();
        });
    },
    subscribe: local.subscribe,
    onGap: (listener) => void gapListeners.push(listener),
    async stop() {
      await local.stop();
      if (underWay > 0) {
        await new Promise<void>((resolve) => {
          const limit = setTimeout(resolve, stopLimitMs);
          whenNothingIsUnderWay = () => {
            clearTimeout(limit);
            resolve();
          };
        });
      }
      for (const line of [speaking, listening]) line.close();
    },
  };
}
