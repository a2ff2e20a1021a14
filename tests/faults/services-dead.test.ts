import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { basic } from "../harness/session.ts";
import { onThisMachine } from "../harness/time-limit.ts";

/** The wire's limit for an answer whose service is dead, in ms. */
const limitMs = 3000;

/** What a dead service does with a connection. */
const manners: Record<string, (socket: Socket) => void> = {
  "takes connections and hangs": () => undefined,
  "hangs after the head": (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{"),
  "drips one byte at a time": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n");
    const timer = setInterval(() => socket.write(" "), 20);
    socket.on("close", () => clearInterval(timer));
  },
  "floods without an end": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    const chunk = `10000\r\n${" ".repeat(0x10000)}\r\n`;
    const pour = () => {
      let more = true;
      while (more && !socket.destroyed) more = socket.write(chunk);
    };
    socket.on("drain", pour);
    pour();
  },
  "speaks another protocol": (socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"),
  "answers a page of HTML": (socket) =>
    socket.end("HTTP/1.1 200 OK\r\nContent-Length: 15\r\nConnection: close\r\n\r\n<html>hi</html>"),
  "resets connections": (socket) => socket.resetAndDestroy(),
  "answers 502": (socket) => socket.end("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
};

let service: Server;
let port: number;
let manner: (socket: Socket) => void;
const sockets = new Set<Socket>();
let app: TestApp;
let person: string;

const open = async () => {
  service.listen(port ?? 0, "127.0.0.1");
  await once(service, "listening");
  ({ port } = service.address() as AddressInfo);
};
const shut = async () => {
  for (const socket of sockets) socket.destroy();
  service.close();
  await once(service, "close");
};

beforeAll(async () => {
  service = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.once("data", () => manner(socket));
  });
  await open();
  const kinds = [
    "LOGIN",
    "REGISTER",
    "RESET_PASSWORD",
    "RESET_LINK",
    "VERIFY_PHONE",
    "ACCOUNT_NAMES",
    "NO_ACCOUNT",
    "PHONE_CHANGE",
    "CONTRACT_CODE",
    "ACCOUNT_CLOSING",
  ];
  app = await createTestApp({
    TRANSLATION_PROVIDER: "libretranslate",
    LIBRETRANSLATE_URL: `http://127.0.0.1:${port}`,
    SMS_PROVIDER: "aliyun",
    SMS_ENDPOINT: `http://127.0.0.1:${port}`,
    SMS_KEY_ID: "id",
    SMS_KEY_SECRET: "secret",
    SMS_SIGN_NAME: "慧牧",
    ...Object.fromEntries(kinds.map((kind) => [`SMS_TEMPLATE_${kind}`, `SMS_${kind}`])),
    MALL_URL: `http://127.0.0.1:${port}`,
    MALL_SECRET: "the-malls-own-secret",
  });
  person = await app.logIn("farm");
});
afterAll(async () => {
  await app.close();
  await shut();
});

const timed = async <T>(work: Promise<T>): Promise<{ answer: T; ms: number }> => {
  const begun = performance.now();
  return { answer: await work, ms: performance.now() - begun };
};
const send = async (phone: string) =>
  app.call({
    method: "POST",
    path: "/api/muyuan-resource/sms/endpoint/skip-secure/send-validate",
    query: { mobilePhone: phone, purpose: "login" },
    headers: await app.captcha(),
  });
const translate = (src: string) =>
  app.call({ method: "POST", path: "/api/muyuan-i18n/baidu/trans", body: { src, to: "en" } });
const mint = () =>
  app.call({
    method: "POST",
    path: "/mall-auth-server/user/login/muyuan/code",
    body: { userId: "1", loginPlatform: 1 },
    token: person,
  });
const untranslated = (src: string) => ({ data: { data: { dst: src, untranslated: true } } });
/** Works as the real ones do. */
const alive = (socket: Socket) => {
  const body = '{"Code":"OK","translatedText":"Well"}';
  socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`);
};
let phones = 0;
const newPhone = () => {
  phones += 1;
  return `1391200${String(phones).padStart(4, "0")}`;
};

describe.each([...Object.keys(manners), "refuses connections"])("R26: a service that %s", (name) => {
  const phone = newPhone();
  const word = `公告：${name}`;
  beforeAll(async () => {
    manner = manners[name] ?? (() => undefined);
    if (manners[name] === undefined) await shut();
  });
  afterAll(async () => {
    if (!service.listening) await open();
  });

  test("each call that needs it is answered within 3 s with words, others are not slowed, and a later retry works", async () => {
    const captcha = await app.captcha();
    const began = performance.now();
    const waiting = [
      timed(translate(word)),
      timed(
        app.call({
          method: "POST",
          path: "/api/muyuan-resource/sms/endpoint/skip-secure/send-validate",
          query: { mobilePhone: phone, purpose: "login" },
          headers: captcha,
        }),
      ),
      ...Array.from({ length: 20 }, (_, at) => timed(translate(`${word} ${at}`))),
    ] as const;
    // Meanwhile.
    const others: number[] = [];
    for (let at = 0; at < 20; at += 1) {
      const { answer, ms } = await timed(app.get("/api/muyuan-system/user/info", person));
      expect(answer.status).toBe(200);
      others.push(ms);
    }
    expect((await mint()).body).toMatchObject({ code: 1 });
    await app.pass(4);
    expect(others.sort((one, other) => one - other)[10]).toBeLessThan(500);
    expect(performance.now() - began).toBeLessThan(onThisMachine(limitMs));

    const [translated, sent, ...more] = await Promise.all(waiting);
    expect(translated.answer).toMatchObject({ status: 200, body: untranslated(word) });
    expect(sent.answer).toMatchObject({ status: 400, body: { success: false, msg: "短信发送失败" } });
    for (const { ms } of [translated, sent, ...more]) expect(ms).toBeLessThan(onThisMachine(limitMs));
    // Nothing was sent, so the person need not wait; nothing was kept, so the text is asked for again.
    if (!service.listening) await open();
    manner = alive;
    expect((await send(phone)).body).toMatchObject({ code: 200, data: { success: true } });
    expect((await translate(word)).body).toMatchObject({ data: { data: { dst: "Well", untranslated: false } } });
  });
});

test("R26: pages and settings do not ask the mall", async () => {
  manner = () => undefined;
  for (const path of [
    "/api/muyuan-system/settings/skip-secure/public",
    "/api/muyuan-content/section/skip-secure/live-figures",
  ]) {
    const { answer, ms } = await timed(app.call({ path, headers: { authorization: basic } }));
    expect(answer.status).toBe(200);
    expect(ms).toBeLessThan(onThisMachine(1000));
  }
});
