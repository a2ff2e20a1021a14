import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer as createTlsServer } from "node:tls";
import type { FastifyBaseLogger } from "fastify";
import type { Uplink } from "../modules/telemetry/index.ts";
import { addressBucket, addressMatcher, forwardedAddress } from "../providers/address.ts";
import { Connection, type ConnectionTimes, connectionTimes } from "./connection.ts";
import { Flow } from "./flow.ts";
import { readTlsFiles, type TlsFiles, watchTlsFiles } from "./tls-files.ts";
import { WebSockets } from "./websocket.ts";

export interface BrokerDependencies {
  uplink: Uplink;
  log: FastifyBaseLogger;
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Take the next free port when the port is in use. */
  orNextFree: boolean;
  /** A second port, on which TLS is spoken; 0 takes a free one. */
  tls?: (TlsFiles & { port: number }) | undefined;
  /** Addresses or networks of balancers: behind them stand many callers, who are not limited as one. */
  balancers?: readonly string[];
  /** Other times than usual. */
  times?: Partial<ConnectionTimes & { certificateLookMs: number }>;
}

export interface Broker {
  port: number;
  tlsPort: number | undefined;
  /** Takes a WebSocket over from the HTTP server, which has read its request; see `isDeviceUpgrade`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Bytes of messages that wait for their commit; see `flowLimits`. */
  heldBytes(): number;
  /** Reads nothing more, waits up to 2 s for what is under way and its acknowledgements, and closes the connections. */
  stop(): Promise<void>;
}

/** How many ports are tried after the wanted one. */
const portTries = 50;
/** Open connections of one address, and those of them that have not yet said who they are. A farm's devices share an address. */
const connectionsPerAddress = { all: 5000, unknown: 2000 };
/** A connection without a keep alive whose other end vanished is found by the system this long after its last word. */
const probeMs = 120_000;
/** The files of the certificate are looked at this often. */
const certificateLookMs = 30_000;
const stopLimitMs = 2000;
const flushLimitMs = 500;

/** One connection's place among those of its address. */
interface Place {
  /** The connection said who it is. */
  accept(): void;
  /** The connection is gone. */
  leave(): void;
}

/** Counts the connections of each address. */
function createPlaces(isBalancer: (address: string) => boolean) {
  const perAddress = new Map<string, { all: number; unknown: number }>();
  return (address: string): Place | undefined => {
    const bucket = addressBucket(address);
    const held = perAddress.get(bucket) ?? { all: 0, unknown: 0 };
    const isFull = held.all >= connectionsPerAddress.all || held.unknown >= connectionsPerAddress.unknown;
    if (isFull && !isBalancer(bucket)) return undefined;
    perAddress.set(bucket, held);
    held.all += 1;
    held.unknown += 1;
    let isUnknown = true;
    const accept = () => {
      if (isUnknown) held.unknown -= 1;
      isUnknown = false;
    };
    return {
      accept,
      leave() {
        accept();
        held.all -= 1;
        if (held.all === 0) perAddress.delete(bucket);
      },
    };
  };
}

const listen = (server: Server, port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });

const isTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "EADDRINUSE";

async function listenNear(server: Server, { port, host, orNextFree }: BrokerDependencies): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await listen(server, port === 0 ? 0 : port + tries, host);
    } catch (error) {
      if (!isTaken(error) || !orNextFree || tries >= portTries) throw error;
    }
  }
}

/**
 * The embedded MQTT endpoint for devices: 3.1, 3.1.1 and 5 over TCP, TLS and WebSocket. It routes nothing between devices. A
 * message is acknowledged after it was stored, and while it waits for that not much more is read: see `Flow`.
 */
export async function startBroker(dependencies: BrokerDependencies): Promise<Broker> {
  const { uplink, log, host, tls, balancers = [] } = dependencies;
  const times = { ...connectionTimes, certificateLookMs, ...dependencies.times };
  const flow = new Flow();
  const isBalancer = addressMatcher(balancers);
  const takePlace = createPlaces(isBalancer);
  const sessions = new Map<string, Connection>();
  const connections = new Map<Connection, Duplex>();
  const webSockets = new WebSockets();
  let isStopping = false;

  const open = (stream: Duplex, address: string, onAccepted: () => void) => {
    const bucket = addressBucket(address);
    // Behind a balancer nobody's unknown tokens are counted.
    const caller = isBalancer(bucket) ? undefined : bucket;
    const connection = new Connection(stream, { uplink, log, flow, sessions, caller, onAccepted, times });
    connections.set(connection, stream);
    stream.once("close", () => connections.delete(connection));
  };
  const prepare = (socket: Socket) => {
    socket.setNoDelay(true);
    socket.setKeepAlive(true, probeMs);
  };

  const server = createServer((socket) => {
    const address = socket.remoteAddress ?? "";
    const place = takePlace(address);
    if (place === undefined) {
      socket.destroy();
      return;
    }
    socket.once("close", place.leave);
    prepare(socket);
    open(socket, address, place.accept);
  });
  const port = await listenNear(server, dependencies);

  const openTls = async (wanted: TlsFiles & { port: number }) => {
    const keys = await readTlsFiles(wanted);
    const secured = { minVersion: "TLSv1.2" } as const;
    const tlsServer = createTlsServer({ ...secured, ...keys, handshakeTimeout: times.connectMs });
    // Handshakes cost, so a place is taken before them. The socket that they make has the same two ends.
    const places = new Map<string, Place>();
    const endsOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
    tlsServer.prependListener("connection", (socket: Socket) => {
      const place = takePlace(socket.remoteAddress ?? "");
      if (place === undefined) {
        socket.destroy();
        return;
      }
      const ends = endsOf(socket);
      places.set(ends, place);
      prepare(socket);
      socket.once("close", () => {
        places.delete(ends);
        place.leave();
      });
    });
    tlsServer.on("secureConnection", (socket) => {
      const place = places.get(endsOf(socket));
      if (place === undefined) socket.destroy();
      else open(socket, socket.remoteAddress ?? "", place.accept);
    });
    tlsServer.on("tlsClientError", (error, socket) => {
      log.debug({ err: error }, "mqtt tls");
      // Node does so itself, but not when the handshake took too long.
      socket.destroy();
    });
    const tlsPort = await listen(tlsServer, wanted.port, host).catch((error: unknown) => {
      if (isTaken(error)) throw new Error(`port ${wanted.port} is in use; choose another with MQTT_TLS_PORT`);
      throw error;
    });
    const stopWatching = watchTlsFiles(
      wanted,
      keys,
      times.certificateLookMs,
      (renewed) => {
        tlsServer.setSecureContext({ ...secured, ...renewed });
        log.info("the certificate of MQTT was renewed");
      },
      (error) => log.warn({ err: error }, "the certificate of MQTT could not be read again; the one before is kept"),
    );
    return { tlsServer, tlsPort, stopWatching };
  };
  const secure =
    tls === undefined
      ? undefined
      : await openTls(tls).catch((error: unknown) => {
          server.close();
          throw error;
        });

  return {
    port,
    tlsPort: secure?.tlsPort,
    upgrade(request, socket, head) {
      const direct = (socket as Socket).remoteAddress ?? "";
      const address = forwardedAddress(direct, request.headers["x-forwarded-for"], isBalancer);
      let place: Place | undefined;
      const isAdmitted = () => {
        place = isStopping ? undefined : takePlace(address);
        if (place === undefined) return false;
        socket.once("close", place.leave);
        prepare(socket as Socket);
        return true;
      };
      webSockets.upgrade(request, socket, head, isAdmitted, ({ stream, accept }) =>
        open(stream, address, () => {
          accept();
          place?.accept();
        }),
      );
    },
    heldBytes: () => flow.heldBytes,
    async stop() {
      // The HTTP server still takes connections then.
      isStopping = true;
      server.close();
      secure?.tlsServer.close();
      secure?.stopWatching();
      await flow.stop(stopLimitMs);
      const closed = Promise.all(
        [...connections.values()].map((stream) => once(stream, "close").catch(() => undefined)),
      );
      for (const connection of connections.keys()) connection.shutDown();
      const limit = AbortSignal.timeout(flushLimitMs);
      await Promise.race([closed, once(limit, "abort")]);
      for (const stream of connections.values()) stream.destroy();
    },
  };
}
