import type { DropReason } from "../modules/telemetry/index.ts";

/** Reason codes of MQTT 5 that the server uses (2.4 of the standard). */
export const reasonCode = {
  success: 0x00,
  noSubscriptionExisted: 0x11,
  malformedPacket: 0x81,
  protocolError: 0x82,
  implementationError: 0x83,
  unsupportedVersion: 0x84,
  clientIdNotValid: 0x85,
  badUserNameOrPassword: 0x86,
  notAuthorized: 0x87,
  serverUnavailable: 0x88,
  serverBusy: 0x89,
  serverShuttingDown: 0x8b,
  badAuthenticationMethod: 0x8c,
  keepAliveTimeout: 0x8d,
  sessionTakenOver: 0x8e,
  topicFilterInvalid: 0x8f,
  topicNameInvalid: 0x90,
  packetIdNotFound: 0x92,
  receiveMaximumExceeded: 0x93,
  topicAliasInvalid: 0x94,
  packetTooLarge: 0x95,
  quotaExceeded: 0x97,
  administrativeAction: 0x98,
  payloadFormatInvalid: 0x99,
  retainNotSupported: 0x9a,
  sharedSubscriptionsNotSupported: 0x9e,
  subscriptionIdsNotSupported: 0xa1,
} as const;

/** Return codes of CONNACK in MQTT 3.1 and 3.1.1, by the reason code of MQTT 5; where there is none, the connection is closed. */
export const returnCodes: ReadonlyMap<number, number> = new Map([
  [reasonCode.success, 0],
  [reasonCode.unsupportedVersion, 1],
  [reasonCode.clientIdNotValid, 2],
  [reasonCode.serverUnavailable, 3],
  [reasonCode.badUserNameOrPassword, 5],
]);

/** The code of a PUBACK or PUBREC for a message that was dropped; what is not named here is wrong in its payload. */
const dropCodes: Partial<Record<DropReason, number>> = {
  unknown_topic: reasonCode.topicNameInvalid,
  too_fast: reasonCode.quotaExceeded,
};

/** How MQTT 5 names why a message was dropped. */
export const codeOfDrop = (dropped: DropReason | undefined): number =>
  dropped === undefined ? reasonCode.success : (dropCodes[dropped] ?? reasonCode.payloadFormatInvalid);

/** What a client sent breaks the standard: the connection ends with this code. */
export class PacketFault extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.name = "PacketFault";
    this.code = code;
  }
}

export const malformed = (message: string): PacketFault => new PacketFault(reasonCode.malformedPacket, message);
export const protocolError = (message: string): PacketFault => new PacketFault(reasonCode.protocolError, message);
