import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { Aedes, type AuthenticateError, type Client } from "aedes";
import type { FastifyBaseLogger } from "fastify";
import type { KnownDevice } from "../modules/devices/index.ts";
import type { Uplink } from "../modules/telemetry/index.ts";
import { addressBucket, addressMatcher } from "../providers/address.ts";
import { handleUp } from "./device-session.ts";
import { devicePrefix, maySubscribe } from "./device-topics.ts";
import { Flow, PacketGuard, swallowedTopic } from "./packet-guard.ts";

export interface BrokerDependencies {
  uplink: Uplink;
  log: FastifyBaseLogger;
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Take the next free port when the port is in use. */
  orNextFree: boolean;
  /** Addresses or networks of balancers: behind them stand many callers, who are not limited as one. */
  balancers?: readonly string[];
}

export interface Broker {
  port: number;
  /** Bytes of messages that wait for their commit; see `flowLimits`. */
  heldBytes(): number;
  /** Reads nothing more, waits up to 2 s for what is under way and its acknowledgements, and closes the connections. */
  stop(): Promise<void>;
}

/** A connection whose device is known. */
interface Line {
  device: KnownDevice;
  guard: PacketGuard;
}

/** How many ports are tried after the wanted one. */
const portTries = 50;
const notAuthorized = 5;
const serverUnavailable = 3;
/** A client that does not take what is sent to it is disconnected after this time. */
const drainMs = 30_000;
/** Open connections of one address, and those of them that have not yet said who they are. A farm's devices share an address. */
const connectionsPerAddress = { all: 5000, unknown: 2000 };
/** Subscriptions of one connection; the protocol needs five. */
const subscriptionsPerClient = 50;
const stopLimitMs = 2000;
const flushLimitMs = 500;
/** Marks a message that was handled: nothing is left for the broker to do with it. */
const handledTopic = "$handled";

function refusal(returnCode: number, message: string): AuthenticateError {
  return Object.assign(new Error(message), { returnCode }) as AuthenticateError;
}

const handled = (
  done: (error?: Error | null) => void,
  packet: { topic: string; payload: unknown; retain: boolean },
) => {
  // All devices use the same topics, so what one sends up must never be routed to another that listens there.
  packet.topic = handledTopic;
  packet.payload = Buffer.alloc(0);
  packet.retain = false;
  done(null);
};

/**
 * The embedded MQTT 3.1.1 broker for devices. A message is acknowledged after it was stored: aedes sends PUBACK when
 * `authorizePublish` calls back, so that is where the commit is waited for, which also is the back-pressure.
 */
export async function startBroker({
  uplink,
  log,
  host,
  port,
  orNextFree,
  balancers = [],
}: BrokerDependencies): Promise<Broker> {
  const flow = new Flow();
  const isBalancer = addressMatcher(balancers);
  /** Whose unknown tokens are counted; behind a balancer nobody's. */
  const callerOf = ({ conn }: Client): string | undefined => {
    const address = addressBucket((conn as Socket).remoteAddress ?? "");
    return isBalancer(address) ? undefined : address;
  };
  const guards = new WeakMap<object, PacketGuard>();
  const lines = new WeakMap<Client, Line>();
  /** What is called once a connection's device is known. */
  const acceptances = new WeakMap<object, () => void>();
  const broker = await Aedes.createBroker({
    drainTimeout: drainMs,
    preConnect(_client, packet, done) {
      // A will would be telemetry of a device that is gone, and make it look alive. The device protocol knows none.
      delete packet.will;
      done(null, true);
    },
    authenticate(client, username, _password, done) {
      uplink
        .authenticate(username ?? "", callerOf(client))
        .then((device) => {
          const guard = guards.get(client.conn);
          if (device === undefined || guard === undefined)
            return done(refusal(notAuthorized, "unknown device token"), null);
          lines.set(client, { device, guard });
          guard.accept();
          acceptances.get(client.conn)?.();
          // Ids are the device's own choice: with its key in front nobody can push another device off the broker. Sessions
          // are not kept either, as commands wait in a table and not in the broker.
          Object.assign(client, { id: `${device.id}/${client.id}`, clean: true });
          done(null, true);
        })
        .catch((error: unknown) => {
          log.warn({ err: error }, "a device could not be looked up");
          done(refusal(serverUnavailable, "try again later"), null);
        });
    },
    authorizePublish(client, packet, done) {
      const line = client && lines.get(client);
      if (!client || !line) return done(new Error("not authorized"));
      const { device, guard } = line;
      if (packet.topic === swallowedTopic) {
        uplink.drop(device, "too_large");
        return handled(done, packet);
      }
      const payload = Buffer.isBuffer(packet.payload) ? packet.payload : Buffer.from(packet.payload);
      const sendDown = (rest: string, answer: unknown) =>
        client.publish(
          {
            cmd: "publish",
            topic: devicePrefix + rest,
            payload: Buffer.from(JSON.stringify(answer)),
            qos: 1,
            retain: false,
            dup: false,
          },
          () => undefined,
        );
      guard.begin(payload.length);
      handleUp(uplink, device, packet.topic, payload, sendDown).then(
        () => {
          handled(done, packet);
          guard.finish(payload.length);
        },
        // Not stored: the connection is closed without an acknowledgement and the device sends again.
        (error: unknown) => {
          done(error instanceof Error ? error : new Error(String(error)));
          guard.finish(payload.length);
        },
      );
    },
    authorizeSubscribe(client, subscription, done) {
      const held = (client as unknown as { subscriptions: object } | null)?.subscriptions ?? {};
      const allowed = maySubscribe(subscription.topic) && Object.keys(held).length < subscriptionsPerClient;
      done(null, allowed ? subscription : null);
    },
  });

  const publish = broker.publish.bind(broker) as (
    packet: { topic: string },
    client: unknown,
    done?: (error?: Error) => void,
  ) => void;
  Object.assign(broker, {
    // Without this each stored message goes through the broker's routing, only to reach nobody.
    publish(packet: { topic: string }, client: unknown, done?: (error?: Error) => void) {
      if (packet.topic === handledTopic) done?.();
      else publish(packet, client, done);
    },
  });

  // aedes tells of the end of a connection only in part (not after a take-over whose predecessor was closing), so the socket
  // is asked: each connection that was opened is closed once.
  broker.on("clientReady", (client) => {
    const line = lines.get(client);
    if (line === undefined || client.conn.destroyed) return;
    const connection = { close: () => client.conn.destroy() };
    client.conn.once("close", () => uplink.closed(line.device, connection));
    uplink.opened(line.device, connection);
  });
  broker.on("clientError", (client, error) =>
    log.debug({ device: lines.get(client)?.device.serialNumber, err: error }, "mqtt client"),
  );
  broker.on("connectionError", (_client, error) => log.debug({ err: error }, "mqtt connection"));

  const sockets = new Set<Socket>();
  const perAddress = new Map<string, { all: number; unknown: number }>();
  const server = createServer((socket) => {
    const bucket = addressBucket(socket.remoteAddress ?? "");
    const held = perAddress.get(bucket) ?? { all: 0, unknown: 0 };
    const isLimited = !isBalancer(bucket);
    if (isLimited && (held.all >= connectionsPerAddress.all || held.unknown >= connectionsPerAddress.unknown)) {
      socket.destroy();
      return;
    }
    perAddress.set(bucket, held);
    held.all += 1;
    held.unknown += 1;
    let accepted = false;
    acceptances.set(socket, () => {
      if (!accepted) held.unknown -= 1;
      accepted = true;
    });
    sockets.add(socket);
    socket.on("close", () => {
      sockets.delete(socket);
      acceptances.get(socket)?.();
      held.all -= 1;
      if (held.all === 0) perAddress.delete(bucket);
    });
    socket.setNoDelay(true);
    guards.set(socket, new PacketGuard(socket, flow));
    broker.handle(socket);
  });

  const listen = (at: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(at, host, () => {
        server.off("error", reject);
        resolve();
      });
    });
  for (let tries = 0; ; tries += 1) {
    try {
      await listen(port === 0 ? 0 : port + tries);
      break;
    } catch (error) {
      const taken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
      if (!taken || !orNextFree || tries >= portTries) throw error;
    }
  }
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    heldBytes: () => flow.heldBytes,
    async stop() {
      server.close();
      await flow.stop(stopLimitMs);
      // aedes destroys sockets at once; acknowledgements that are still on their way out leave first.
      const open = [...sockets];
      const closed = Promise.all(open.map((socket) => once(socket, "close").catch(() => undefined)));
      for (const socket of open) socket.destroySoon();
      const limit = AbortSignal.timeout(flushLimitMs);
      await Promise.race([closed, once(limit, "abort")]);
      await new Promise<void>((resolve) => broker.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
    },
  };
}
