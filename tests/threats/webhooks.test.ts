import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebhookDelivery, type WebhookEvent, webhookBodies, webhookEvents } from "@herdwise/contract";
import { Value } from "typebox/value";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { retryWaitsS } from "../../apps/server/src/modules/webhooks/index.ts";
import { createReceiver, verify } from "../../docs/receive-webhook.mjs";
import { createTestApp, type TestApp } from "../harness/app.ts";

// T53: forged, replayed and reordered webhooks, and receivers inside the own network; and that none is lost.
let app: TestApp;
let server: Server;
let port: number;
const base = "/api/muyuan-system/webhook";
const got: { url: string; headers: IncomingHttpHeaders; body: string }[] = [];
let answer: { status: number; body?: string; headers?: Record<string, string> } = { status: 204 };

beforeAll(async () => {
  server = createServer(async (request, reply) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    got.push({ url: request.url ?? "", headers: request.headers, body });
    reply.writeHead(answer.status, answer.headers);
    reply.end(answer.body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
  app = await createTestApp({ WEBHOOK_NETWORKS: "127.0.0.0/8" });
});
afterAll(async () => {
  server.close();
  await app.close();
});
beforeEach(async () => {
  await app.pass(61);
  await app.test.database.pool.query("delete from webhooks");
  got.length = 0;
  answer = { status: 204 };
});

const post = async <Reply>(path: string, body: object, account = "farm") => {
  const { status, body: answered } = await app.call({
    method: "POST",
    path: `${base}/${path}`,
    body,
    token: await app.logIn(account),
  });
  return { status, data: answered.data as Reply & { reason?: string } };
};
const every = webhookEvents.map(([event]) => event);
let hooks = 0;
async function addHook(address = `http://127.0.0.1:${port}/in`, events: readonly string[] = every, withSecret = true) {
  hooks += 1;
  const { data } = await post<{ id: string }>("submit", { name: `hook ${hooks}`, address, events, active: true });
  const secret = withSecret ? (await post<{ secret: string }>("secret", { id: data.id })).data.secret : "";
  return { id: data.id, secret };
}
const log = async (id: string): Promise<WebhookDelivery[]> =>
  (await app.get<{ records: WebhookDelivery[] }>(`${base}/delivery/page?webhookId=${id}`, await app.logIn("farm"))).body
    .data.records;
const sql = (text: string, values: unknown[] = []) => app.test.database.pool.query(text, values);
const arrived = (count: number) => vi.waitFor(() => expect(got).toHaveLength(count), { timeout: 20_000, interval: 50 });
/** Makes one alarm of the tenant, as the log of alarms does. */
const raise = async (tenantId = "100002"): Promise<string> => {
  const id = app.nextId();
  await sql(
    `insert into alarms (id, tenant_id, device_id, kind, rule_id, severity, since_at, raised_at)
     select $1, tenant_id, id, kind, $3, 3, now(), now() from devices where tenant_id = $2 and bound_at is not null limit 1`,
    [id, tenantId, `test-${id}`],
  );
  return id;
};

describe("what a receiver can trust", () => {
  const body = '{"type":"test"}';
  const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
  const sign = (id: string, time: number, text: string, key = secret) => ({
    "webhook-id": id,
    "webhook-timestamp": String(time),
    "webhook-signature": `v1,${createHmac("sha256", Buffer.from(key.slice(6), "base64"))
      .update(`${id}.${time}.${text}`)
      .digest("base64")}`,
  });
  const now = Math.floor(Date.now() / 1000);

  test("a message of the portal passes; an altered byte, id or time, another secret, an old or coming time, and none do not", async () => {
    const { id, secret: shown } = await addHook();
    await post("try", { id });
    await arrived(1);
    const [sent] = got;
    if (sent === undefined) throw new Error("nothing came");
    expect(verify(shown, sent.headers, sent.body)).toEqual(JSON.parse(sent.body));
    expect(() => verify(shown, sent.headers, sent.body.replace("test", "tesT"))).toThrow("signature");
    expect(() => verify(secret, sent.headers, sent.body)).toThrow("signature");
    expect(() => verify(shown, { ...sent.headers, "webhook-id": "msg_other" }, sent.body)).toThrow("signature");
    const later = String(Number(sent.headers["webhook-timestamp"]) + 1);
    expect(() => verify(shown, { ...sent.headers, "webhook-timestamp": later }, sent.body)).toThrow("signature");
    expect(() => verify(shown, sent.headers, sent.body, now + 1000)).toThrow("too old");
    expect(() => verify(shown, {}, sent.body)).toThrow("not signed");
  });

  test("recorded messages: an old time is refused though its signature is right, and signatures of other versions count nothing", () => {
    expect(() => verify(secret, sign("m", now - 400, body), body)).toThrow("too old");
    expect(() => verify(secret, sign("m", now + 400, body), body)).toThrow("too old");
    const good = sign("m", now, body);
    expect(() =>
      verify(secret, { ...good, "webhook-signature": good["webhook-signature"].replace("v1,", "v0,") }, body),
    ).toThrow("signature");
    expect(
      verify(secret, { ...good, "webhook-signature": `v1,AAAA ${good["webhook-signature"]}` }, body),
    ).toBeDefined();
  });

  test("the sample receiver takes a message once, however often it comes", async () => {
    const taken: object[] = [];
    const receiver = createReceiver(secret, (event) => taken.push(event)).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const send = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, { method: "POST", headers, body });
    expect((await send(sign("m1", now, body))).status).toBe(204);
    expect((await send(sign("m1", now, body))).status).toBe(204);
    expect((await send(sign("m2", now - 1000, body))).status).toBe(401);
    expect((await send({})).status).toBe(401);
    expect(taken).toEqual([{ type: "test" }]);
    receiver.close();
  });
});

describe("receivers inside", () => {
  test("without leave neither addresses nor names that lead inside are reached", async () => {
    const closed = await createTestApp();
    const token = await closed.logIn("farm");
    const call = (path: string, body: object) => closed.call({ method: "POST", path: `${base}/${path}`, body, token });
    try {
      for (const address of [
        `http://127.0.0.1:${port}/canary`,
        `https://127.0.0.1:${port}/canary`,
        "https://169.254.169.254/latest/meta-data",
        "https://[::ffff:127.0.0.1]/canary",
        "https://localhost/canary",
        "https://2130706433/canary",
        "http://93.184.215.14/plain",
      ]) {
        await closed.pass(61);
        const { body } = await call("submit", { name: address, address, events: ["alarm.raised"], active: true });
        const { id } = body.data as { id: string };
        await call("secret", { id });
        const { data } = (await call("try", { id })).body as { data: WebhookDelivery };
        expect([data.state, data.status], address).toEqual(["failed", 0]);
        expect(["inside", "plain", "unknown"], address).toContain(data.fault);
      }
    } finally {
      await closed.close();
    }
    expect(got).toEqual([]);
  });

  test("a redirect is not followed and is a failure", async () => {
    answer = { status: 307, headers: { location: `http://127.0.0.1:${port}/elsewhere` } };
    const { id } = await addHook();
    const { data } = await post<WebhookDelivery>("try", { id });
    expect([data.state, data.status]).toEqual(["failed", 307]);
    expect(got.map(({ url }) => url)).toEqual(["/in"]);
  });

  test("a new address gets nothing until it has a secret of its own", async () => {
    const { id } = await addHook();
    const { rows } = await sql("select version from webhooks where id = $1", [id]);
    const moved = { id, version: rows[0]?.version, address: `http://127.0.0.1:${port}/other` };
    expect((await post("submit", moved)).status).toBe(200);
    await raise();
    expect((await post("try", { id })).data.reason).toBe("webhook.no_secret");
    expect((await log(id)).length).toBe(0);
  });
});

describe("what is sent", () => {
  test("each event has the body of the contract, of its tenant alone, and no name or phone of a person", async () => {
    const { id } = await addHook();
    const foreign = await raise("100003");
    const alarmId = await raise();
    await sql("update alarms set ended_at = now() where id = $1", [alarmId]);
    await sql(
      `insert into work_orders (id, tenant_id, number, type, title, description, first_due_at)
       values ($1, '100002', 'SH-1', 'complaint', 'x', 'x', now())`,
      [app.nextId()],
    );
    await sql("update work_orders set state = 'in_process' where number = 'SH-1'");
    await sql(
      `insert into device_bindings (id, tenant_id, device_id, device_name, serial_number, bound_at)
       select $1, tenant_id, id, name, serial_number, now() from devices d where tenant_id = '100002'
          and not exists (select from device_bindings b where b.device_id = d.id and b.unbound_at is null) limit 1`,
      [app.nextId()],
    );
    await sql(
      "update device_bindings set unbound_at = now() where tenant_id = '100002' and bound_at > now() - interval '1 minute'",
    );
    const { rows } = await sql("select event, body from webhook_deliveries where webhook_id = $1 order by created_at", [
      id,
    ]);
    expect(rows.map(({ event }) => event)).toEqual([
      "alarm.raised",
      "alarm.ended",
      "work_order.changed",
      "work_order.changed",
      "device.bound",
      "device.unbound",
    ]);
    for (const { event, body } of rows) {
      const schema = webhookBodies[event as WebhookEvent];
      expect([...Value.Errors(schema, body)], event).toEqual([]);
      expect(Object.keys(body.data).toSorted()).toEqual(Object.keys(schema.properties.data.properties).toSorted());
    }
    expect(JSON.stringify(rows)).not.toContain(foreign);
    await arrived(rows.length);
  });

  test("orders and contracts: each state that the customer may see, and no draft", async () => {
    const { id } = await addHook();
    // Rows as the trade and the desk write them, without what stands behind them.
    await sql("alter table sale_orders drop constraint if exists sale_orders_plan_fk");
    await sql("alter table contracts drop constraint if exists contracts_template_fk");
    await sql(
      `insert into sale_orders (id, tenant_id, number, plan, heads, price_per_kg, expected_fen, pay_by, state)
       values (1, '100002', 'DD-1', 1, 30, 1600, 1, now(), 'waiting_payment')`,
    );
    await sql("update sale_orders set state = 'confirmed' where id = 1");
    await sql("update sale_orders set plate = 'x' where id = 1");
    const contract = (own: number) =>
      sql(
        `insert into contracts (id, tenant_id, number, template_id, template_version, kind, title, sign_days)
         values ($1, '100002', $2, 1, 1, 'sale', 'x', 7)`,
        [own, `HT-${own}`],
      );
    await contract(1);
    await contract(2);
    await sql("update contracts set state = 'withdrawn' where id = 1");
    await sql("update contracts set state = 'sent' where id = 2");
    await sql("update contracts set state = 'signed' where id = 2");
    const { rows } = await sql(
      "select event, body from webhook_deliveries where webhook_id = $1 order by created_at, id",
      [id],
    );
    expect(rows.map(({ event, body }) => `${event} ${body.data.number} ${body.data.state}`).toSorted()).toEqual([
      "contract.changed HT-2 sent",
      "contract.changed HT-2 signed",
      "sale_order.changed DD-1 confirmed",
      "sale_order.changed DD-1 waiting_payment",
    ]);
    for (const { event, body } of rows)
      expect([...Value.Errors(webhookBodies[event as WebhookEvent], body)]).toEqual([]);
  });

  test("a device that begins or stops reporting is told of once", async () => {
    const { id } = await addHook(undefined, ["device.online", "device.offline"]);
    const ofTenant =
      "select device_id, online from webhook_devices where tenant_id = '100002' order by device_id limit 2";
    await vi.waitFor(async () => expect((await sql(ofTenant)).rowCount).toBe(2), { timeout: 20_000 });
    const { rows: devices } = await sql(ofTenant);
    for (const [at, device] of devices.entries()) {
      const until = device.online ? "now() - interval '1 s'" : "now() + interval '1 hour'";
      await sql(
        `insert into device_states (device_id, online_until) values ($1, ${until}) on conflict (device_id) do update set online_until = excluded.online_until`,
        [device.device_id],
      );
      await arrived(at + 1);
      expect(JSON.parse(got[at]?.body ?? "")).toMatchObject({
        type: device.online ? "device.offline" : "device.online",
        data: { deviceId: device.device_id },
      });
    }
    // The comparison that found the second device had the first one before it, too.
    expect(await log(id)).toHaveLength(2);
  });

  test("what is rolled back is told to nobody", async () => {
    const { id } = await addHook();
    const client = await app.test.database.pool.connect();
    await client.query("begin");
    await client.query(
      `insert into alarms (id, tenant_id, device_id, kind, rule_id, severity, since_at, raised_at)
       select 77, tenant_id, id, kind, 'rolled-back', 3, now(), now() from devices where tenant_id = '100002' and bound_at is not null limit 1`,
    );
    await client.query("rollback");
    client.release();
    expect(await log(id)).toEqual([]);
  });
});

describe("retries and the log", () => {
  test("a failure is tried again later under the same id, the log has status, time and the answer's beginning, then it is delivered", async () => {
    answer = { status: 503, body: `busy ${"x".repeat(5000)}` };
    const { id, secret } = await addHook();
    await raise();
    await arrived(1);
    await vi.waitFor(async () => expect((await log(id))[0]?.status).toBe(503), { timeout: 10_000 });
    const [waiting] = await log(id);
    expect(waiting).toMatchObject({ state: "waiting", attempts: 1, status: 503 });
    expect(waiting?.answer.length).toBeLessThanOrEqual(500);
    expect(waiting?.nextTime).not.toBe("");
    answer = { status: 200, body: "ok" };
    await sql("update webhook_deliveries set next_at = now()");
    await arrived(2);
    await vi.waitFor(async () => expect((await log(id))[0]?.state).toBe("delivered"), { timeout: 10_000 });
    expect(got[1]?.headers["webhook-id"]).toBe(got[0]?.headers["webhook-id"]);
    expect(got[1]?.body).toBe(got[0]?.body);
    expect(verify(secret, got[1]?.headers ?? {}, got[1]?.body ?? "")).toBeDefined();
  });

  test("waits grow from seconds to a day; after the last a message has failed and is sent again by hand", async () => {
    expect(retryWaitsS[0]).toBe(10);
    expect(retryWaitsS.at(-1)).toBe(86_400);
    expect(retryWaitsS.every((wait, at) => at === 0 || wait > (retryWaitsS[at - 1] ?? 0))).toBe(true);
    answer = { status: 500 };
    const { id } = await addHook();
    await raise();
    await arrived(1);
    await vi.waitFor(async () => expect((await log(id))[0]?.status).toBe(500), { timeout: 10_000 });
    await sql("update webhook_deliveries set attempts = $1, next_at = now()", [retryWaitsS.length]);
    await arrived(2);
    await vi.waitFor(async () => expect((await log(id))[0]?.state).toBe("failed"), { timeout: 10_000 });
    answer = { status: 204 };
    const [failed] = await log(id);
    expect((await post<WebhookDelivery>("resend", { id: failed?.id, webhookId: id })).data.state).toBe("delivered");
    expect((await post("resend", { id: failed?.id, webhookId: id }, "worker")).status).toBe(403);
  });

  test("a kill between the take and the answer loses nothing: after the lease the message is sent again", async () => {
    const { id } = await addHook();
    // As a server leaves it that was killed while it sent.
    await sql(
      `insert into webhook_deliveries (webhook_id, tenant_id, event, body, attempts, next_at)
       values ($1, '100002', 'test', '{"type":"test"}', 1, now() + interval '2 s')`,
      [id],
    );
    expect(got).toEqual([]);
    await arrived(1);
  });

  test("one that hangs holds up no other", async () => {
    const hanging = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(hanging, "listening");
    const slow = await addHook(`http://127.0.0.1:${(hanging.address() as AddressInfo).port}/`);
    for (let at = 0; at < 20; at += 1) await raise();
    const { id } = await addHook();
    await raise();
    await vi.waitFor(async () => expect((await log(id))[0]?.state).toBe("delivered"), { timeout: 5000 });
    expect((await log(slow.id)).every(({ state }) => state === "waiting")).toBe(true);
    hanging.closeAllConnections();
    hanging.close();
  });

  test("after days of failures, and at 410, it is turned off and its managers are told", async () => {
    answer = { status: 500 };
    const { id } = await addHook();
    await sql("update webhooks set failing_since = now() - interval '6 days'");
    await raise();
    await vi.waitFor(
      async () => expect((await sql("select from webhooks where stopped and not active")).rowCount).toBe(1),
      {
        timeout: 20_000,
      },
    );
    const { rowCount } = await sql(
      "select from messages m join accounts a on a.id = m.account_id where a.account = 'farm' and m.title = '一个推送地址停用了' and m.link like '%row=%'",
    );
    expect(rowCount).toBe(1);
    answer = { status: 410 };
    const other = await addHook();
    await raise();
    await vi.waitFor(
      async () => expect((await sql("select from webhooks where id = $1 and stopped", [other.id])).rowCount).toBe(1),
      {
        timeout: 20_000,
      },
    );
    expect(id).not.toBe(other.id);
  });

  test("another tenant's webhook is a 404, its log too, and the secret stands nowhere", async () => {
    const { id, secret } = await addHook();
    const { data: sent } = await post<WebhookDelivery>("try", { id });
    expect(sent.state).toBe("delivered");
    expect((await post("secret", { id }, "admin")).status).toBe(404);
    expect((await post("try", { id }, "admin")).status).toBe(404);
    // With a webhook of its own and a message of another.
    const { data: own } = await post<{ id: string }>(
      "submit",
      { name: "own", address: `http://127.0.0.1:${port}/own`, events: every, active: true },
      "admin",
    );
    await post("secret", { id: own.id }, "admin");
    expect((await post("resend", { id: sent.id, webhookId: own.id }, "admin")).status).toBe(404);
    expect((await post("resend", { id: sent.id, webhookId: id }, "admin")).status).toBe(404);
    const admin = await app.logIn("admin");
    const foreign = await app.get<{ records: unknown[] }>(`${base}/delivery/page?webhookId=${id}`, admin);
    expect(foreign.body.data.records).toEqual([]);
    expect(await log(id)).toHaveLength(1);
    expect(got).toHaveLength(1);
    const { dumpOf } = await import("./database-snapshot.ts");
    const dump = await dumpOf(app.test.database.pool);
    for (const form of [secret, secret.slice(6), Buffer.from(secret.slice(6), "base64").toString("hex")]) {
      expect(dump).not.toContain(form);
      expect(app.logged.join("\n")).not.toContain(form);
    }
  });
});
