import { createHash } from "node:crypto";
import { type Message, type MessageChannel, type MessageSettings, messageKinds, type Page } from "@herdwise/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deliveryRepository } from "../../apps/server/src/modules/messages/delivery.repository.ts";
import {
  createDeliveries,
  deliveryLeaseS,
  laterThan,
} from "../../apps/server/src/modules/messages/delivery.service.ts";
import { officialAccount } from "../../apps/server/src/providers/wechat/official-account.ts";
import { WechatFault } from "../../apps/server/src/providers/wechat/wechat.ts";
import { systemScope } from "../../apps/server/src/tenant-scope.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { startWechat, wechatEnvironment } from "../harness/wechat.ts";

let wechat: Awaited<ReturnType<typeof startWechat>>;
let app: TestApp;
let farm: string;
let farmId: string;
const callbackToken = "callback-token-of-tests";
const base = "/api/muyuan-message-center";
const scope = systemScope("a test of how people are told");
const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query<Row>(text, values)).rows;
const settings = async (token = farm) => (await app.get<MessageSettings>(`${base}/channel/detail`, token)).body.data;
const post = async <Data = { reason?: string }>(path: string, body: unknown = {}, token = farm) => {
  const answer = await app.call({ method: "POST", path: `${base}${path}`, body, token });
  return { status: answer.status, data: answer.body.data as Data };
};
const choose = (kind: string, channel: MessageChannel, enabled: boolean, token = farm) =>
  post("/channel/submit", { choices: [{ kind, channel, enabled }] }, token);
/** The app's own sender looks every two seconds: what the tests send is due two days from now, by their clock. */
const aheadMs = 2 * 86_400_000;
const leave = async (kind: string, { urgent = false, title = "一条", ahead = true } = {}): Promise<string> => {
  const id = app.nextId();
  const client = await app.test.database.pool.connect();
  await client.query("begin");
  await client.query(
    "insert into messages (id, account_id, kind, title, content, link, urgent) values ($1, $2, $3, $4, '内容', '/selfCenter/home', $5)",
    [id, farmId, kind, title, urgent],
  );
  if (ahead)
    await client.query("update message_deliveries set due_at = now() + interval '1 day' where message_id = $1", [id]);
  await client.query("commit");
  client.release();
  return id;
};
const deliveriesOf = (messageId: string) =>
  query<{ channel: string; state: string; fault: string; attempts: number; bundle_id: string | null }>(
    "select channel, state, fault, attempts, bundle_id from message_deliveries where message_id = $1 order by channel",
    [messageId],
  );
const own = (text: string) => createHash("sha1").update(text).digest("hex");

beforeAll(async () => {
  wechat = await startWechat();
  app = await createTestApp({
    ...wechatEnvironment,
    WECHAT_TOKEN: callbackToken,
    WECHAT_ENDPOINT: wechat.endpoint,
  });
  farm = await app.logIn("farm");
  farmId = (await query<{ id: string }>("select id::text as id from accounts where account_key = 'farm'"))[0]?.id ?? "";
  await query("update accounts set email_encrypted = $2, email_verified_at = now() where id = $1", [
    farmId,
    app.personalCipher.encrypt("farm@example.cn"),
  ]);
});
afterAll(async () => {
  await app.close();
  wechat.server.close();
});
beforeEach(async () => {
  await app.pass(86_401);
  farm = await app.logIn("farm");
  await query("truncate message_choices, message_settings, message_deliveries, wechat_bindings");
  await query("delete from messages");
  wechat.state.refuse = 0;
  wechat.state.shown.length = 0;
  wechat.state.calls = 0;
});

const bind = (openId = "openid-of-farm") =>
  query("insert into wechat_bindings (account_id, open_id_encrypted, open_id_index) values ($1, $2, $3)", [
    farmId,
    app.personalCipher.encrypt(openId),
    app.personalCipher.index(`wechat ${openId}`),
  ]);

/** What this test's sender would have sent; the app's own looks at the same rows only later. */
function sender({ nowMs = Date.now() + aheadMs, fail = "" as "" | "before" | "after" | "left" } = {}) {
  const sent: string[] = [];
  const left: string[] = [];
  const give = async (what: string) => {
    if (fail === "before") throw new Error("service away");
    if (fail === "left") throw new WechatFault("gone", true);
    sent.push(what);
  };
  const clock = { nowMs };
  const repository = deliveryRepository(app.test.database.kysely, scope);
  const deliveries = createDeliveries({
    // A server that dies right after the service took it writes nothing more.
    deliveries: fail === "after" ? { ...repository, sent: () => Promise.reject(new Error("killed")) } : repository,
    sms: { send: ({ variables }) => give(`sms ${variables.count}`) },
    mail: {
      send: ({ subject, text, messageId }) =>
        give(`mail ${subject} ${messageId}${text.includes("不想再收") ? " unsubscribe" : ""}`),
    },
    wechat: {
      available: true,
      sandbox: false,
      invite: async () => "",
      send: ({ title, messageId }) => give(`wechat ${title} ${messageId}`),
    },
    cipher: app.personalCipher,
    nextId: app.nextId,
    now: () => clock.nowMs,
    portal: "http://portal.test",
    onLeft: async (openId) => void left.push(openId),
    onError: () => undefined,
  });
  return { sent, left, clock, send: deliveries.send };
}

describe("what people choose", () => {
  test("begins with what each kind needs, and nobody turns off what is locked", async () => {
    const { kinds } = await settings();
    expect(kinds.map(({ kind }) => kind)).toEqual(messageKinds);
    for (const { kind, channels } of kinds)
      for (const { channel, locked } of channels) {
        const { status, data } = await choose(kind, channel, false);
        expect(status, `${kind} ${channel}`).toBe(locked ? 400 : 200);
        if (locked) expect(data.reason).toBe("messages.locked");
      }
    const after = await settings();
    const security = after.kinds.find(({ kind }) => kind === "security");
    expect(security?.channels.filter(({ enabled }) => enabled).map(({ channel }) => channel)).toEqual(["site", "mail"]);
    expect((await choose("alarm", "sms", true)).data.reason).toBe("messages.not_offered");
    // Also past the service: what is locked counts as on.
    await query(
      "insert into message_choices values ($1, 'security', 'mail', false) on conflict (account_id, kind, channel) do update set enabled = false",
      [farmId],
    );
    expect((await deliveriesOf(await leave("security"))).map(({ channel }) => channel)).toEqual(["mail"]);
  });

  test("is each person's own", async () => {
    await choose("service", "mail", true);
    const other = await app.logIn("liuyang");
    const mine = (of: MessageSettings) =>
      of.kinds.find(({ kind }) => kind === "service")?.channels.find(({ channel }) => channel === "mail")?.enabled;
    expect(mine(await settings())).toBe(true);
    expect(mine(await settings(other))).toBe(false);
  });

  test("a kind that somebody does not want in the list is there as read; what is urgent calls all the same", async () => {
    await choose("price", "site", false);
    await leave("price", { title: "行情" });
    await leave("system", { title: "系统" });
    await leave("price", { title: "急", urgent: true });
    const { records } = (await app.get<Page<Message>>(`${base}/message/page/user`, farm)).body.data;
    expect(records.map(({ title, status }) => [title, status])).toEqual([
      ["急", 0],
      ["系统", 0],
      ["行情", 1],
    ]);
    const counts = (await app.get<{ kind: string; unread: number }[]>(`${base}/message/counts`, farm)).body.data;
    expect(counts.find(({ kind }) => kind === "price")).toMatchObject({ total: 2, unread: 1 });
  });
});

describe("what is told outside", () => {
  test("stands in the outbox with the message, by the channels that are on and reach the person", async () => {
    await choose("service", "mail", true);
    await choose("service", "sms", true);
    expect((await deliveriesOf(await leave("service"))).map(({ channel }) => channel)).toEqual(["mail", "sms"]);
    await bind();
    expect((await deliveriesOf(await leave("service"))).map(({ channel }) => channel)).toEqual([
      "mail",
      "sms",
      "wechat",
    ]);
    await query("update accounts set email_verified_at = null where id = $1", [farmId]);
    expect((await deliveriesOf(await leave("service"))).map(({ channel }) => channel)).toEqual(["sms", "wechat"]);
    await query("update accounts set email_verified_at = now() where id = $1", [farmId]);
    // A message that is taken back takes its outbox along.
    const client = await app.test.database.pool.connect();
    await client.query("begin");
    await client.query("insert into messages (id, account_id, kind, title) values (42, $1, 'service', 'x')", [farmId]);
    await client.query("rollback");
    client.release();
    expect(await deliveriesOf("42")).toEqual([]);
  });

  test("goes once, and its message says so", async () => {
    const id = await leave("contract");
    const to = sender();
    await to.send();
    await to.send();
    expect(to.sent).toHaveLength(1);
    expect(to.sent[0]).toContain("unsubscribe");
    const { deliveries } = (await app.get<Message & { deliveries: object[] }>(`${base}/message/detail?id=${id}`, farm))
      .body.data;
    expect(deliveries).toMatchObject([{ channel: "mail", state: "sent" }]);
    const stranger = await app.logIn("liuyang");
    expect((await app.get(`${base}/message/detail?id=${id}`, stranger)).status).toBe(404);
    await leave("security");
    await to.send();
    expect(to.sent[1]).not.toContain("unsubscribe");
  });

  test("is tried again after a fault, at most five times", async () => {
    const id = await leave("contract");
    const to = sender({ fail: "before" });
    for (let at = 0; at < 7; at += 1) {
      await to.send();
      to.clock.nowMs += 3601_000;
    }
    expect(await deliveriesOf(id)).toMatchObject([{ state: "failed", attempts: 5, fault: "service away" }]);
  });

  test("a server that dies before the service took it loses nothing", async () => {
    const id = await leave("contract");
    const repository = deliveryRepository(app.test.database.kysely, scope);
    const taken = await repository.take(new Date(Date.now() + aheadMs), { leaseS: deliveryLeaseS, limit: 10 });
    expect(taken).toHaveLength(1);
    const next = sender();
    await next.send();
    expect(next.sent).toEqual([]);
    next.clock.nowMs += (deliveryLeaseS + 1) * 1000;
    await next.send();
    expect(next.sent).toHaveLength(1);
    expect((await deliveriesOf(id))[0]?.state).toBe("sent");
  });

  test("a server that dies after the service took it sends the same number again, by which it is shown once; an SMS stays one", async () => {
    await bind();
    await choose("contract", "sms", true);
    const id = await leave("contract");
    const first = sender({ fail: "after" });
    await first.send();
    const next = sender({ nowMs: Date.now() + aheadMs + (deliveryLeaseS + 1) * 1000 });
    await next.send();
    const numbers = (of: string[], channel: string) =>
      of.filter((one) => one.startsWith(channel)).map((one) => one.split(" ")[2]);
    for (const channel of ["mail", "wechat"]) {
      expect(numbers(first.sent, channel)).toHaveLength(1);
      expect(numbers(next.sent, channel)).toEqual(numbers(first.sent, channel));
    }
    expect([...first.sent, ...next.sent].filter((one) => one.startsWith("sms"))).toHaveLength(1);
    expect(await deliveriesOf(id)).toMatchObject([
      { channel: "mail", state: "sent" },
      { channel: "sms", state: "failed" },
      { channel: "wechat", state: "sent" },
    ]);
  });

  test("two servers send it once", async () => {
    for (let at = 0; at < 5; at += 1) await leave("contract", { title: `第${at}条` });
    const [one, two] = [sender(), sender()];
    await Promise.all([one.send(), two.send()]);
    expect([...one.sent, ...two.sent].filter((what) => what.startsWith("mail"))).toHaveLength(
      one.sent.length + two.sent.length,
    );
    expect(await query("select from message_deliveries where state <> 'sent'")).toEqual([]);
    expect(one.sent.length + two.sent.length).toBeLessThanOrEqual(2);
  });

  test("waits for the end of quiet hours and for the digest, but for what is urgent", async () => {
    const shanghai = (text: string) => Date.parse(`${text}+08:00`);
    const at = shanghai("2027-03-01T23:00:00");
    const of = {
      urgent: false,
      kind: "service",
      channel: "mail",
      createdAt: new Date(at),
      quietFrom: 22 * 60,
      quietTo: 6 * 60 + 30,
      digestAt: null,
    } as const;
    const quietEnd = shanghai("2027-03-02T06:30:00");
    expect(laterThan(at, of)).toBe(quietEnd);
    expect(laterThan(at, { ...of, urgent: true })).toBeUndefined();
    expect(laterThan(at, { ...of, kind: "alarm", urgent: true })).toBeUndefined();
    expect(laterThan(shanghai("2027-03-01T12:00:00"), of)).toBeUndefined();
    const digest = { ...of, quietFrom: 0, quietTo: 0, digestAt: 18 * 60 } as const;
    const noon = { ...digest, createdAt: new Date(shanghai("2027-03-01T12:00:00")) };
    expect(laterThan(noon.createdAt.getTime(), noon)).toBe(shanghai("2027-03-01T18:00:00"));
    expect(laterThan(shanghai("2027-03-01T18:00:00"), noon)).toBeUndefined();
    expect(laterThan(at, digest)).toBe(shanghai("2027-03-02T18:00:00"));
    for (const own of [{ kind: "security" }, { kind: "alarm" }, { channel: "sms" }, { urgent: true }] as const)
      expect(laterThan(noon.createdAt.getTime(), { ...noon, ...own }), JSON.stringify(own)).toBeUndefined();
  });

  test("a digest tells a day's messages in one", async () => {
    const minute = (Math.floor(Date.now() / 60_000) + 480) % 1440;
    expect((await post("/channel/submit", { digestAt: (minute + 30) % 1440 })).status).toBe(200);
    for (const title of ["一", "二", "三"]) await leave("contract", { title, ahead: false });
    const to = sender({ nowMs: Date.now() });
    await to.send();
    expect(to.sent).toEqual([]);
    to.clock.nowMs += 31 * 60_000;
    await to.send();
    expect(to.sent).toHaveLength(1);
    expect(to.sent[0]).toContain("您有 3 条消息");
    // Without a digest what waits is looked at anew.
    const id = await leave("contract");
    await post("/channel/submit", { digestAt: -1 });
    expect(
      await query("select from message_deliveries where message_id = $1 and due_at <= now() + interval '2 minutes'", [
        id,
      ]),
    ).toHaveLength(1);
  });

  test("who has no proven address any more is told nothing", async () => {
    const id = await leave("contract");
    await query("update accounts set email_verified_at = null where id = $1", [farmId]);
    const to = sender();
    await to.send();
    await query("update accounts set email_verified_at = now() where id = $1", [farmId]);
    expect(to.sent).toEqual([]);
    expect((await deliveriesOf(id))[0]?.state).toBe("dropped");
  });
});

describe("WeChat", () => {
  const sign = (more: Record<string, string> = {}) => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const nonce = "nonce-1";
    return { timestamp, nonce, signature: own([callbackToken, timestamp, nonce].sort().join("")), ...more };
  };
  const hear = async (event: string, key: string, openId: string, signed: Record<string, string> = sign()) => {
    const body = `<xml><ToUserName><![CDATA[gh_x]]></ToUserName><FromUserName><![CDATA[${openId}]]></FromUserName><CreateTime>1</CreateTime><MsgType><![CDATA[event]]></MsgType><Event><![CDATA[${event}]]></Event><EventKey><![CDATA[${key}]]></EventKey></xml>`;
    const answer = await app.http.inject({
      method: "POST",
      url: "/wechat/callback",
      query: signed,
      payload: body,
      headers: { "content-type": "text/xml" },
    });
    return { status: answer.statusCode, body: answer.body };
  };
  const bound = async (token = farm) =>
    (await app.get<{ bound: boolean }>(`${base}/channel/wechat/check`, token)).body.data.bound;

  test("a code that was asked for binds whoever scans it, once; who leaves is told nothing more", async () => {
    const { data } = await post<{ ticket: string; code: string }>("/channel/wechat/begin");
    expect(data.code).toBe(`http://weixin.qq.com/q/${data.ticket}`);
    expect(await bound()).toBe(false);
    expect((await hear("subscribe", `qrscene_${data.ticket}`, "openid-1")).body).toBe("success");
    expect(await bound()).toBe(true);
    // The code is used up: somebody else who has a picture of it binds nothing.
    await hear("SCAN", data.ticket, "openid-thief");
    const [row] = await query<{ o: string }>(
      "select open_id_encrypted as o from wechat_bindings where account_id = $1",
      [farmId],
    );
    expect(row?.o).not.toContain("openid-1");
    expect(app.personalCipher.decrypt(row?.o ?? "")).toBe("openid-1");
    await hear("unsubscribe", "", "openid-1");
    expect(await bound()).toBe(false);
    await hear("subscribe", "", "openid-1");
    expect(await bound()).toBe(true);
    await post("/channel/wechat/unbind");
    expect(await bound()).toBe(false);
  });

  test("a call that the service did not sign, or long ago, does nothing", async () => {
    const { data } = await post<{ ticket: string }>("/channel/wechat/begin");
    const old = String(Math.floor(Date.now() / 1000) - 1000);
    const forged: Record<string, string>[] = [
      { ...sign(), signature: own("x") },
      { ...sign(), nonce: "other" },
      { timestamp: old, nonce: "n", signature: own([callbackToken, old, "n"].sort().join("")) },
      {},
    ];
    for (const signed of forged) expect((await hear("SCAN", data.ticket, "openid-2", signed)).status).toBe(403);
    expect(await bound()).toBe(false);
    const check = await app.http.inject({
      method: "GET",
      url: "/wechat/callback",
      query: { ...sign(), echostr: "12345" },
    });
    expect([check.statusCode, check.body]).toEqual([200, "12345"]);
  });

  test("its messages reach the service as it wants them, with a new token when the old one is over", async () => {
    await bind();
    const answer = await post<{ arrived: boolean }>("/channel/test", { channel: "wechat" });
    expect(answer.data.arrived).toBe(true);
    expect(wechat.state.shown[0]).toMatchObject({ touser: "openid-of-farm", template_id: "template-1" });
    expect(Object.keys(wechat.state.shown[0]?.data ?? {})).toEqual(["thing1", "thing2", "time3"]);
    const tokens = wechat.state.tokens;
    wechat.state.valid = "somebody-else-asked-for-one";
    expect((await post<{ arrived: boolean }>("/channel/test", { channel: "wechat" })).data.arrived).toBe(true);
    expect(wechat.state.tokens).toBe(tokens + 1);
    wechat.state.refuse = 43004;
    expect((await post<{ arrived: boolean }>("/channel/test", { channel: "wechat" })).data).toMatchObject({
      arrived: false,
    });
  });

  test("the same number is shown once, and a text never grows beyond its place", async () => {
    const service = officialAccount({
      endpoint: wechat.endpoint,
      appId: "wx-test",
      appSecret: "app-secret",
      templateId: "t",
      templateFields: ["thing1", "thing2", "time3"],
      now: Date.now,
    });
    const message = {
      openId: "o-1",
      title: "长".repeat(50),
      content: "x",
      at: new Date("2027-01-01T00:00:00Z"),
      url: "http://portal",
      messageId: "7",
    };
    await service.send(message);
    await service.send(message);
    expect(wechat.state.calls).toBe(2);
    expect(wechat.state.shown).toHaveLength(1);
    expect([...(wechat.state.shown[0]?.data.thing1?.value ?? "")]).toHaveLength(20);
    expect(wechat.state.shown[0]?.data.time3?.value).toBe("2027-01-01 08:00");
  });

  test("who does not follow any more is not tried again", async () => {
    await bind();
    const id = await leave("service");
    const to = sender({ fail: "left" });
    await to.send();
    expect(to.left).toEqual(["openid-of-farm"]);
    expect((await deliveriesOf(id)).find(({ channel }) => channel === "wechat")).toMatchObject({
      state: "failed",
      attempts: 1,
    });
  });

  test("tries are counted, and need somewhere to go", async () => {
    expect((await post("/channel/test", { channel: "wechat" })).data.reason).toBe("messages.no_wechat");
    await bind();
    for (let at = 0; at < 5; at += 1) expect((await post("/channel/test", { channel: "wechat" })).status).toBe(200);
    expect((await post("/channel/test", { channel: "wechat" })).data.reason).toBe("messages.tests_used");
    const before = (await query("select from messages")).length;
    expect((await post<{ arrived: boolean }>("/channel/test", { channel: "site" })).data.arrived).toBe(true);
    expect(await query("select from messages")).toHaveLength(before + 1);
  });
});
