import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import mqtt, { type IPublishPacket, type MqttClient } from "mqtt";
import { keptText } from "../kept-file.ts";
import type { Uplink } from "../modules/telemetry/index.ts";
import { BrokerSessions } from "./broker-sessions.ts";
import type { SessionUplink } from "./session-line.ts";

export interface OutsideBrokerDependencies {
  /** `mqtt:` or `mqtts:`, with user name and password when the broker wants them. */
  url: string;
  uplink: SessionUplink & Pick<Uplink, "authenticate">;
  log: Pick<FastifyBaseLogger, "info" | "warn" | "debug">;
  /**
   * Names this server's sessions at the broker, which keep what arrives while the server restarts: the same at every start,
   * and another for each server.
   */
  clientId: string;
  /** Topics of devices are `<prefix>/<token>/v1/devices/me/...`. */
  prefix?: string;
  /**
   * Whether servers share the subscription, so that each message goes to one of them. For a broker that forgets shared
   * subscriptions when it restarts, and a server that is alone: an ordinary subscription, which every broker keeps.
   */
  shared?: boolean;
  /** Messages of a shared subscription that are handled at a time; each on a connection of its own. */
  connections?: number;
  /** A start does not wait longer for a broker that is down, in ms. */
  firstConnectMs?: number;
}

export interface OutsideBroker {
  /** Leaves what is not stored unacknowledged; the broker keeps it for the next start. */
  stop(): Promise<void>;
}

const outsidePrefix = "herdwise";
/** Where devices speak, below their token. */
const upFilters = ["v1/devices/me/#", "v1/gateway/#", "v2/fw/request/#"];
/** mqtt.js hands over the next message when the last one was acknowledged, so messages share commits across connections. */
const connectionCount = 16;
/** How long the broker keeps the messages of a server that is down, in seconds. */
const sessionExpiryS = 7 * 86_400;
/** Larger messages the broker throws away itself. */
const largestPacket = 1024 * 1024;
/** A broker that forgets shared subscriptions throws away what devices send until the first server is back. */
const reconnectMs = 250;
const firstRetryMs = 50;
const longestRetryMs = 2000;
const startLimitMs = 5000;
/**
 * Marks what servers send down. Up and down share topics (`attributes`, `rpc/request/...`), shared subscriptions can't leave
 * out what one sent oneself, and so it all comes back here. A device that sets it is not heard, which harms nobody else.
 */
const downMark = { "herdwise-down": "1" };
const isOwn = ({ properties }: IPublishPacket): boolean => properties?.userProperties?.["herdwise-down"] !== undefined;

/**
 * The id of this server's sessions, kept in the data folder: with another one after a restart, what the broker held for the
 * old one would be delivered to nobody.
 */
export const loadClientId = (dataDir: string): Promise<string> =>
  keptText(join(dataDir, "mqtt-client-id"), () => `herdwise-${randomUUID()}`);

/** Takes `<prefix>/<token>/<rest>` apart. A token has no slash, as it is one level of the topic. */
function addressOf(prefix: string, topic: string): { token: string; deviceTopic: string } | undefined {
  if (!topic.startsWith(`${prefix}/`)) return undefined;
  const end = topic.indexOf("/", prefix.length + 1);
  return end < 0 ? undefined : { token: topic.slice(prefix.length + 1, end), deviceTopic: topic.slice(end + 1) };
}

/**
 * Serves devices that are connected to a broker of the customer. Servers share the subscription, so each message goes to one
 * of them, or a single server has an ordinary one, a connection a filter. A message is acknowledged to the broker after the commit: mqtt.js sends PUBACK when `handleMessage` calls back, and reads
 * on only then. While the database is away nothing is acknowledged, and the broker keeps what arrives.
 *
 * Whose message it is, only the broker can tell: it must let a device use the level of its own user name and no other
 * (docs/operations/mqtt-brokers.md). Connections are not seen from here, so devices show as reporting, never as connected.
 * Resolves when the first connection stands, or after 5 s when the broker does not answer; it is tried again for ever.
 */
export async function connectOutsideBroker(dependencies: OutsideBrokerDependencies): Promise<OutsideBroker> {
  const { url, uplink, log, clientId, prefix = outsidePrefix, connections = connectionCount } = dependencies;
  const { firstConnectMs = startLimitMs, shared = true } = dependencies;
  const ordinary = upFilters.map((filter) => `${prefix}/+/${filter}`);
  const filters = shared ? ordinary.map((filter) => `$share/herdwise/${filter}`) : ordinary;
  /** What each connection subscribes to. Two with the same ordinary filter would both get each message. */
  const lines = shared
    ? Array.from({ length: connections }, (_, at) => ({ id: `${clientId}-${at}`, takes: filters }))
    : filters.map((filter, at) => ({ id: `${clientId}-alone-${at}`, takes: [filter] }));
  const sessions = new BrokerSessions(uplink, (token, topic, payload, onDelivered) => {
    // An answer to a device that can't be sent now is of no use later, and a command is tried again.
    const client = clients.find(({ connected }) => connected);
    client?.publish(
      `${prefix}/${token}/${topic}`,
      payload,
      { qos: 1, properties: { userProperties: downMark } },
      (error) => {
        if (!error) onDelivered();
      },
    );
    return client !== undefined;
  });
  const stopping = new AbortController();
  const clients: MqttClient[] = [];

  const handle = async (packet: IPublishPacket): Promise<void> => {
    const address = addressOf(prefix, packet.topic);
    if (address === undefined || isOwn(packet)) return;
    const { token, deviceTopic } = address;
    const device = await uplink.authenticate(token, undefined);
    if (device === undefined) {
      log.debug({ topic: deviceTopic }, "a message under an unknown device token was dropped");
      return;
    }
    const payload = Buffer.isBuffer(packet.payload) ? packet.payload : Buffer.from(packet.payload);
    await sessions.of(device, token).handle(deviceTopic, payload);
  };

  /** Tries until it succeeds, so that the order of messages stays and nothing is acknowledged too early. */
  const handleUntilDone = async (packet: IPublishPacket): Promise<void> => {
    for (let waitMs = firstRetryMs; ; waitMs = Math.min(waitMs * 2, longestRetryMs)) {
      try {
        await handle(packet);
        return;
      } catch (error) {
        if (stopping.signal.aborted) throw error;
        log.warn({ err: error }, "a message of the outside broker is tried again");
        await pause(waitMs, undefined, { signal: stopping.signal });
      }
    }
  };

  const open = ({ id, takes }: (typeof lines)[number]): Promise<void> => {
    const client = mqtt.connect(url, {
      protocolVersion: 5,
      clientId: id,
      clean: false,
      properties: { sessionExpiryInterval: sessionExpiryS, maximumPacketSize: largestPacket },
      reconnectPeriod: reconnectMs,
      // An answer to a device that can't be sent now is of no use later.
      queueQoSZero: false,
      // What a kept session delivers at once must find handleMessage in place.
      manualConnect: true,
    });
    clients.push(client);
    // Documented for being replaced; QoS 1 is acknowledged when `done` is called without an error.
    client.handleMessage = (packet, done) => {
      handleUntilDone(packet).then(
        () => done(),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      );
    };
    client.on("error", (error) => log.warn({ err: error }, "outside broker"));
    client.on("offline", () => log.warn({ connection: id }, "the outside broker is away"));
    return new Promise<void>((resolve) => {
      client.on("connect", () => {
        client
          .subscribeAsync(takes, { qos: 1 })
          .then(() => resolve())
          .catch((error: unknown) =>
            log.warn({ err: error, filters: takes }, "the outside broker refuses the subscription"),
          );
      });
      client.connect();
    });
  };

  const opened = Promise.all(lines.map(open)).then(() => true);
  const inTime = await Promise.race([opened, pause(firstConnectMs, false, { ref: false })]);
  if (inTime) log.info({ filters, connections: lines.length }, "subscribed at the outside broker");
  else log.warn({ filters }, "the outside broker does not answer yet");

  return {
    async stop() {
      stopping.abort();
      sessions.close();
      // Without a farewell for what is under way: it stays in the session.
      await Promise.all(clients.map((client) => client.endAsync(true).catch(() => undefined)));
    },
  };
}
