import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const folder = "apps/server/src/mqtt";
const wire: Tests = { files: [`${folder}/conformance.test.ts`] };
const flow: Tests = { files: [`${folder}/flow.test.ts`] };
const transports: Tests = { files: [`${folder}/transports.test.ts`] };

export const mqttMutants: Mutant[] = [
  ...faultsIn(`${folder}/packet-decoder.ts`, wire, [
    ["mqtt: broken UTF-8 is a text", 'if (!isUtf8(bytes)) throw malformed("a text that is no UTF-8");\n', ""],
    ["mqtt: NUL is a text", 'if (bytes.includes(0)) throw malformed("a text with NUL");\n', ""],
    ["mqtt: packet id 0 is one", 'if (id === 0) throw protocolError("packet id 0");\n', ""],
    ["mqtt: a will of QoS 3", 'if (willQos === 3) throw malformed("a will of QoS 3");\n', ""],
    ["mqtt: bytes behind the last field", "if (!this.isAtEnd) throw malformed", "if (this.at < 0) throw malformed"],
    ["mqtt: properties stand twice", "if (seen.has(id) && !rule.many)", "if (seen.has(-1))"],
    ["mqtt: properties stand anywhere", "if (!rule.places.includes(place))", "if (rule.places.length === 0)"],
    ["mqtt: wildcards are published to", '!topic.includes("+") && !topic.includes("#")', "topic.length > 0"],
    [
      "mqtt: UNSUBSCRIBE without a filter",
      'if (fields.isAtEnd) throw protocolError("UNSUBSCRIBE without a filter");\n',
      "",
    ],
  ]),
  ...faultsIn(`${folder}/packet-reader.ts`, wire, [
    ["mqtt: packets of any size", "if (length <= limit) return;", "if (length >= 0) return;"],
    [
      "mqtt: any packet is the first",
      "if (this.isFirst && type !== packetType.connect)",
      "if (this.isFirst && type > 15)",
    ],
  ]),
  ...faultsIn(`${folder}/acknowledgements.ts`, wire, [
    [
      "mqtt: acknowledged out of order",
      "if (owed?.code === undefined) break;",
      "if (owed === undefined) break;\n      owed.code ??= 0;",
    ],
    ["mqtt: any number of messages under way", "underWay >= sessionLimits.receiveMaximum", "underWay >= 1_000_000"],
  ]),
  ...faultsIn(`${folder}/down-messages.ts`, wire, [
    ["mqtt: any filter", "if (!maySubscribe(filter, by)) return reasonCode.notAuthorized;\n", ""],
    [
      "mqtt: any number of subscriptions",
      "return isFull ? reasonCode.quotaExceeded : undefined;",
      "return isFull ? undefined : undefined;",
    ],
    [
      "mqtt: answers to everybody",
      "if (granted.length === 0) return false;",
      "if (granted.length === 0) granted.push(0);",
    ],
    [
      "mqtt: more than the client takes",
      "while (this.underWay.size < this.limit)",
      "while (this.underWay.size < 1000)",
    ],
    [
      "mqtt: messages without end wait for a client",
      "if (this.waiting.length >= sessionLimits.downWaiting)",
      "if (this.waiting.length < 0)",
    ],
  ]),
  ...faultsIn(`${folder}/packet-writer.ts`, wire, [
    ["mqtt: larger than the client takes", "if (bytes.length <= this.largest)", "if (bytes.length > 0)"],
    [
      "mqtt: slow readers stay",
      "this.drainTimer ??= setTimeout(() => this.stream.destroy()",
      "this.drainTimer ??= setTimeout(() => undefined",
    ],
  ]),
  ...faultsIn(`${folder}/connection.ts`, wire, [
    [
      "mqtt: QoS 2 is taken twice",
      "const isKnown = qos === 2 && acknowledgements.isKnown(id);",
      "const isKnown = id < 0;",
    ],
    ["mqtt: any topic alias", "topicAlias === 0 || topicAlias > sessionLimits.topicAliasMaximum", "topicAlias < 0"],
    ["mqtt: two connections of one client id", "sessions.get(key)?.end(", "sessions.get(`${key} `)?.end("],
    ["mqtt: silence is no end", "if (left <= 0) this.end(", "if (left <= -1e9) this.end("],
    [
      "mqtt: messages under way are not counted",
      "this.underWay >= flowLimits.connection) return false;",
      "this.underWay < 0) return false;",
      flow,
    ],
  ]),
  ...faultsIn(`${folder}/websocket.ts`, transports, [
    ["mqtt: texts are packets", "if (isBinary) return;", "if (isBinary || collected === 0) return;"],
    [
      "mqtt: strangers send messages of any size",
      "let limit: number = webSocketLimits.beforeAccept;",
      "let limit: number = webSocketLimits.message;",
    ],
    [
      "mqtt: large messages without a common bound",
      "this.collected > webSocketLimits.collected;",
      "this.collected < 0;",
    ],
  ]),
  ...faultsIn(`${folder}/broker.ts`, transports, [
    ["mqtt: handshakes without end", "socket.destroy();\n    });\n    const tlsPort", "});\n    const tlsPort"],
    ["mqtt: a renewed certificate is not shown", "tlsServer.setSecureContext({ ...secured, ...renewed });\n", ""],
  ]),
];
