import { type EventEmitter, once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect as connectTcp, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls, type TLSSocket } from "node:tls";
import mqtt, { type IClientOptions, type MqttClient } from "mqtt";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { type InsertedDevice, insertDevices } from "../../../../tests/faults/devices.ts";
import { connectPacket, publishPacket } from "../../../../tests/faults/mqtt-wire.ts";
import { createTestApp, type TestApp } from "../../../../tests/harness/app.ts";
import { testCertificate } from "../../../../tests/harness/certificate.ts";
import { exchange, requestText } from "../../../../tests/threats/raw-socket.ts";
import { type Broker, startBroker } from "./broker.ts";
import { packetLimits } from "./packet-reader.ts";
import { readTlsFiles } from "./tls-files.ts";

const first = testCertificate();
const second = testCertificate();
let app: TestApp;
let broker: Broker;
let httpPort = 0;
let device: InsertedDevice;
let folder = "";
const clients: MqttClient[] = [];
const opened: (Socket | WebSocket)[] = [];
const fileOf = (name: string) => join(folder, name);
const files = () => ({ certFile: fileOf("cert.pem"), keyFile: fileOf("key.pem") });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "herdwise-tls-"));
  await writeFile(fileOf("cert.pem"), first.cert);
  await writeFile(fileOf("key.pem"), first.key);
  app = await createTestApp();
  httpPort = Number(new URL(await app.listen()).port);
  broker = await startBroker({
    uplink: app.uplink,
    log: pino({ level: "silent" }),
    host: "127.0.0.1",
    port: 0,
    orNextFree: false,
    tls: { port: 0, ...files() },
    times: { certificateLookMs: 20, lingerMs: 100, connectMs: 3000 },
  });
  app.http.server.on("upgrade", broker.upgrade);
  [device] = (await insertDevices(app.test, 1)) as [InsertedDevice];
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
  for (const each of opened.splice(0)) {
    if (each instanceof WebSocket) each.terminate();
    else each.destroy();
  }
});
afterAll(async () => {
  await broker.stop();
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

/** The typings of mqtt.js know no `once` of Node. */
const next = (client: MqttClient, event: string): Promise<unknown[]> => once(client as unknown as EventEmitter, event);

const addressOf = {
  tcp: () => `mqtt://127.0.0.1:${broker.port}`,
  tls: () => `mqtts://127.0.0.1:${broker.tlsPort}`,
  ws: () => `ws://127.0.0.1:${httpPort}/mqtt`,
} as const;

async function connect(transport: keyof typeof addressOf, options: IClientOptions = {}): Promise<MqttClient> {
  const client = mqtt.connect(addressOf[transport](), {
    username: device.token,
    reconnectPeriod: 0,
    ca: [first.cert],
    ...options,
  });
  clients.push(client);
  await next(client, "connect");
  return client;
}

describe.each(["tcp", "tls", "ws"] as const)("over %s", (transport) => {
  test.each([
    ["3.1", { protocolVersion: 3, protocolId: "MQIsdp" }],
    ["3.1.1", { protocolVersion: 4 }],
    ["5", { protocolVersion: 5, properties: { requestProblemInformation: true } }],
  ] satisfies [string, IClientOptions][])(
    "%s: telemetry, attributes and a call of the device",
    async (version, options) => {
      const client = await connect(transport, options);
      await client.subscribeAsync(["v1/devices/me/attributes/response/+", "v1/devices/me/rpc/response/+"], { qos: 1 });
      const key = `t_${transport}_${version.replaceAll(".", "_")}`;
      for (const qos of [0, 1, 2] as const) {
        await client.publishAsync("v1/devices/me/telemetry", `{"${key}_${qos}":${qos}}`, { qos });
      }
      await vi.waitFor(async () => {
        const { rows } = await app.test.database.pool.query(
          "select 1 from telemetry_values t, jsonb_object_keys(t.readings) as key where device_id = $1 and key = any($2)",
          [device.id, [0, 1, 2].map((qos) => `${key}_${qos}`)],
        );
        expect(rows).toHaveLength(3);
      });
      await client.publishAsync("v1/devices/me/attributes", `{"${key}":"here"}`, { qos: 1 });
      const ask = async (topic: string, payload: string) => {
        const answer = next(client, "message");
        await client.publishAsync(`v1/devices/me/${topic}`, payload, { qos: 1 });
        const [from, text] = (await answer) as [string, Buffer];
        return [from, JSON.parse(text.toString()) as unknown];
      };
      expect(await ask("attributes/request/1", `{"clientKeys":"${key}"}`)).toEqual([
        "v1/devices/me/attributes/response/1",
        { client: { [key]: "here" } },
      ]);
      const [, time] = await ask("rpc/request/2", '{"method":"getCurrentTime"}');
      expect(Math.abs(Number(time) - Date.now())).toBeLessThan(5000);
    },
  );

  test("a wrong token is refused, in the words of each version", async () => {
    for (const [protocolVersion, code] of [
      [4, 5],
      [5, 0x86],
    ] as const) {
      const client = mqtt.connect(addressOf[transport](), {
        username: "wrong",
        protocolVersion,
        reconnectPeriod: 0,
        ca: [first.cert],
      });
      clients.push(client);
      const [error] = (await next(client, "error")) as [{ code: number }];
      expect(error.code).toBe(code);
    }
  });

  test("5: what is refused is told with its reason", async () => {
    const client = await connect(transport, { protocolVersion: 5 });
    const refused = await client.publishAsync("other", "{}", { qos: 1 }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 0x90 });
    const wide = await client.subscribeAsync("#").catch((error: unknown) => error);
    expect(wide).toMatchObject({ packet: { granted: [0x87] } });
  });

  test("3.1.1: what is too large is acknowledged and counted, and the connection lives on", async () => {
    const client = await connect(transport, { protocolVersion: 4 });
    const count = async () => (await app.metrics.registry.metrics()).match(/outcome="too_large"} (\d+)/)?.[1] ?? "0";
    const before = Number(await count());
    await client.publishAsync("v1/devices/me/telemetry", Buffer.alloc(1024 * 1024, 0x20), { qos: 1 });
    await client.publishAsync("v1/devices/me/telemetry", '{"t_in":1}', { qos: 1 });
    expect(Number(await count())).toBe(before + 1);
  });
});

describe("TLS", () => {
  const handshake = async (options: object = {}): Promise<TLSSocket> => {
    const socket = connectTls({ port: broker.tlsPort, host: "127.0.0.1", rejectUnauthorized: false, ...options });
    opened.push(socket);
    await once(socket, "secureConnect");
    return socket;
  };

  test("1.2 and 1.3 are spoken, 1.1 is not", async () => {
    expect((await handshake({ maxVersion: "TLSv1.2" })).getProtocol()).toBe("TLSv1.2");
    expect((await handshake()).getProtocol()).toBe("TLSv1.3");
    const old = { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" };
    await expect(handshake(old)).rejects.toThrow();
  });

  test("who begins no handshake is disconnected, and so is who sends none of it", async () => {
    const silent = connectTcp(broker.tlsPort as number, "127.0.0.1");
    const wrong = connectTcp(broker.tlsPort as number, "127.0.0.1", () =>
      wrong.write(connectPacket(device.token, "c")),
    );
    for (const socket of [silent, wrong]) {
      opened.push(socket);
      socket.on("error", () => undefined);
      socket.resume();
    }
    await Promise.all([once(silent, "close"), once(wrong, "close")]);
  });

  test("a renewed certificate is shown to new connections, open ones live on, and half a renewal changes nothing", async () => {
    const before = await connect("tls");
    const shown = async () => (await handshake()).getPeerCertificate().fingerprint256;
    expect(await shown()).toBe(first.fingerprint);
    await writeFile(fileOf("cert.pem"), second.cert);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await shown()).toBe(first.fingerprint);
    await writeFile(fileOf("key.pem"), second.key);
    await vi.waitFor(async () => expect(await shown()).toBe(second.fingerprint));
    await before.publishAsync("v1/devices/me/telemetry", '{"t_in":1}', { qos: 1 });
    await writeFile(fileOf("key.pem"), first.key);
    await writeFile(fileOf("cert.pem"), first.cert);
    await vi.waitFor(async () => expect(await shown()).toBe(first.fingerprint));
  });

  test("a file that is of no use is told with its setting", async () => {
    const { certFile, keyFile } = files();
    await writeFile(fileOf("text.pem"), "no key");
    await writeFile(fileOf("other.pem"), second.key);
    const cases = [
      [{ certFile: fileOf("none.pem"), keyFile }, /^MQTT_TLS_CERT_FILE is .*none\.pem, but there is no such file$/],
      [{ certFile, keyFile: folder }, /^MQTT_TLS_KEY_FILE is .*, but it is a folder$/],
      [{ certFile: fileOf("text.pem"), keyFile }, /^MQTT_TLS_CERT_FILE is .*, which holds no certificate in PEM$/],
      [{ certFile, keyFile: fileOf("text.pem") }, /^MQTT_TLS_KEY_FILE is .*, which holds no private key in PEM/],
      [{ certFile, keyFile: fileOf("other.pem") }, /MQTT_TLS_KEY_FILE .* does not belong to the certificate/],
    ] as const;
    for (const [given, message] of cases) await expect(readTlsFiles(given)).rejects.toThrow(message);
  });

  test("a port that is in use is told with its setting, and the other port is let go", async () => {
    const taken = { uplink: app.uplink, log: pino({ level: "silent" }), host: "127.0.0.1", port: 0, orNextFree: true };
    await expect(startBroker({ ...taken, tls: { ...files(), port: broker.port } })).rejects.toThrow(
      `port ${broker.port} is in use; choose another with MQTT_TLS_PORT`,
    );
  });
});

describe("WebSocket", () => {
  const open = async (): Promise<WebSocket> => {
    const socket = new WebSocket(addressOf.ws(), "mqtt", { perMessageDeflate: true });
    opened.push(socket);
    await once(socket, "open");
    return socket;
  };
  const answers = (socket: WebSocket) => {
    const chunks: Buffer[] = [];
    socket.on("message", (data: Buffer) => chunks.push(data));
    return () => Buffer.concat(chunks).toString("hex");
  };
  const hello = () => connectPacket(device.token, "c");
  const closeCodeOf = async (socket: WebSocket) => ((await once(socket, "close")) as [number])[0];

  test("nothing is compressed, and any origin is welcome", async () => {
    const socket = new WebSocket(addressOf.ws(), "mqtt", { origin: "https://elsewhere.example" });
    opened.push(socket);
    await once(socket, "open");
    expect(socket.extensions).toBe("");
    expect(socket.protocol).toBe("mqtt");
  });

  test("packets begin and end anywhere in messages", async () => {
    const socket = await open();
    const received = answers(socket);
    for (const byte of hello()) socket.send(Buffer.from([byte]));
    const two = Buffer.concat([1, 2].map((id) => publishPacket("v1/devices/me/telemetry", '{"t_in":1}', id)));
    socket.send(two.subarray(0, 50));
    socket.send(two.subarray(50));
    await vi.waitFor(() => expect(received()).toBe("200200004002000140020002"));
  });

  test("texts end the connection, and are not read as packets", async () => {
    const socket = await open();
    const received = answers(socket);
    socket.send(hello().toString("latin1"));
    expect(await closeCodeOf(socket)).toBe(1003);
    expect(received()).toBe("");
  });

  test("before CONNECT was accepted no more than 64 KB are collected", async () => {
    const socket = await open();
    socket.on("error", () => undefined);
    const begun = performance.now();
    socket.send(Buffer.alloc(packetLimits.control + 100), { fin: false });
    expect([1006, 1009]).toContain(await closeCodeOf(socket));
    // Not because CONNECT did not come in time.
    expect(performance.now() - begun).toBeLessThan(2500);
  });

  test("a message of more than 16 MB ends the connection", async () => {
    const socket = await open();
    socket.on("error", () => undefined);
    const received = answers(socket);
    socket.send(hello());
    await vi.waitFor(() => expect(received()).toBe("20020000"));
    socket.send(Buffer.alloc(packetLimits.swallowed + 1024));
    expect([1006, 1009]).toContain(await closeCodeOf(socket));
  });

  test("large messages that many connections begin and do not end are bounded together", async () => {
    const lines = await Promise.all(
      Array.from({ length: 6 }, async (_, at) => {
        const socket = await open();
        socket.on("error", () => undefined);
        const received = answers(socket);
        socket.send(connectPacket(device.token, `large-${at}`));
        await vi.waitFor(() => expect(received()).toBe("20020000"));
        return socket;
      }),
    );
    const small = await connect("ws", { clientId: "small" });
    for (const socket of lines) socket.send(Buffer.alloc(15 * 1024 * 1024), { fin: false });
    const isOpen = ({ readyState }: WebSocket) => readyState === WebSocket.OPEN;
    await vi.waitFor(() => expect(lines.filter(isOpen).length).toBeLessThan(6), { timeout: 10_000 });
    // Who sends what is usual notices nothing.
    await small.publishAsync("v1/devices/me/telemetry", '{"t_in":1}', { qos: 1 });
    expect(lines.filter(isOpen).length).toBeGreaterThan(2);
  });

  const upgrade = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13" };
  const key = { "Sec-WebSocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg==" };
  const statusOf = async (path: string, headers: Record<string, string>) =>
    (await exchange(httpPort, requestText("GET", path, headers))).split(" ", 2)[1];

  test("without its subprotocol there is none, and elsewhere a wish for one is passed over", async () => {
    expect(await statusOf("/mqtt", { ...upgrade, ...key })).toBe("400");
    expect(await statusOf("/mqtt", { ...upgrade, ...key, "Sec-WebSocket-Protocol": "graphql-ws" })).toBe("400");
    expect(await statusOf("/mqtt", { ...upgrade, "Sec-WebSocket-Protocol": "mqtt" })).toBe("400");
    const elsewhere = { ...upgrade, ...key, "Sec-WebSocket-Protocol": "mqtt", Connection: "close, Upgrade" };
    expect(await statusOf("/healthz", elsewhere)).toBe("200");
    expect(await statusOf("/mqtt/x", elsewhere)).toBe("404");
  });
});

test("an endpoint that stops ends connections of every kind", async () => {
  const own = await startBroker({
    uplink: app.uplink,
    log: pino({ level: "silent" }),
    host: "127.0.0.1",
    port: 0,
    orNextFree: false,
    tls: { port: 0, ...files() },
  });
  app.http.server.off("upgrade", broker.upgrade);
  app.http.server.on("upgrade", own.upgrade);
  const addresses = [`mqtt://127.0.0.1:${own.port}`, `mqtts://127.0.0.1:${own.tlsPort}`, addressOf.ws()];
  const ends: Promise<unknown[]>[] = [];
  for (const [at, address] of addresses.entries()) {
    const client = mqtt.connect(address, {
      username: device.token,
      clientId: `stop-${at}`,
      protocolVersion: 5,
      reconnectPeriod: 0,
      ca: [first.cert],
    });
    clients.push(client);
    await next(client, "connect");
    ends.push(next(client, "disconnect"));
  }
  await own.stop();
  for (const [packet] of await Promise.all(ends)) expect(packet).toMatchObject({ reasonCode: 0x8b });
  // The HTTP server goes on for a moment.
  const late = new WebSocket(addressOf.ws(), "mqtt");
  const [error] = (await once(late, "error")) as [Error];
  expect(error.message).toContain("503");
  app.http.server.off("upgrade", own.upgrade);
  app.http.server.on("upgrade", broker.upgrade);
});
