import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { createWebSocketStream, type WebSocket, WebSocketServer } from "ws";
import { packetLimits } from "./packet-reader.ts";

/** Where devices open a WebSocket on the HTTP port. */
const webSocketPath = "/mqtt";

/** Names of the subprotocol: that of the standard, and the one of MQTT 3.1. */
const subprotocols = ["mqtt", "mqttv3.1"];

/**
 * A message of WebSocket is collected whole before anybody sees it. It may hold the largest packet that is answered; until the
 * device is known one CONNECT; and what all connections collect of large ones has a bound. Bytes.
 */
const webSocketLimits = {
  message: packetLimits.swallowed + 16,
  beforeAccept: packetLimits.control + 16,
  collected: 64 * 1024 * 1024,
} as const;

/** Close codes of WebSocket (RFC 6455, 7.4.1; 1013 by the registry of IANA). */
const closeCode = { unsupportedData: 1003, tooBig: 1009, tryAgainLater: 1013 } as const;

/** What carries a connection, and how it says on its own level why it ends. */
export interface OpenedSocket {
  stream: Duplex;
  /** The device is known: messages may be as large as packets. */
  accept(): void;
}

/** Whether a request asks for a WebSocket of a device, whatever else may be wrong with it. */
export const isDeviceUpgrade = ({ url = "", headers }: IncomingMessage): boolean =>
  url.split("?", 1)[0] === webSocketPath && headers.upgrade?.toLowerCase() === "websocket";

const refuseUpgrade = (socket: Duplex, status: string): void => {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  socket.once("finish", () => socket.destroy());
};

/**
 * Takes WebSockets of devices (6 of MQTT 3.1.1 and 5): binary messages only, in which packets may begin and end anywhere. Any
 * page may open one, as no cookie says who a device is.
 */
export class WebSockets {
  private readonly server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: webSocketLimits.message,
    handleProtocols: (offered) => subprotocols.find((name) => offered.has(name)) ?? false,
  });
  private collected = 0;

  upgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    isAdmitted: () => boolean,
    onOpened: (opened: OpenedSocket) => void,
  ): void {
    socket.on("error", () => undefined);
    const offered = (request.headers["sec-websocket-protocol"] ?? "").split(",").map((name) => name.trim());
    if (!subprotocols.some((name) => offered.includes(name))) {
      refuseUpgrade(socket, "400 Bad Request");
      return;
    }
    if (!isAdmitted()) {
      refuseUpgrade(socket, "503 Service Unavailable");
      return;
    }
    this.server.handleUpgrade(request, socket, head, (webSocket) => onOpened(this.open(webSocket, socket)));
  }

  private open(webSocket: WebSocket, socket: Duplex): OpenedSocket {
    let limit: number = webSocketLimits.beforeAccept;
    let collected = 0;
    const collect = (bytes: number) => {
      this.collected += bytes - collected;
      collected = bytes;
    };
    // Before those of the stream, which would take texts for bytes.
    webSocket.on("message", (_data, isBinary) => {
      collect(0);
      if (isBinary) return;
      webSocket.close(closeCode.unsupportedData, "binary messages only");
      stream.destroy();
    });
    socket.prependListener("data", (chunk: Buffer) => {
      collect(collected + chunk.length);
      const isTooMuch = collected > packetLimits.publish && this.collected > webSocketLimits.collected;
      if (collected <= limit && !isTooMuch) return;
      webSocket.close(isTooMuch ? closeCode.tryAgainLater : closeCode.tooBig);
      stream.destroy();
      // At once, or others would have to go for what is no longer there.
      collect(0);
    });
    webSocket.once("close", () => collect(0));
    const stream = createWebSocketStream(webSocket);
    return {
      stream,
      accept: () => {
        limit = Number.POSITIVE_INFINITY;
      },
    };
  }
}
