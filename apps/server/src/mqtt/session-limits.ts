/** What MQTT 5 clients are told, and what holds for everybody where it can. */
export const sessionLimits = {
  /** Messages of QoS 1 and 2 that a client may have unacknowledged. */
  receiveMaximum: 1000,
  topicAliasMaximum: 16,
  /** Messages of QoS 2 that an MQTT 3 client, which knows no such limit, may leave unreleased. */
  unreleased: 4096,
  /** Bytes of a client id. */
  clientId: 256,
  /** Subscriptions of one connection; the protocol needs five. */
  subscriptions: 50,
  /** Messages to a client that it has not acknowledged, whatever it offers to take. */
  downUnderWay: 100,
  /** Messages to a client that wait for one of those. */
  downWaiting: 500,
} as const;
