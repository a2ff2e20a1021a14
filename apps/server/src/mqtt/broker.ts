import { createServer, type Socket } from "node:net";
import { Aedes, type AuthenticateError, type Client } from "aedes";
import type { FastifyBaseLogger } from "fastify";
import type { DeviceIdentity } from "../modules/devices/index.ts";
import type { Uplink } from "../modules/telemetry/index.ts";
import { handleUp } from "./device-session.ts";
import { devicePrefix, maySubscribe } from "./device-topics.ts";

export interface BrokerNeeds {
  uplink: Uplink;
  log: FastifyBaseLogger;
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Take the next free port when the port is in use. */
  orNextFree: boolean;
}

export interface Broker {
  port: number;
  stop(): Promise<void>;
}

/** How many ports are tried after the wanted one. */
const portTries = 50;
const notAuthorized = 5;
const serverUnavailable = 3;

function refusal(returnCode: number, message: string): AuthenticateError {
  return Object.assign(new Error(message), { returnCode }) as AuthenticateError;
}

/**
 * The embedded MQTT 3.1.1 broker for devices. A message is acknowledged after it was stored: aedes sends PUBACK when
 * `authorizePublish` calls back, so that is where the commit is waited for, which also is the back-pressure.
 */
export async function startBroker({ uplink, log, host, port, orNextFree }: BrokerNeeds): Promise<Broker> {
  const devices = new WeakMap<Client, DeviceIdentity>();
  const broker = await Aedes.createBroker({
    connectTimeout: 10_000,
    drainTimeout: 30_000,
    authenticate(client, username, _password, done) {
      uplink
        .authenticate(username ?? "")
        .then((device) => {
          if (device === undefined) return done(refusal(notAuthorized, "unknown device token"), null);
          devices.set(client, device);
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
      const device = client && devices.get(client);
      if (!client || !device) return done(new Error("not authorized"));
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
      handleUp(uplink, device, packet.topic, payload, sendDown).then(
        () => {
          // All devices use the same topics, so what one sends up must never be routed to another that listens there.
          packet.topic = `stored/${device.id}`;
          packet.payload = Buffer.alloc(0);
          packet.retain = false;
          done(null);
        },
        // Not stored: the connection is closed without an acknowledgement and the device sends again.
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      );
    },
    authorizeSubscribe(_client, subscription, done) {
      done(null, maySubscribe(subscription.topic) ? subscription : null);
    },
  });

  broker.on("clientReady", (client) => {
    const device = devices.get(client);
    if (device) uplink.opened(device).catch((error: unknown) => log.warn({ err: error }, "a connection was not noted"));
  });
  broker.on("clientDisconnect", (client) => {
    const device = devices.get(client);
    if (device) uplink.closed(device).catch((error: unknown) => log.warn({ err: error }, "a connection was not noted"));
  });
  broker.on("clientError", (client, error) =>
    log.debug({ device: devices.get(client)?.serialNumber, err: error }, "mqtt client"),
  );
  broker.on("connectionError", (_client, error) => log.debug({ err: error }, "mqtt connection"));

  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.setNoDelay(true);
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
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroySoon();
      await new Promise<void>((resolve) => broker.close(() => resolve()));
    },
  };
}
