import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { remainingLength } from "../../../../tests/faults/mqtt-wire.ts";
import { createDownlinks } from "../modules/commands/index.ts";
import type { DropReason, Uplink } from "../modules/telemetry/index.ts";
import { type Broker, startBroker } from "./broker.ts";
import { packetLimits } from "./packet-reader.ts";
import { sessionLimits } from "./session-limits.ts";

/** What the uplink was given and told. */
const taken: string[] = [];
const drops: DropReason[] = [];
const presence: string[] = [];
let gate: Promise<void> = Promise.resolve();
let largeAnswer = "";

const telemetry = async (_device: unknown, payload: Buffer): Promise<DropReason | undefined> => {
  const text = payload.toString();
  if (text === "bad") return "not_json";
  if (text === "fast") return "too_fast";
  if (text === "fail") throw new Error("the database is away");
  if (text.startsWith("wait")) await gate;
  taken.push(text);
  return undefined;
};
const uplink = {
  authenticate: async (token: string) => {
    if (token === "away") throw new Error("the database is away");
    const id = { t: "1", u: "2" }[token];
    return id && { id, tenantId: "900001", kind: "environment", serialNumber: `T-${id}` };
  },
  telemetry,
  parseRequest: (payload: Buffer) => (payload.toString() === "no" ? undefined : { method: payload.toString() }),
  requestAttributes: async () => ({ client: largeAnswer === "" ? {} : { text: largeAnswer } }),
  call: (_device: unknown, { method }: { method: string }) =>
    method === "getCurrentTime" ? Date.now() : { error: `unknown method: ${method.slice(0, 64)}` },
  answer: async () => "late_answer",
  links: createDownlinks(),
  drop: (_device: unknown, reason: DropReason) => drops.push(reason),
  opened: ({ id }: { id: string }) => presence.push(`opened ${id}`),
  closed: ({ id }: { id: string }) => presence.push(`closed ${id}`),
} as unknown as Uplink;

/** Answers come within moments. */
const soon = { timeout: 3000, interval: 5 };

let broker: Broker;
const sockets: Socket[] = [];

beforeAll(async () => {
  const log = pino({ level: "silent" });
  broker = await startBroker({
    uplink,
    log,
    host: "127.0.0.1",
    port: 0,
    orNextFree: false,
    times: { lingerMs: 20, keepAliveMs: 300_000 },
  });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  // Each connection that was opened is closed once.
  await vi.waitFor(() => {
    const count = (what: string) => presence.filter((line) => line.startsWith(what)).length;
    expect(count("closed")).toBe(count("opened"));
  }, soon);
  taken.splice(0);
  drops.splice(0);
  presence.splice(0);
  gate = Promise.resolve();
  largeAnswer = "";
});
afterAll(() => broker.stop());

type Bytes = string | Buffer | readonly number[];
const raw = (bytes: Bytes): Buffer => (typeof bytes === "string" ? Buffer.from(bytes, "hex") : Buffer.from(bytes));
const two = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const field = (content: string | Buffer): Buffer => {
  const bytes = Buffer.from(content);
  return Buffer.concat([two(bytes.length), bytes]);
};
/** A packet: its first byte, and its fields behind the length that they have. */
const packet = (first: number, ...fields: Bytes[]): Buffer => {
  const body = Buffer.concat(fields.map(raw));
  return Buffer.concat([Buffer.from([first]), remainingLength(body.length), body]);
};
const props = (...properties: Bytes[]): Buffer => {
  const body = Buffer.concat(properties.map(raw));
  return Buffer.concat([remainingLength(body.length), body]);
};

type Version = 3 | 4 | 5;
const protocolName = { 3: "MQIsdp", 4: "MQTT", 5: "MQTT" } as const;

interface Connect {
  name?: string;
  level?: number;
  flags?: number;
  keepAlive?: number;
  properties?: Bytes[];
  clientId?: string | Buffer;
  will?: Bytes[];
  token?: string | undefined;
  more?: Bytes[];
}
const connectOf = (
  version: Version,
  {
    name,
    level,
    flags,
    keepAlive = 0,
    properties = [],
    clientId = "c",
    will = [],
    token = "t",
    more = [],
  }: Connect = {},
): Buffer =>
  packet(
    0x10,
    field(name ?? protocolName[version]),
    [level ?? version, flags ?? 0x82],
    two(keepAlive),
    ...(version === 5 ? [props(...properties)] : []),
    field(clientId),
    ...will,
    field(token),
    ...more,
  );

const telemetryTopic = "v1/devices/me/telemetry";
interface Message {
  version?: Version;
  flags?: number;
  topic?: string | Buffer;
  id?: number;
  properties?: Bytes[];
}
const publishOf = (
  text: string | Buffer,
  { version = 4, flags = 0x02, topic = telemetryTopic, id = 1, properties = [] }: Message = {},
): Buffer =>
  packet(
    0x30 | flags,
    field(topic),
    ...((flags & 6) === 0 ? [] : [two(id)]),
    ...(version === 5 ? [props(...properties)] : []),
    Buffer.from(text),
  );
const publish5 = (text: string | Buffer, message: Message = {}) => publishOf(text, { ...message, version: 5 });
const none = "00";
const subscribeOf = (version: Version, filter: string | Buffer, options = 1, id = 1): Buffer =>
  packet(0x82, two(id), ...(version === 5 ? [none] : []), field(filter), [options]);
const unsubscribeOf = (version: Version, filter: string, id = 1): Buffer =>
  packet(0xa2, two(id), ...(version === 5 ? [none] : []), field(filter));
const pubrel = (id: number) => packet(0x62, two(id));
const pingreq = packet(0xc0);
const broken = Buffer.from([0x61, 0xed, 0xa0, 0x80]);

/** Cuts what came back into packets, in hexadecimal digits. */
function packetsOf(bytes: Buffer): string[] {
  const found: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    let length = 0;
    let size = 1;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at + size] as number;
      size += 1;
      length += (byte & 0x7f) * factor;
      if ((byte & 0x80) === 0) break;
    }
    found.push(bytes.subarray(at, at + size + length).toString("hex"));
    at += size + length;
  }
  return found;
}

/** A raw connection, and what came back on it. */
async function open(...sent: Bytes[]) {
  const socket = connect(broker.port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => undefined);
  let isClosed = false;
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.once("close", () => {
    isClosed = true;
  });
  await once(socket, "connect");
  for (const bytes of sent) socket.write(raw(bytes));
  return {
    socket,
    write: (bytes: Bytes) => socket.write(raw(bytes)),
    received: () => packetsOf(Buffer.concat(chunks)),
    isClosed: () => isClosed,
  };
}
type Line = Awaited<ReturnType<typeof open>>;

/** Packets in hexadecimal digits: `.` stands for any digit, and `*` for any of them. */
const asPattern = (expected: string): RegExp => new RegExp(`^${expected.replaceAll("*", "[0-9a-f]*")}$`);
const pattern = (expected: string) => expect.stringMatching(asPattern(expected));

async function expectAnswers({ received }: Line, expected: readonly string[]): Promise<void> {
  await vi.waitFor(() => expect(received().length).toBeGreaterThanOrEqual(expected.length), soon);
  expect(received()).toEqual(expected.map(pattern));
}
/** The answers, and that nothing more comes before that of a ping. */
async function expectOpen(line: Line, ...expected: string[]): Promise<void> {
  await expectAnswers(line, expected);
  line.write(pingreq);
  await expectAnswers(line, [...expected, "d000"]);
  expect(line.isClosed()).toBe(false);
}
async function expectClosed(line: Line, ...expected: string[]): Promise<void> {
  await vi.waitFor(() => expect(line.isClosed()).toBe(true), soon);
  expect(line.received()).toEqual(expected.map(pattern));
}

const welcome = "20020000";
const welcome5 = "20..0000*";
/** DISCONNECT and CONNACK of MQTT 5 with a reason code, whatever words go with it. */
const bye = (code: number) => `e0..${code.toString(16).padStart(2, "0")}*`;
const refused5 = (code: number) => `20..00${code.toString(16).padStart(2, "0")}*`;

interface Case {
  name: string;
  sends: Bytes[];
  answers: string[];
  closes?: boolean;
  takes?: string[];
  counts?: DropReason[];
  /** Each packet is sent when the one before it was answered. */
  isStepwise?: boolean;
}
const run = async ({ sends, answers, closes = false, takes = [], counts = [], isStepwise = false }: Case) => {
  const line = await open(...(isStepwise ? [] : sends));
  if (isStepwise) {
    for (const [at, bytes] of sends.entries()) {
      line.write(bytes);
      await expectAnswers(line, answers.slice(0, at + 1));
    }
  }
  await (closes ? expectClosed(line, ...answers) : expectOpen(line, ...answers));
  expect(taken).toEqual(takes);
  expect(drops).toEqual(counts);
};
const closing = (name: string, sends: Bytes[], ...answers: string[]): Case => ({ name, sends, answers, closes: true });
const staying = (name: string, sends: Bytes[], ...answers: string[]): Case => ({ name, sends, answers });
/** In both old versions, which answer alike. */
const both = (make: (version: 3 | 4, hello: Buffer) => Case): Case[] =>
  ([3, 4] as const).map((version) => {
    const made = make(version, connectOf(version));
    return { ...made, name: `${version === 3 ? "3.1" : "3.1.1"}: ${made.name}` };
  });

const willFlags = (qos: number, retain = 0) => 0x82 | 0x04 | (qos << 3) | retain;
const will = [field("w"), field("gone")];
const willOf5 = [none, ...will];
const user = [0x26, ...field("k"), ...field("v")];

describe("CONNECT", () => {
  test.each<Case>([
    ...both((version) => staying("welcome", [connectOf(version)], welcome)),
    ...both((version) => closing("a wrong token", [connectOf(version, { token: "x" })], "20020005")),
    ...both((version) =>
      closing("no user name", [packet(0x10, field(protocolName[version]), [version, 2, 0, 0], field("c"))], "20020005"),
    ),
    ...both((version) => closing("the database is away", [connectOf(version, { token: "away" })], "20020003")),
    ...both((version) => closing("a second CONNECT", [connectOf(version), connectOf(version)], welcome)),
    ...both((version) => closing("the reserved flag", [connectOf(version, { flags: 0x83 })])),
    ...both((version) => closing("a will of QoS 3", [connectOf(version, { flags: willFlags(3), will })])),
    ...both((version) => closing("the QoS of a will without a will", [connectOf(version, { flags: 0x8a })])),
    ...both((version) => closing("the retain flag of a will without one", [connectOf(version, { flags: 0xa2 })])),
    ...both((version) => closing("a password without a user name", [connectOf(version, { flags: 0x42 })])),
    ...both((version) => closing("bytes behind the last field", [connectOf(version, { more: ["00"] })])),
    ...both((version) => closing("a client id with NUL", [connectOf(version, { clientId: "a\0" })])),
    ...both((version) => closing("a client id of broken UTF-8", [connectOf(version, { clientId: broken })])),
    ...both((version) =>
      closing("a client id that is too long", [connectOf(version, { clientId: "x".repeat(257) })], "20020002"),
    ),
    ...both((version) =>
      closing("a field that is longer than the packet", [
        packet(0x10, field(protocolName[version]), [version, 0x82, 0, 0, 0, 9, 0x61]),
      ]),
    ),
    ...both((version) =>
      staying("a will is taken and forgotten", [connectOf(version, { flags: willFlags(1, 0x20), will })], welcome),
    ),
    closing("3.1: an empty client id", [connectOf(3, { clientId: "" })], "20020002"),
    staying("3.1.1: an empty client id with a clean session", [connectOf(4, { clientId: "" })], welcome),
    closing("3.1.1: an empty client id without one", [connectOf(4, { clientId: "", flags: 0x80 })], "20020002"),
    staying("3.1.1: a session that shall be kept is not there", [connectOf(4, { flags: 0x80 })], welcome),
    closing("a level before 3.1.1", [connectOf(4, { level: 3 })], "20020001"),
    closing("a bridge's level", [connectOf(4, { level: 0x84 })], refused5(0x84)),
    closing("a level to come", [connectOf(5, { level: 6 })], refused5(0x84)),
    closing("another protocol", [connectOf(4, { name: "MQTTX" })]),
    closing("flags of the header", [Buffer.from(connectOf(4)).fill(0x11, 0, 1)]),
    closing("the begin of a large message instead", ["32ffff03"]),

    staying(
      "5: all that is told to a client which says nothing",
      [connectOf(5)],
      "20190000" + "16" + "2103e8" + "2700040404" + "220010" + "2500" + "2801" + "2900" + "2a00" + "13012c",
    ),
    staying(
      "5: a keep alive that is allowed is not changed",
      [connectOf(5, { keepAlive: 60 })],
      "20160000132103e827000404042200102500280129002a00",
    ),
    staying("5: a longer one is", [connectOf(5, { keepAlive: 301 })], "20..0000*13012c"),
    staying(
      "5: an empty client id is replaced by one of the server's",
      [connectOf(5, { clientId: "", flags: 0x80, keepAlive: 60 })],
      "20..0000*120024*",
    ),
    staying(
      "5: a session is not kept, whatever is asked for",
      [connectOf(5, { properties: ["11ffffffff"], keepAlive: 60 })],
      "20..0000..1100000000*",
    ),
    staying(
      "5: all properties",
      [connectOf(5, { properties: ["1100000001", "210005", "2700001000", "220003", "1901", "1700", user, user] })],
      welcome5,
    ),
    staying(
      "5: a will with all properties",
      [
        connectOf(5, {
          flags: willFlags(2),
          will: [
            props(
              "1800000001",
              "0101",
              "0200000001",
              [0x03, ...field("t")],
              [0x08, ...field("r")],
              [0x09, ...field("x")],
              user,
            ),
            ...will,
          ],
        }),
      ],
      welcome5,
    ),
    closing("5: a wrong token", [connectOf(5, { token: "x" })], refused5(0x86)),
    closing(
      "5: a password without a user name is no token",
      [packet(0x10, field("MQTT"), [5, 0x42, 0, 0, 0], field("c"), field("t"))],
      refused5(0x86),
    ),
    closing("5: the database is away", [connectOf(5, { token: "away" })], refused5(0x88)),
    closing(
      "5: an authentication method",
      [connectOf(5, { properties: [[0x15, ...field("SCRAM-SHA-1")]] })],
      refused5(0x8c),
    ),
    closing(
      "5: authentication data without a method",
      [connectOf(5, { properties: [[0x16, ...field("x")]] })],
      refused5(0x82),
    ),
    closing("5: a retained will", [connectOf(5, { flags: willFlags(1, 0x20), will: willOf5 })], refused5(0x9a)),
    closing("5: a will of QoS 3", [connectOf(5, { flags: willFlags(3), will: willOf5 })], refused5(0x81)),
    closing("5: a client id that is too long", [connectOf(5, { clientId: "x".repeat(257) })], refused5(0x85)),
    closing("5: a client id of broken UTF-8", [connectOf(5, { clientId: broken })], refused5(0x81)),
    closing("5: a receive maximum of 0", [connectOf(5, { properties: ["210000"] })], refused5(0x82)),
    closing("5: a maximum packet size of 0", [connectOf(5, { properties: ["2700000000"] })], refused5(0x82)),
    closing("5: a property twice", [connectOf(5, { properties: ["210000", "210001"] })], refused5(0x82)),
    closing("5: the same property twice", [connectOf(5, { properties: ["210001", "210001"] })], refused5(0x82)),
    closing("5: a flag that is neither 0 nor 1", [connectOf(5, { properties: ["1902"] })], refused5(0x82)),
    closing("5: a property of another packet", [connectOf(5, { properties: ["230001"] })], refused5(0x81)),
    closing("5: a property that nobody knows", [connectOf(5, { properties: ["7f00"] })], refused5(0x81)),
    closing("5: a property that ends too early", [connectOf(5, { properties: ["2100"] })], refused5(0x81)),
    closing("5: a second CONNECT", [connectOf(5), connectOf(5)], welcome5, bye(0x82)),
    closing("5: a client that takes not even the answer", [connectOf(5, { properties: ["2700000004"] })]),
  ])("$name", run);
});

describe("PUBLISH", () => {
  const hello = connectOf(4);
  const hello5 = connectOf(5);
  const quiet5 = connectOf(5, { properties: ["1700"] });
  test.each<Case>([
    ...both((_version, greet) => ({
      ...staying("QoS 0", [greet, publishOf("a", { flags: 0 })], welcome),
      takes: ["a"],
    })),
    ...both((_version, greet) => ({
      ...staying("QoS 1", [greet, publishOf("a", { id: 7 })], welcome, "40020007"),
      takes: ["a"],
    })),
    ...both((_version, greet) => ({
      ...staying("a retained message is not retained", [greet, publishOf("a", { flags: 3 })], welcome, "40020001"),
      takes: ["a"],
    })),
    ...both((_version, greet) => ({
      ...staying(
        "QoS 2: sent twice, taken once",
        [greet, publishOf("a", { flags: 4, id: 9 }), publishOf("a", { flags: 12, id: 9 }), pubrel(9), pubrel(9)],
        welcome,
        "50020009",
        "50020009",
        "70020009",
        "70020009",
      ),
      isStepwise: true,
      takes: ["a"],
    })),
    ...both((_version, greet) => ({
      ...staying(
        "QoS 2: the id is free again once released",
        [greet, publishOf("a", { flags: 4 }), pubrel(1), publishOf("b", { flags: 4 })],
        welcome,
        "50020001",
        "70020001",
        "50020001",
      ),
      isStepwise: true,
      takes: ["a", "b"],
    })),
    ...both((_version, greet) => ({
      ...staying(
        "a topic that is none of ours is acknowledged and counted",
        [greet, publishOf("a", { topic: "x" })],
        welcome,
        "40020001",
      ),
      counts: ["unknown_topic"],
    })),
    ...both((_version, greet) => closing("QoS 3", [greet, publishOf("a", { flags: 6 })], welcome)),
    ...both((_version, greet) => closing("QoS 0 sent again", [greet, publishOf("a", { flags: 8 })], welcome)),
    ...both((_version, greet) => closing("packet id 0", [greet, publishOf("a", { id: 0 })], welcome)),
    ...both((_version, greet) => closing("an empty topic", [greet, publishOf("a", { topic: "" })], welcome)),
    ...both((_version, greet) =>
      closing("a wildcard in the topic", [greet, publishOf("a", { topic: "v1/devices/+/telemetry" })], welcome),
    ),
    ...both((_version, greet) => closing("NUL in the topic", [greet, publishOf("a", { topic: "v1\0" })], welcome)),
    ...both((_version, greet) =>
      closing("broken UTF-8 in the topic", [greet, publishOf("a", { topic: broken })], welcome),
    ),
    ...both((_version, greet) =>
      closing("a topic that is longer than the packet", [greet, packet(0x30, "000961")], welcome),
    ),
    ...both((_version, greet) =>
      closing("no room for the packet id", [greet, packet(0x32, field("a"), "00")], welcome),
    ),
    ...both((_version, greet) =>
      closing("a message that can't be stored gets no acknowledgement", [greet, publishOf("fail")], welcome),
    ),
    {
      ...staying(
        "3.1.1: what is too large is acknowledged and counted",
        [hello, publishOf(Buffer.alloc(packetLimits.publish + 1), { id: 5 })],
        welcome,
        "40020005",
      ),
      counts: ["too_large"],
    },
    {
      ...staying(
        "3.1.1: also with QoS 2",
        [hello, publishOf(Buffer.alloc(packetLimits.publish + 1), { flags: 4, id: 5 }), pubrel(5)],
        welcome,
        "50020005",
        "70020005",
      ),
      isStepwise: true,
      counts: ["too_large"],
    },
    {
      ...closing(
        "3.1.1: what is larger than 16 MB",
        [hello, Buffer.concat([Buffer.from([0x32]), remainingLength(packetLimits.swallowed + 1)])],
        welcome,
      ),
      counts: ["too_large"],
    },

    { ...staying("5: QoS 1", [hello5, publish5("a", { id: 7 })], welcome5, "40020007"), takes: ["a"] },
    {
      ...staying("5: QoS 2", [hello5, publish5("a", { flags: 4 }), pubrel(1)], welcome5, "50020001", "70020001"),
      isStepwise: true,
      takes: ["a"],
    },
    staying("5: PUBREL of an unknown id", [hello5, pubrel(3)], welcome5, "700400039200"),
    {
      ...staying(
        "5: all properties",
        [
          hello5,
          publish5("a", {
            properties: [
              "0101",
              "0200000001",
              [0x03, ...field("t")],
              [0x08, ...field("r")],
              [0x09, ...field("x")],
              user,
              user,
            ],
          }),
        ],
        welcome5,
        "40020001",
      ),
      takes: ["a"],
    },
    {
      ...staying(
        "5: an alias for the topic",
        [
          hello5,
          publish5("a", { properties: ["230010"] }),
          publish5("b", { topic: "", id: 2, properties: ["230010"] }),
        ],
        welcome5,
        "40020001",
        "40020002",
      ),
      takes: ["a", "b"],
    },
    closing("5: alias 0", [hello5, publish5("a", { properties: ["230000"] })], welcome5, bye(0x94)),
    closing("5: an alias beyond the maximum", [hello5, publish5("a", { properties: ["230011"] })], welcome5, bye(0x94)),
    closing(
      "5: an alias that stands for nothing",
      [hello5, publish5("a", { topic: "", properties: ["230001"] })],
      welcome5,
      bye(0x82),
    ),
    closing("5: neither topic nor alias", [hello5, publish5("a", { topic: "" })], welcome5, bye(0x82)),
    closing("5: a wildcard in the topic", [hello5, publish5("a", { topic: "a/#" })], welcome5, bye(0x90)),
    closing("5: broken UTF-8 in the topic", [hello5, publish5("a", { topic: broken })], welcome5, bye(0x81)),
    closing("5: NUL in the topic", [hello5, publish5("a", { topic: "a\0" })], welcome5, bye(0x81)),
    closing("5: QoS 3", [hello5, publish5("a", { flags: 6 })], welcome5, bye(0x81)),
    closing("5: packet id 0", [hello5, publish5("a", { id: 0 })], welcome5, bye(0x82)),
    closing("5: a message to be retained", [hello5, publish5("a", { flags: 3 })], welcome5, bye(0x9a)),
    closing("5: a subscription identifier", [hello5, publish5("a", { properties: ["0b01"] })], welcome5, bye(0x81)),
    closing(
      "5: properties that are longer than the packet",
      [hello5, packet(0x30, field("a"), "05")],
      welcome5,
      bye(0x81),
    ),
    {
      ...closing(
        "5: larger than was announced",
        [hello5, Buffer.concat([Buffer.from([0x32]), remainingLength(packetLimits.publish + 1)])],
        welcome5,
        bye(0x95),
      ),
      counts: ["too_large"],
    },
    closing("5: what can't be stored", [hello5, publish5("fail")], welcome5, bye(0x89)),
    {
      ...staying(
        "5: a topic that is none of ours, with the reason",
        [hello5, publish5("a", { topic: "x" })],
        welcome5,
        `4014000190101f${field("unknown_topic").toString("hex")}`,
      ),
      counts: ["unknown_topic"],
    },
    {
      ...staying(
        "5: without it for those who want none",
        [quiet5, publish5("a", { topic: "x" })],
        welcome5,
        "400400019000",
      ),
      counts: ["unknown_topic"],
    },
    staying("5: a payload that is dropped", [quiet5, publish5("bad")], welcome5, "400400019900"),
    staying("5: a device that is too fast", [quiet5, publish5("fast")], welcome5, "400400019700"),
    {
      ...staying(
        "5: a refused QoS 2 message frees its id",
        [quiet5, publish5("bad", { flags: 4 }), pubrel(1), publish5("a", { flags: 4 })],
        welcome5,
        "500400019900",
        "700400019200",
        "50020001",
      ),
      isStepwise: true,
      takes: ["a"],
    },
  ])("$name", run);

  test.each([
    [1, 2],
    [2, 4],
  ])("5: more messages of QoS %i than the receive maximum", async (_qos, flags) => {
    const line = await open(hello5);
    gate = new Promise(() => undefined);
    const messages = Array.from({ length: sessionLimits.receiveMaximum }, (_, n) =>
      publish5("wait", { flags, id: n + 1 }),
    );
    line.write(Buffer.concat(messages));
    await expectOpen(line, welcome5);
    line.write(publish5("a", { flags, id: 1001 }));
    await expectClosed(line, welcome5, "d000", bye(0x93));
    expect(taken).toEqual([]);
  });

  test.each([4, 5] as const)("version %i: acknowledgements keep the order of the messages", async (version) => {
    let release: () => void = () => undefined;
    gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const send = (text: string, id: number, flags = 2) => publishOf(text, { version, id, flags });
    const line = await open(
      connectOf(version),
      send("wait", 1),
      send("b", 2),
      send("c", 3, 4),
      send("bad", 4),
      send("e", 5),
    );
    await vi.waitFor(() => expect(taken).toEqual(["b", "c", "e"]));
    expect(line.received()).toHaveLength(1);
    release();
    await expectOpen(
      line,
      version === 5 ? welcome5 : welcome,
      "40020001",
      "40020002",
      "50020003",
      version === 5 ? "40..000499*" : "40020004",
      "40020005",
    );
  });
});

describe("SUBSCRIBE and UNSUBSCRIBE", () => {
  const own = "v1/devices/me/attributes";
  const hello5 = connectOf(5);
  const filterCases: [string, string, number][] = [
    ["a device's own topic", own, 0x01],
    ["its answers", "v1/devices/me/rpc/response/+", 0x01],
    ["everything", "#", 0x87],
    ["another's topic", "v1/devices/you/attributes", 0x87],
    ["an empty filter", "", 0x8f],
    ["# before the end", "v1/#/me", 0x8f],
    ["a + that is a part of a level", "v1/devices+/me", 0x8f],
    ["a shared subscription", `$share/g/${own}`, 0x9e],
  ];
  const hex = (code: number) => code.toString(16).padStart(2, "0");
  test.each<Case>([
    ...filterCases.flatMap(([name, filter, code]) => [
      ...both((version, greet) =>
        staying(name, [greet, subscribeOf(version, filter)], welcome, `90030001${code < 0x80 ? hex(code) : "80"}`),
      ),
      staying(`5: ${name}`, [hello5, subscribeOf(5, filter)], welcome5, `9004000100${hex(code)}`),
    ]),
    ...both((_version, greet) =>
      staying(
        "QoS 2 is granted as 1, QoS 0 as 0",
        [greet, packet(0x82, two(1), field(own), [2], field(own), [0])],
        welcome,
        "900400010100",
      ),
    ),
    ...both((_version, greet) => closing("no filter", [greet, packet(0x82, two(1))], welcome)),
    ...both((version, greet) => closing("packet id 0", [greet, subscribeOf(version, own, 1, 0)], welcome)),
    ...both((version, greet) => closing("QoS 3", [greet, subscribeOf(version, own, 3)], welcome)),
    ...both((version, greet) => closing("reserved options", [greet, subscribeOf(version, own, 4)], welcome)),
    ...both((version, greet) => closing("broken UTF-8", [greet, subscribeOf(version, broken)], welcome)),
    ...both((version, greet) => closing("NUL", [greet, subscribeOf(version, "a\0")], welcome)),
    ...both((_version, greet) =>
      closing("a filter without options", [greet, packet(0x82, two(1), field(own))], welcome),
    ),
    ...both((_version, greet) =>
      closing("flags of the header", [greet, packet(0x80, two(1), field(own), [1])], welcome),
    ),
    ...both((_version, greet) => closing("UNSUBSCRIBE without a filter", [greet, packet(0xa2, two(1))], welcome)),
    ...both((version, greet) =>
      closing("UNSUBSCRIBE with packet id 0", [greet, unsubscribeOf(version, own, 0)], welcome),
    ),
    ...both((version, greet) => staying("UNSUBSCRIBE", [greet, unsubscribeOf(version, own)], welcome, "b0020001")),
    staying("3.1: SUBSCRIBE sent again", [connectOf(3), packet(0x8a, two(1), field(own), [1])], welcome, "9003000101"),
    closing("3.1.1: SUBSCRIBE sent again", [connectOf(4), packet(0x8a, two(1), field(own), [1])], welcome),
    closing("5: no filter", [hello5, packet(0x82, two(1), none)], welcome5, bye(0x82)),
    closing("5: packet id 0", [hello5, subscribeOf(5, own, 1, 0)], welcome5, bye(0x82)),
    closing("5: QoS 3", [hello5, subscribeOf(5, own, 3)], welcome5, bye(0x81)),
    closing("5: reserved options", [hello5, subscribeOf(5, own, 0x40)], welcome5, bye(0x81)),
    closing("5: retain handling 3", [hello5, subscribeOf(5, own, 0x30)], welcome5, bye(0x82)),
    closing(
      "5: no local on a shared subscription",
      [hello5, subscribeOf(5, `$share/g/${own}`, 5)],
      welcome5,
      bye(0x82),
    ),
    closing(
      "5: a subscription identifier",
      [hello5, packet(0x82, two(1), props("0b01"), field(own), [1])],
      welcome5,
      bye(0xa1),
    ),
    closing("5: UNSUBSCRIBE without a filter", [hello5, packet(0xa2, two(1), none)], welcome5, bye(0x82)),
    staying(
      "5: UNSUBSCRIBE tells what was subscribed",
      [hello5, subscribeOf(5, own, 0x2d), packet(0xa2, two(2), none, field(own), field("x"))],
      welcome5,
      "900400010001",
      "b0050002000011",
    ),
    staying(
      "5: one subscription too many",
      [
        hello5,
        packet(
          0x82,
          two(1),
          none,
          ...Array.from({ length: 51 }, (_, n) => [...field(`v1/devices/me/rpc/response/${n}`), 0]),
        ),
      ],
      welcome5,
      `9036000100${"00".repeat(50)}97`,
    ),
  ])("$name", run);
});

describe("other packets", () => {
  const hello5 = connectOf(5);
  test.each<Case>(
    [
      ...both((_version, greet) => staying("PINGREQ", [greet, pingreq], welcome, "d000")),
      ...both((_version, greet) => closing("PINGREQ with a body", [greet, packet(0xc0, "00")], welcome)),
      ...both((_version, greet) => closing("DISCONNECT", [greet, packet(0xe0)], welcome)),
      ...both((_version, greet) => closing("DISCONNECT with a body", [greet, packet(0xe0, "00")], welcome)),
      ...both((_version, greet) => closing("PUBREL without its flags", [greet, packet(0x60, two(1))], welcome)),
      ...both((_version, greet) => closing("PUBREL with packet id 0", [greet, pubrel(0)], welcome)),
      ...both((_version, greet) => closing("AUTH", [greet, packet(0xf0)], welcome)),
      ...both((_version, greet) => closing("a packet of type 0", [greet, packet(0x00)], welcome)),
      ...both((_version, greet) =>
        closing("a packet of the server: SUBACK", [greet, packet(0x90, two(1), [0])], welcome),
      ),
      ...both((_version, greet) => closing("a length of five bytes", [greet, "32ffffffff01"], welcome)),
      ...both((_version, greet) => closing("a PUBACK that is too long", [greet, packet(0x40, two(1), "00")], welcome)),
      ...both((_version, greet) => staying("a PUBACK that nobody waits for", [greet, packet(0x40, two(1))], welcome)),
      closing("5: DISCONNECT", [hello5, packet(0xe0)], welcome5),
      closing("5: DISCONNECT with a reason", [hello5, packet(0xe0, "0400")], welcome5),
      closing(
        "5: DISCONNECT with all properties",
        [
          connectOf(5, { properties: ["1100000009"] }),
          packet(0xe0, "00", props("1100000001", [0x1f, ...field("r")], user)),
        ],
        welcome5,
      ),
      closing(
        "5: DISCONNECT that wants a session kept which was not to be",
        [hello5, packet(0xe0, "00", props("1100000001"))],
        welcome5,
        bye(0x82),
      ),
      closing("5: DISCONNECT with a reason of the server", [hello5, packet(0xe0, "8b")], welcome5, bye(0x81)),
      closing(
        "5: AUTH that was not agreed on",
        [hello5, packet(0xf0, "18", props([0x15, ...field("x")]))],
        welcome5,
        bye(0x82),
      ),
      closing("5: a packet of the server: PINGRESP", [hello5, packet(0xd0)], welcome5, bye(0x82)),
      closing("5: PUBREC of nothing that was sent", [hello5, packet(0x50, two(1))], welcome5, bye(0x82)),
      closing("5: a length of five bytes", [hello5, "32ffffffff01"], welcome5, bye(0x81)),
      closing("5: a PUBREL with an unknown reason", [hello5, packet(0x62, two(1), "10")], welcome5, bye(0x81)),
      staying(
        "5: a PUBREL with a reason and properties",
        [hello5, packet(0x62, two(1), "92", props([0x1f, ...field("r")], user))],
        welcome5,
        "700400019200",
      ),
      closing(
        "5: a SUBSCRIBE of more than 64 KB",
        [hello5, Buffer.concat([Buffer.from([0x82]), remainingLength(packetLimits.control + 1)])],
        welcome5,
        bye(0x95),
      ),
    ].map((each) => (each.name.endsWith("more than 64 KB") ? { ...each, counts: ["too_large" as const] } : each)),
  )("$name", run);

  test.each([
    ["5", 5, bye(0x8e)],
    ["3.1.1", 4, undefined],
    ["3.1", 3, undefined],
  ] as const)(
    "%s: another connection takes over the client id of the same device only",
    async (_name, version, told) => {
      const hi = version === 5 ? welcome5 : welcome;
      const first = await open(connectOf(version));
      await expectAnswers(first, [hi]);
      const foreign = await open(connectOf(version, { token: "u" }));
      await expectOpen(foreign, hi);
      expect(first.isClosed()).toBe(false);
      const second = await open(connectOf(version));
      await expectOpen(second, hi);
      await expectClosed(first, hi, ...(told === undefined ? [] : [told]));
      expect(presence).toEqual(["opened 1", "opened 2", "closed 1", "opened 1"]);
    },
  );

  test.each([
    ["5", 5, bye(0x8d)],
    ["3.1.1", 4, undefined],
  ] as const)(
    "%s: silence of one and a half keep alives ends the connection, a ping goes on",
    async (_name, version, told) => {
      const hi = version === 5 ? welcome5 : welcome;
      const begun = performance.now();
      const silent = await open(connectOf(version, { keepAlive: 1 }));
      const alive = await open(connectOf(version, { keepAlive: 1, clientId: "d" }));
      const pings = setInterval(() => alive.write(pingreq), 500);
      await expectClosed(silent, hi, ...(told === undefined ? [] : [told]));
      const took = performance.now() - begun;
      clearInterval(pings);
      expect(took).toBeGreaterThan(1400);
      expect(alive.isClosed()).toBe(false);
    },
  );
});

describe("messages to a device", () => {
  const request = (id: number, version: Version = 4, flags = 0) =>
    publishOf("x", { version, flags, id, topic: `v1/devices/me/rpc/request/${id}` });
  const answers = "v1/devices/me/rpc/response/+";
  /** A message down, with the packet id that it carries. */
  const down = (call: number, id: number | undefined, version: Version = 4) =>
    publishOf('{"error":"unknown method: x"}', {
      version,
      flags: id === undefined ? 0 : 2,
      id: id ?? 1,
      topic: `v1/devices/me/rpc/response/${call}`,
    }).toString("hex");

  test("nothing is sent to a device that did not subscribe", () =>
    run(staying("", [connectOf(4), request(1), subscribeOf(4, "v1/devices/me/attributes")], welcome, "9003000101")));

  test("QoS as subscribed, one message where two filters fit, and none after UNSUBSCRIBE", async () => {
    const line = await open(connectOf(4), subscribeOf(4, answers, 0));
    await expectAnswers(line, [welcome, "9003000100"]);
    line.write(request(1));
    await expectAnswers(line, [welcome, "9003000100", down(1, undefined)]);
    line.write(Buffer.concat([subscribeOf(4, "v1/devices/me/rpc/response/2", 1), request(2)]));
    const before = [welcome, "9003000100", down(1, undefined), "9003000101", down(2, 1)];
    await expectAnswers(line, before);
    line.write(Buffer.concat([packet(0x40, two(1)), unsubscribeOf(4, answers), request(3)]));
    await expectOpen(line, ...before, "b0020001");
  });

  test("5: no more than the client's receive maximum are under way", async () => {
    const line = await open(connectOf(5, { properties: ["210002"] }), subscribeOf(5, answers, 1));
    for (let n = 1; n <= 4; n += 1) line.write(request(n, 5));
    const before = [welcome5, "900400010001", down(1, 1, 5), down(2, 2, 5)];
    await expectOpen(line, ...before);
    line.write(packet(0x40, two(2)));
    await expectAnswers(line, [...before, "d000", down(3, 3, 5)]);
    line.write(packet(0x40, two(1), "00"));
    await expectAnswers(line, [...before, "d000", down(3, 3, 5), down(4, 4, 5)]);
  });

  test("5: a message that is larger than the client takes is left out", async () => {
    largeAnswer = "y".repeat(200);
    const line = await open(
      connectOf(5, { properties: ["2700000064"] }),
      subscribeOf(5, "v1/devices/me/attributes/response/+", 1),
      subscribeOf(5, answers, 1, 2),
      publish5("{}", { flags: 0, topic: "v1/devices/me/attributes/request/1" }),
      request(2, 5),
    );
    await expectOpen(line, welcome5, "900400010001", "900400020001", down(2, 1, 5));
  });

  test("a client that acknowledges nothing is disconnected before what waits for it fills the memory", async () => {
    const line = await open(connectOf(5), subscribeOf(5, answers, 1));
    for (let n = 1; n <= sessionLimits.downUnderWay + sessionLimits.downWaiting; n += 1) line.write(request(n, 5));
    await vi.waitFor(() => expect(line.received()).toHaveLength(2 + sessionLimits.downUnderWay));
    expect(line.isClosed()).toBe(false);
    line.write(request(1, 5));
    await vi.waitFor(() => expect(line.isClosed()).toBe(true));
    expect(line.received().at(-1)).toMatch(asPattern(bye(0x97)));
  });
});

test("5: a server that stops says so", async () => {
  const own = await startBroker({
    uplink,
    log: pino({ level: "silent" }),
    host: "127.0.0.1",
    port: 0,
    orNextFree: false,
  });
  const socket = connect(own.port, "127.0.0.1", () => socket.write(connectOf(5)));
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(socket, "data");
  const closed = once(socket, "close");
  await own.stop();
  await closed;
  expect(packetsOf(Buffer.concat(chunks))).toEqual([pattern(welcome5), pattern(bye(0x8b))]);
});

test("a reader that takes nothing is disconnected after its time, and its requests wait until then", async () => {
  let asked = 0;
  const counting = {
    ...uplink,
    requestAttributes: async () => {
      asked += 1;
      return { client: { text: "y".repeat(500_000) } };
    },
  } as unknown as Uplink;
  const own = await startBroker({
    uplink: counting,
    log: pino({ level: "silent" }),
    host: "127.0.0.1",
    port: 0,
    orNextFree: false,
    times: { drainMs: 300 },
  });
  const socket = connect(own.port, "127.0.0.1", () => {
    socket.write(Buffer.concat([connectOf(4), subscribeOf(4, "v1/devices/me/attributes/response/+", 0)]));
    for (let n = 0; n < 2000; n += 1)
      socket.write(publishOf("{}", { flags: 0, topic: `v1/devices/me/attributes/request/${n}` }));
  });
  socket.on("error", () => undefined);
  socket.pause();
  sockets.push(socket);
  await vi.waitFor(() => expect(presence).toEqual(["opened 1", "closed 1"]), { timeout: 5000 });
  // Of the answers, what the network took, and those that were under way when it took no more.
  expect(asked).toBeLessThan(200);
  await own.stop();
});
