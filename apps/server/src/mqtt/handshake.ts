import type { IConnackPacket } from "mqtt-packet";
import type { ConnectPacket } from "./packet-decoder.ts";
import { packetLimits } from "./packet-reader.ts";
import { PacketFault, reasonCode } from "./reason-codes.ts";
import { sessionLimits } from "./session-limits.ts";

/** What MQTT 5 clients are told of the size of packets, which counts the header with its three bytes of length. */
const largestFromClient = packetLimits.publish + 4;

/** What a client and the server agree on when it connects. */
export interface Agreement {
  /** The client wants its session kept for so long, in seconds; it is told that nothing is kept. */
  sessionExpiryS: number;
  /** Messages to the client that it takes unacknowledged. */
  downLimit: number;
  /** Bytes of a packet that it takes. */
  largest: number;
  /** It wants to be told why something was refused. */
  wantsProblems: boolean;
  /** Keep alive that takes the place of what an MQTT 5 client asks for, in seconds. */
  serverKeepAliveS: number | undefined;
  /** The connection ends after so long a silence, in ms; 0 for never. */
  silenceMs: number;
}

/**
 * What holds for a client by what it says of itself.
 * @param longestKeepAliveS of an MQTT 5 client, in seconds
 * @throws {PacketFault} where it asks for what the server can't do
 */
export function agreementWith(packet: ConnectPacket, longestKeepAliveS: number): Agreement {
  const { version, clientId, clean, properties, willRetain, keepAliveS } = packet;
  if (properties.authenticationMethod !== undefined)
    throw new PacketFault(reasonCode.badAuthenticationMethod, "no authentication method is known");
  // MQTT 3.1 knows no empty id, and 3.1.1 only for sessions that are not kept.
  const needsId = version === 3 || (version === 4 && !clean);
  if ((needsId && clientId === "") || Buffer.byteLength(clientId) > sessionLimits.clientId)
    throw new PacketFault(reasonCode.clientIdNotValid, "the client id is empty or too long");
  if (version === 5 && willRetain) throw new PacketFault(reasonCode.retainNotSupported, "the will is retained");
  const isTooLong = version === 5 && (keepAliveS === 0 || keepAliveS > longestKeepAliveS);
  const serverKeepAliveS = isTooLong ? longestKeepAliveS : undefined;
  return {
    sessionExpiryS: properties.sessionExpiry ?? 0,
    downLimit: Math.min(properties.receiveMaximum ?? sessionLimits.downUnderWay, sessionLimits.downUnderWay),
    largest: properties.maximumPacketSize ?? Number.POSITIVE_INFINITY,
    wantsProblems: properties.problemInformation !== 0,
    serverKeepAliveS,
    silenceMs: (serverKeepAliveS ?? keepAliveS) * 1500,
  };
}

/**
 * The CONNACK of a client that is welcome.
 * @param clientId that it goes by from now on
 */
export function welcome(packet: ConnectPacket, agreed: Agreement, clientId: string): IConnackPacket {
  if (packet.version !== 5) return { cmd: "connack", sessionPresent: false, returnCode: 0 };
  return {
    cmd: "connack",
    sessionPresent: false,
    reasonCode: reasonCode.success,
    properties: {
      ...(agreed.sessionExpiryS > 0 && { sessionExpiryInterval: 0 }),
      receiveMaximum: sessionLimits.receiveMaximum,
      maximumPacketSize: largestFromClient,
      topicAliasMaximum: sessionLimits.topicAliasMaximum,
      retainAvailable: false,
      wildcardSubscriptionAvailable: true,
      subscriptionIdentifiersAvailable: false,
      sharedSubscriptionAvailable: false,
      ...(packet.clientId === "" && { assignedClientIdentifier: clientId }),
      ...(agreed.serverKeepAliveS !== undefined && { serverKeepAlive: agreed.serverKeepAliveS }),
    },
  };
}
