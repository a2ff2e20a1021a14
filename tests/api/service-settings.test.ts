import { createHash } from "node:crypto";
import type { PayAttemptNewest, SettingState } from "@herdwise/contract";
import { expect, test } from "vitest";
import { memoryBus } from "../../apps/server/src/providers/bus.ts";
import { createTestApp, type SharedParts, type TestApp } from "../harness/app.ts";
import { gatewaySecret, payGateway } from "../harness/pay-gateway.ts";
import { memoryBench } from "../harness/redis.ts";
import { s3Bucket, s3Key, startS3 } from "../harness/s3.ts";
import { service, tradeOf } from "../harness/trade.ts";
import { startWechat, wechatEnvironment } from "../harness/wechat.ts";

const base = "/api/muyuan-system/setting";

/** The settings of a server as an administrator works with them. */
async function settingsAt(app: TestApp) {
  const token = await app.logIn("admin", "000000");
  const states = async () =>
    new Map(
      (await app.get<{ settings: SettingState[] }>(`${base}/list`, token)).body.data.settings.map((state) => [
        state.key,
        state,
      ]),
    );
  return {
    states,
    async submit(values: Record<string, string>) {
      const held = await states();
      const changes = Object.entries(values).map(([key, value]) => ({
        key,
        value,
        version: held.get(key)?.version ?? 0,
      }));
      return app.call({ method: "POST", path: `${base}/submit`, token, body: { changes } });
    },
    async tried(of: "wechat" | "payment" | "files") {
      const answer = await app.call({ method: "POST", path: `${base}/try`, token, body: { service: of, to: "" } });
      return answer.body.data as { ok: boolean; answer: string };
    },
  };
}
const problemsOf = (answer: { body: { data: unknown } }) =>
  (answer.body.data as { problems: { field: string; reason: string }[] }).problems.map(({ field, reason }) => [
    field,
    reason,
  ]);

test("WeChat is set, tried against the service and in force at once, on other servers too", async () => {
  const wechat = await startWechat();
  const [bench, bus] = [memoryBench(), memoryBus()];
  const app = await createTestApp({}, { bench, bus } satisfies SharedParts);
  const other = await createTestApp({}, { test: app.test, bench, bus });
  try {
    const { submit, tried } = await settingsAt(app);
    expect(await tried("wechat")).toMatchObject({ ok: false, answer: "no official account is configured" });
    expect(problemsOf(await submit({ "wechat.appId": "wx-test" }))).toEqual([
      ["wechat.appSecret", "setting.needed"],
      ["wechat.token", "setting.needed"],
      ["wechat.template", "setting.needed"],
    ]);
    const account = {
      "wechat.appId": wechatEnvironment.WECHAT_APP_ID,
      "wechat.token": "the token of the callback",
      "wechat.template": wechatEnvironment.WECHAT_TEMPLATE,
      "wechat.endpoint": wechat.endpoint,
    };
    expect((await submit({ ...account, "wechat.appSecret": "another secret" })).status).toBe(200);
    expect(await tried("wechat")).toMatchObject({ ok: false, answer: "the service gave no token: 40013" });
    const saved = await submit({ "wechat.appSecret": wechatEnvironment.WECHAT_APP_SECRET });
    expect(JSON.stringify(saved.body)).not.toContain(wechatEnvironment.WECHAT_APP_SECRET);
    expect(await tried("wechat")).toMatchObject({ ok: true });
    expect(problemsOf(await submit({ "wechat.templateFields": "thing1" }))).toEqual([
      ["wechat.templateFields", "setting.places"],
    ]);
    await submit({ "wechat.templateFields": "thing1,thing9,time3" });
    expect(await tried("wechat")).toMatchObject({ ok: false, answer: "the template has no place thing9" });
    await submit({ "wechat.template": "template-2" });
    expect(await tried("wechat")).toMatchObject({ ok: false, answer: "the account has no such template" });
    // A code of the real account is shown, and its signed call is taken by both servers.
    const farm = await app.logIn("farm");
    const begun = await app.call({
      method: "POST",
      path: "/api/muyuan-message-center/channel/wechat/begin",
      token: farm,
      body: {},
    });
    expect((begun.body.data as { code: string }).code).toContain("http://weixin.qq.com/q/");
    const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), "n"];
    const signed = ["the token of the callback", timestamp, nonce].sort().join("");
    const query = { timestamp, nonce, echostr: "7", signature: createHash("sha1").update(signed).digest("hex") };
    for (const server of [app, other])
      await expect
        .poll(async () => (await server.http.inject({ method: "GET", url: "/wechat/callback", query })).body)
        .toBe("7");
    expect(wechat.state.shown).toEqual([]);
  } finally {
    await other.close();
    await app.close();
    wechat.server.close();
  }
});

test("a payment gateway is set and tried; after a change the former one still tells of what was begun there", async () => {
  const [first, second] = [await payGateway(), await payGateway()];
  const app = await createTestApp();
  try {
    const { submit, tried } = await settingsAt(app);
    const trade = await tradeOf(app);
    const plan = await trade.published({ heads: 200 });
    expect(problemsOf(await submit({ "payment.url": first.url }))).toEqual([["payment.secret", "setting.needed"]]);
    expect(await tried("payment")).toMatchObject({ ok: false, answer: "no payment gateway is configured" });
    const other = "a secret that nobody shares";
    expect((await submit({ "payment.url": `${first.url}/`, "payment.secret": other })).status).toBe(200);
    expect(await tried("payment")).toMatchObject({ ok: false, answer: "the gateway answered 401" });
    await submit({ "payment.secret": gatewaySecret });
    expect(await tried("payment")).toMatchObject({ ok: true });

    const begin = async () => {
      const { order } = await trade.accepted(plan, 10);
      const { id: payment } = await trade.paymentOf(order, "prepayment");
      return trade.done(trade.post("pay-attempt/start", { target: "payment", id: payment }, trade.tokens.owner));
    };
    const [told, asked] = [await begin(), await begin()];
    expect([...first.orders.keys()]).toEqual([told, asked]);
    await submit({ "payment.url": second.url });
    // Once more, so that the gateway of both attempts is not the last that was set before.
    await submit({ "payment.url": "" });
    expect((await app.http.inject(first.notice({ id: told }))).statusCode).toBe(200);
    expect(await trade.stateOf("pay_attempts", told)).toBe("succeeded");
    await submit({ "payment.url": second.url });
    const amountFen = first.orders.get(asked)?.amountFen ?? 0;
    first.paid.set(asked, { state: "paid", reference: "R-asked", amountFen });
    await trade.query("update pay_attempts set look_at = now() - interval '1 second' where id = $1", [asked]);
    await app.runJob("pay_attempt.look");
    expect(await trade.stateOf("pay_attempts", asked)).toBe("succeeded");
    expect([...second.orders.keys()]).toEqual([]);
    const next = await begin();
    expect([...second.orders.keys()]).toEqual([next]);
    const stored = await trade.query<{ all: string }>(
      "select (select jsonb_agg(s) from setting_secrets s)::text || (select jsonb_agg(p) from parameters p)::text as all",
    );
    expect(stored[0]?.all).not.toContain(gatewaySecret);
    const { body } = await app.get<PayAttemptNewest>(
      `${service}/pay-attempt/newest?target=payment&id=1`,
      trade.tokens.owner,
    );
    expect(body.data).toMatchObject({ offered: true });
  } finally {
    await app.close();
    first.close();
    second.close();
  }
});

test("the store of files is shown and tried, and only the environment changes it", async () => {
  const s3 = await startS3();
  const onDisk = await createTestApp();
  const environment = {
    S3_BUCKET: s3Bucket,
    S3_ENDPOINT: s3.endpoint,
    S3_KEY_ID: s3Key.id,
    S3_KEY_SECRET: s3Key.secret,
  };
  const onS3 = await createTestApp(environment);
  const misnamed = await createTestApp({ ...environment, S3_BUCKET: "another" });
  try {
    const disk = await settingsAt(onDisk);
    expect((await disk.states()).get("files.bucket")).toMatchObject({ value: "", isSet: false, lockedBy: "S3_BUCKET" });
    expect(problemsOf(await disk.submit({ "files.bucket": s3Bucket }))).toEqual([["files.bucket", "setting.locked"]]);
    const asParameter = await onDisk.call({
      method: "POST",
      path: "/api/muyuan-system/param/submit",
      token: await onDisk.logIn("admin", "000000"),
      body: { paramKey: "files.bucket", paramName: "x", paramValue: s3Bucket },
    });
    expect(problemsOf(asParameter)).toEqual([["paramKey", "setting.locked"]]);
    expect(await disk.tried("files")).toMatchObject({ ok: true });

    const bucket = await settingsAt(onS3);
    const states = await bucket.states();
    expect(states.get("files.bucket")).toMatchObject({ value: s3Bucket, isSet: true, lockedBy: "S3_BUCKET" });
    expect(states.get("files.keySecret")).toMatchObject({ value: "", isSet: true });
    expect(JSON.stringify([...states])).not.toContain(s3Key.secret);
    expect(await bucket.tried("files")).toMatchObject({ ok: true });
    expect([...s3.held]).toEqual([]);
    expect(await (await settingsAt(misnamed)).tried("files")).toMatchObject({
      ok: false,
      answer: expect.stringContaining("NoSuchBucket"),
    });
    s3.stop();
    expect(await bucket.tried("files")).toMatchObject({ ok: false, answer: expect.stringContaining("ECONNREFUSED") });
  } finally {
    await Promise.all([onDisk, onS3, misnamed].map((app) => app.close()));
    s3.stop();
  }
}, 60_000);
