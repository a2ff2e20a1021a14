import {
  closeDays,
  type DeskFigures,
  type DeskOrderDetail,
  mostUrges,
  type Page,
  type PublicSuggestion,
  type WorkOrder,
  type WorkOrderDetail,
  type WorkOrderEvent,
  type WorkOrderType,
  workOrderProcess,
  workOrderTypes,
} from "@herdwise/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { everyStep, passerBy } from "../harness/every-step.ts";
import { film, filmedAt } from "../harness/film.ts";
import { md5 } from "../harness/session.ts";
import { picture, upload } from "../harness/upload.ts";

let app: TestApp;
let passwordHash: string;
/** Who raises, a colleague with the right, one without, another customer's owner, two clerks. */
let raiser: string;
let member: string;
let reader: string;
let stranger: string;
let admin: string;
let clerk: string;
let clerkId: string;

const base = "/api/muyuan-work-order";
const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query<Row>(text, values)).rows;
interface Refused {
  reason?: string;
  values?: Record<string, unknown>;
}
const post = async <Data = Refused>(path: string, body: unknown, token: string) => {
  const answer = await app.call({ method: "POST", path: `${base}${path}`, body, token });
  return { status: answer.status, data: answer.body.data as Data };
};
const get = async <Data>(path: string, token?: string) => {
  const answer = await app.get<Data>(`${base}${path}`, token);
  return { status: answer.status, data: answer.body.data, raw: JSON.stringify(answer.body) };
};

let made = 0;
async function person(role: string, tenantId: string): Promise<{ token: string; id: string }> {
  made += 1;
  const account = `order-person-${made}`;
  const [id, membership] = [app.nextId(), app.nextId()];
  await query(
    "insert into accounts (id, account, account_key, type, password_hash, real_name, nick_name) values ($1, $2, $2, 'personal', $3, $4, $4)",
    [id, account, passwordHash, `某人${made}`],
  );
  await query("insert into memberships (id, account_id, tenant_id) values ($1, $2, $3)", [membership, id, tenantId]);
  await query("insert into membership_roles select $1, id from roles where tenant_id = $2 and role_alias = $3", [
    membership,
    tenantId,
    role,
  ]);
  return { token: await app.logIn(account), id };
}

const things: Readonly<Record<WorkOrderType, string>> = {
  after_sales: "after-sales",
  complaint: "complaint",
  suggestion: "suggestion",
};
const bodies: Readonly<Record<WorkOrderType, object>> = {
  after_sales: { title: "风机电流高", description: "声音发闷", repairMode: "remote" },
  complaint: { title: "配件晚到", description: "等了七天", category: "delivery" },
  suggestion: { title: "分开告警声", description: "夜里分不清", category: "product" },
};
async function raise(type: WorkOrderType, more: object = {}, token = raiser): Promise<string> {
  const { status, data } = await post<{ id: string }>(`/${things[type]}/submit`, { ...bodies[type], ...more }, token);
  expect(status).toBe(200);
  return data.id;
}
const detail = async (id: string, type: WorkOrderType = "after_sales", token = raiser) =>
  (await get<WorkOrderDetail>(`/${things[type]}/detail?id=${id}`, token)).data;
const atDesk = async (id: string, token = admin) => (await get<DeskOrderDetail>(`/desk/detail?id=${id}`, token)).data;
const act = async (verb: string, id: string, body: object = {}, token = admin) =>
  post(`/desk/${verb}`, { id, version: (await atDesk(id)).version, ...body }, token);
const messagesOf = (accountId: string) =>
  query<{ title: string; content: string; link: string; kind: string }>(
    "select title, content, link, kind from messages where account_id = $1 order by id desc",
    [accountId],
  );
const accountId = async (account: string): Promise<string> =>
  (await query<{ id: string }>("select id::text as id from accounts where account_key = $1", [account]))[0]?.id ?? "";

beforeAll(async () => {
  app = await createTestApp();
  passwordHash = await app.hashPassword(md5(demoPassword));
  raiser = (await person("veterinarian", "100002")).token;
  member = (await person("worker", "100002")).token;
  reader = (await person("finance", "100002")).token;
  stranger = (await person("owner", "100003")).token;
  admin = await app.logIn("admin");
  ({ token: clerk, id: clerkId } = await person("customer_service", "000000"));
});
afterAll(() => app.close());
beforeEach(() => app.pass(61));

/** How each event is asked for, with what it needs. */
const asked: Readonly<Record<Exclude<WorkOrderEvent, "close">, { path: string; body: () => object }>> = {
  reply: { path: "/order/reply", body: () => ({ body: "好的" }) },
  urge: { path: "/order/urge", body: () => ({}) },
  receive: { path: "/order/receive", body: () => ({}) },
  cancel: { path: "/order/cancel", body: () => ({}) },
  rate: { path: "/order/rate", body: () => ({ rating: 5 }) },
  reopen: { path: "/order/reopen", body: () => ({ body: "又犯了" }) },
  claim: { path: "/desk/claim", body: () => ({}) },
  assign: { path: "/desk/assign", body: () => ({ accountId: clerkId }) },
  answer: { path: "/desk/answer", body: () => ({ body: "收到" }) },
  ask: { path: "/desk/answer", body: () => ({ body: "请拍照", ask: true }) },
  note: { path: "/desk/note", body: () => ({ body: "批次问题" }) },
  ship: { path: "/desk/ship", body: () => ({ items: "轴承", carrier: "示例快递" }) },
  arrive: { path: "/desk/arrive", body: () => ({}) },
  remote: { path: "/desk/remote", body: () => ({ minutes: 20, body: "看过了" }) },
  redirect: { path: "/desk/redirect", body: () => ({ repairMode: "return_factory" }) },
  complete: { path: "/desk/complete", body: () => ({ body: "换了轴承" }) },
  merge: { path: "/desk/merge", body: () => ({ intoNumber: "" }) },
  adopt: { path: "/desk/decide", body: () => ({ adopted: true, body: "采纳" }) },
  reject: { path: "/desk/decide", body: () => ({ adopted: false, body: "暂不" }) },
  publish: { path: "/desk/publish", body: () => ({ published: true }) },
};

describe("the table of states", () => {
  test.each(workOrderTypes)(
    "of %s holds for every state, event and party, and each step is audited, told in the history and to whom it concerns",
    async (type) => {
      const id = await raise(type);
      const target = await raise(type);
      const [{ number = "" } = {}] = await query<{ number: string }>("select number from work_orders where id = $1", [
        target,
      ]);
      let puts = 0;
      const tried = await everyStep(workOrderProcess, {
        query,
        kind: type,
        table: "work_orders",
        id: () => id,
        history: ["work_order_entries", "work_order_id"],
        callers: [
          { name: "raiser", token: raiser, party: "raiser" },
          { name: "member", token: member, party: "member" },
          { name: "member without the right", token: reader, party: undefined },
          { name: "other tenant", token: stranger, party: undefined },
          passerBy,
          { name: "desk", token: admin, party: "desk" },
          { name: "clock", token: "", party: "clock" },
        ],
        async put(state, event) {
          puts += 1;
          // Calls are counted by the minute.
          if (puts % 40 === 0) await app.pass(61);
          await query(
            `update work_orders set state = $2, version = 1, assignee_id = null, urges = 0, urged_at = null, merged_into = null, rating = null,
               solved_at = case when $2 in ('completed', 'closed') then now() - make_interval(days => $3) end where id = $1`,
            [id, state, event === "close" ? closeDays + 1 : 0],
          );
        },
        async ask(event, { token, party }) {
          if (party === "clock") {
            if (event !== "close") return "no way";
            await app.runJob("work-orders.close");
            return undefined;
          }
          if (event === "close") return "no way";
          const { path, body } = asked[event];
          const sent = {
            id,
            ...body(),
            ...(event === "merge" && { intoNumber: number }),
            ...(path.startsWith("/desk") && { version: 1 }),
          };
          return (await post(path, sent, token)).status;
        },
        // Rated orders have nobody in hand here.
        toldElsewhere: ["rate"],
      });
      expect(tried).toBeGreaterThan(900);
    },
    60_000,
  );

  test("another customer's order looks like one that is not there, and nobody of theirs may be told apart", async () => {
    const id = await raise("after_sales");
    const theirs = await get(`/after-sales/detail?id=${id}`, stranger);
    const none = await get("/after-sales/detail?id=123456789", stranger);
    expect([theirs.status, theirs.raw]).toEqual([404, none.raw]);
    expect((await get(`/complaint/detail?id=${id}`, raiser)).status).toBe(404);
    expect(
      (await get<Page<WorkOrder>>("/after-sales/page", stranger)).data.records.map((order) => order.id),
    ).not.toContain(id);
    // The desk is the group's alone.
    expect((await get("/desk/page?queue=all", stranger)).status).toBe(403);
    expect((await get("/desk/page?queue=all", await app.logIn("farm"))).status).toBe(403);
  });
});

describe("an after-sales order", () => {
  test("goes from the customer to the desk and back, with messages at each step", async () => {
    const id = await raise("after_sales");
    const first = await detail(id);
    expect(first).toMatchObject({ state: "pending", assignee: "", mine: true, urges: 0 });
    expect(first.number).toMatch(/^SH-\d{6}-\d{3}$/);
    expect(first.may).toEqual(["reply", "urge", "receive", "cancel"]);
    expect((await messagesOf(clerkId))[0]).toMatchObject({
      title: "有新的售后工单",
      content: `${first.number} · 风机电流高`,
      link: `/customer/workOrder/detail?id=${id}`,
      kind: "service",
    });
    expect((await act("claim", id, {}, clerk)).status).toBe(200);
    expect((await act("answer", id, { body: "先降到 40%" }, clerk)).status).toBe(200);
    expect((await act("ship", id, { items: "轴承 ×2", carrier: "示例快递", tracking: "SF1" }, clerk)).status).toBe(200);
    expect((await post("/order/receive", { id }, member)).status).toBe(200);
    expect((await act("complete", id, { body: "换了轴承" }, clerk)).status).toBe(200);
    expect((await post("/order/rate", { id, rating: 4, body: "快" }, raiser)).status).toBe(200);
    const last = await detail(id);
    expect(last).toMatchObject({ state: "closed", rating: 4 });
    expect(last.entries.map(({ what }) => what)).toEqual([
      "raise",
      "claim",
      "answer",
      "ship",
      "receive",
      "complete",
      "rate",
    ]);
    expect(last.entries[3]).toMatchObject({ items: "轴承 ×2", carrier: "示例快递", tracking: "SF1" });
    const [owner] = await query<{ id: string }>("select created_by::text as id from work_orders where id = $1", [id]);
    expect((await messagesOf(owner?.id ?? "")).slice(0, 4).map(({ title }) => title)).toEqual([
      "处理完成，请评价",
      "配件寄出了",
      "客服答复了",
      "有人在处理了",
    ]);
    expect((await messagesOf(clerkId))[0]?.title).toBe("客户评价了");
  });

  test("of a device carries its last 24 hours, which stay as they were", async () => {
    const [device] = await query<{ id: string; serialNumber: string; unitId: string }>(
      `select id::text as id, serial_number as "serialNumber", unit_id::text as "unitId" from devices
        where tenant_id = '100002' and kind = 'environment' order by id limit 1`,
    );
    if (!device) throw new Error("the demo has no environment controller");
    await app.report(device.serialNumber, { t_in: 21.4, fan_2_a: 4.2 });
    await query(
      `insert into alarms (id, tenant_id, device_id, kind, rule_id, severity, since_at, raised_at, facts)
       values ($1, '100002', $2, 'environment', 'fan_current', 3, now() - interval '2 hours', now() - interval '2 hours', '{"key":"fan_2_a"}')`,
      [app.nextId(), device.id],
    );
    const id = await raise("after_sales", { deviceId: device.id });
    const { snapshot, deviceName, productId, place } = await detail(id);
    expect(snapshot).toMatchObject({ serialNumber: device.serialNumber, kind: "environment", mode: "normal" });
    expect(snapshot?.alarms).toMatchObject([{ ruleId: "fan_current", severity: "MAJOR" }]);
    // What the alarm is about comes first.
    expect(snapshot?.series[0]).toMatchObject({ key: "fan_2_a", points: [[expect.any(Number), 4.2]] });
    expect([deviceName, productId, place]).toEqual([snapshot?.deviceName, "environment", snapshot?.place]);
    await app.report(device.serialNumber, { t_in: 30, fan_2_a: 9 });
    await query("update units set mode = 'washing' where id = $1", [device.unitId]);
    await query("delete from alarms where device_id = $1 and rule_id = 'fan_current'", [device.id]);
    expect((await detail(id)).snapshot).toEqual(snapshot);
    expect((await atDesk(id)).snapshot).toEqual(snapshot);
    await query("update units set mode = 'normal' where id = $1", [device.unitId]);
    // Nobody takes the readings of another customer's device along.
    const theirs = await post("/after-sales/submit", { ...bodies.after_sales, deviceId: device.id }, stranger);
    expect(theirs.status).toBe(404);
  });

  test("is kept without what nobody sees in a pasted text, and with its lines", async () => {
    const pasted = { title: "\u202e风机\u200b电流高\u00a0", description: "声音\u200b发闷\r\n\u3000夜里更响 " };
    const order = await detail(await raise("after_sales", pasted));
    expect(order).toMatchObject({ title: "风机电流高", description: "声音发闷\n\u3000夜里更响" });
  });

  test("keeps photos of whoever uploaded them, and of nobody else", async () => {
    const mine = await upload(app, raiser, await picture("png"), "fan.png", { query: { visibility: "shared" } });
    const { name } = mine.body.data as { name: string };
    const id = await raise("after_sales", { photos: [name] });
    expect((await detail(id)).entries[0]?.photos).toEqual([name]);
    const taken = await post("/order/reply", { id, body: "看这张", photos: [name] }, member);
    expect([taken.status, taken.data.reason]).toEqual([400, "work_order.photo"]);
    // Refused as a whole: nothing was said.
    expect((await detail(id)).entries).toHaveLength(1);
  });

  test("takes a film, without the place where it was taken, and a player gets the parts that it asks for", async () => {
    const sent = film();
    const mine = await upload(app, raiser, sent, "fan.mov", { query: { visibility: "shared" } });
    const { name } = mine.body.data;
    expect(name).toMatch(/\.mp4$/);
    const id = await raise("after_sales", { photos: [name] });
    expect((await detail(id)).entries[0]?.photos).toEqual([name]);
    expect((await atDesk(id)).entries[0]?.photos).toEqual([name]);
    const get = (range?: string) =>
      app.http.inject({ method: "GET", url: `/files/${name}`, ...(range && { headers: { range } }) });
    const whole = await get();
    expect([whole.statusCode, whole.headers["content-type"], whole.headers["accept-ranges"]]).toEqual([
      200,
      "video/mp4",
      "bytes",
    ]);
    expect(whole.rawPayload.length).toBe(sent.length);
    expect(whole.rawPayload.toString("latin1")).not.toContain(filmedAt);
    const part = await get("bytes=100000-100099");
    expect([part.statusCode, part.headers["content-range"], part.headers["content-length"]]).toEqual([
      206,
      `bytes 100000-100099/${sent.length}`,
      "100",
    ]);
    expect(part.rawPayload.equals(whole.rawPayload.subarray(100_000, 100_100))).toBe(true);
    expect((await get(`bytes=${sent.length}-`)).statusCode).toBe(416);
    const wrong = await upload(app, raiser, Buffer.from("<html>"), "fan.mp4");
    expect([wrong.status, (wrong.body.data as unknown as Refused).reason]).toEqual([400, "upload.video_unreadable"]);
  });

  test("sent twenty times at once is one order", async () => {
    const requestKey = "form-of-a-shaky-line";
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        post<{ id: string; number: string }>("/after-sales/submit", { ...bodies.after_sales, requestKey }, raiser),
      ),
    );
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    const rows = await query("select from work_orders where request_key = $1", [requestKey]);
    expect(rows).toHaveLength(1);
  });

  test("is urged every two hours at most, and five times at all", async () => {
    const id = await raise("after_sales");
    expect((await post("/order/urge", { id }, raiser)).status).toBe(200);
    expect((await post("/order/urge", { id }, member)).data.reason).toBe("work_order.urged_lately");
    expect((await detail(id)).may).not.toContain("urge");
    const hoursPass = () =>
      query("update work_orders set urged_at = urged_at - interval '121 minutes' where id = $1", [id]);
    for (let count = 1; count < mostUrges; count += 1) {
      await hoursPass();
      expect((await post("/order/urge", { id }, raiser)).status).toBe(200);
    }
    await hoursPass();
    expect((await post("/order/urge", { id }, raiser)).data.reason).toBe("work_order.urged_enough");
  });

  test("is reopened within fifteen days, with a new time", async () => {
    const id = await raise("after_sales");
    await act("claim", id);
    await act("complete", id, { body: "好了" });
    await query(
      "update work_orders set solved_at = now() - interval '14 days', solve_due_at = now() - interval '14 days' where id = $1",
      [id],
    );
    expect((await post("/order/reopen", { id, body: "又犯了" }, member)).status).toBe(200);
    const again = await detail(id);
    expect(again.state).toBe("in_process");
    expect(again.minutesLeft).toBeGreaterThan(470);
    await act("complete", id, { body: "又好了" });
    await query("update work_orders set solved_at = now() - interval '16 days' where id = $1", [id]);
    expect((await post("/order/reopen", { id, body: "还是不行" }, raiser)).data.reason).toBe("work_order.too_late");
  });

  test("the list has six months and all that is open; a search has everything", async () => {
    const [recent, old, openOld] = [
      await raise("after_sales"),
      await raise("after_sales", { title: "旧风机很旧" }),
      await raise("after_sales"),
    ];
    await query("update work_orders set created_at = now() - interval '7 months' where id = any($1::bigint[])", [
      [old, openOld],
    ]);
    await query("update work_orders set state = 'closed' where id = $1", [old]);
    const ids = async (more = "") =>
      (await get<Page<WorkOrder>>(`/after-sales/page?size=100${more}`, raiser)).data.records.map(({ id }) => id);
    expect(await ids()).toEqual(expect.arrayContaining([recent, openOld]));
    expect(await ids()).not.toContain(old);
    expect(await ids(`&keyword=${encodeURIComponent("旧风机很旧")}`)).toEqual([old]);
  });
});

test("what waits for the customer is first, then what is due first, then what is closed", async () => {
  const raiseWith = async (set: string) => {
    const id = await raise("after_sales");
    await query(`update work_orders set ${set} where id = $1`, [id]);
    return id;
  };
  const late = await raiseWith("first_due_at = now() - interval '1 day'");
  const closed = await raiseWith("state = 'closed'");
  const soon = await raiseWith("first_due_at = now() + interval '1 hour'");
  const waiting = await raiseWith("state = 'waiting_customer', first_answered_at = now(), solve_due_at = null");
  const { records } = (await get<Page<WorkOrder>>("/after-sales/page?size=100", raiser)).data;
  const made = [late, closed, soon, waiting];
  expect(records.flatMap(({ id }) => (made.includes(id) ? [id] : []))).toEqual([waiting, late, soon, closed]);
});

describe("time", () => {
  test("stands still while the desk waits for the customer", async () => {
    const id = await raise("after_sales");
    await act("claim", id);
    await act("answer", id, { body: "请拍照", ask: true });
    const [held] = await query<{ due: Date | null; left: number }>(
      'select solve_due_at as due, minutes_left as "left" from work_orders where id = $1',
      [id],
    );
    expect(held?.due).toBeNull();
    expect(held?.left).toBeGreaterThan(470);
    const waiting = await detail(id);
    expect(waiting).toMatchObject({ state: "waiting_customer", solveDueTime: "", overdue: false });
    expect(waiting.minutesLeft).toBeUndefined();
    await query("update work_orders set minutes_left = 60 where id = $1", [id]);
    await post("/order/reply", { id, body: "拍好了" }, raiser);
    const goesOn = await detail(id);
    expect(goesOn.state).toBe("in_process");
    expect(goesOn.minutesLeft).toBeGreaterThanOrEqual(59);
    expect(goesOn.minutesLeft).toBeLessThanOrEqual(60);
  });

  test("tells the desk and the customer once of what is late, and closes what nobody rates", async () => {
    const [late, mine, forgotten, done] = [
      await raise("after_sales", { title: "没人答复的" }),
      await raise("after_sales", { title: "有人接手的" }),
      await raise("after_sales", { title: "等客户的" }),
      await raise("after_sales", { title: "没人评价的" }),
    ];
    await query("update work_orders set first_due_at = now() - interval '1 minute' where id = $1", [late]);
    await act("claim", mine, {}, clerk);
    await query(
      "update work_orders set first_answered_at = now(), solve_due_at = now() - interval '1 minute' where id = $1",
      [mine],
    );
    await act("answer", forgotten, { body: "请拍照", ask: true });
    await query("update work_orders set updated_at = now() - interval '3 days' where id = $1", [forgotten]);
    await act("claim", done);
    await act("complete", done, { body: "好了" });
    await query("update work_orders set solved_at = now() - make_interval(days => $2) where id = $1", [
      done,
      closeDays + 1,
    ]);
    const [owner] = await query<{ id: string }>("select created_by::text as id from work_orders where id = $1", [late]);
    const told = async (account: string) =>
      (await messagesOf(account)).map(({ title, content }) => `${title} ${content.split(" · ")[1]}`);
    for (let run = 0; run < 2; run += 1) {
      await app.runJob("work-orders.remind");
      await app.runJob("work-orders.close");
    }
    const ofDesk = await told(clerkId);
    expect(ofDesk.filter((line) => line === "首次答复已超时 没人答复的")).toHaveLength(1);
    expect(ofDesk.filter((line) => line === "解决已超时 有人接手的")).toHaveLength(1);
    // It is somebody's: the others of the desk are left in peace.
    expect(await told(await accountId("admin"))).not.toContain("解决已超时 有人接手的");
    const ofCustomer = await told(owner?.id ?? "");
    expect(ofCustomer.filter((line) => line === "客服还在等您答复 等客户的")).toHaveLength(1);
    expect(ofCustomer.filter((line) => line === "工单自动关闭了 没人评价的")).toHaveLength(1);
    expect((await detail(done)).state).toBe("closed");
  });
});

describe("the desk", () => {
  test("keeps its notes to itself: no answer to a customer holds them, their photos or whom an order was handed to", async () => {
    const id = await raise("after_sales");
    const seen = await upload(app, admin, await picture("png"), "note.png", { query: { visibility: "shared" } });
    const { name } = seen.body.data as { name: string };
    await act("claim", id);
    await act("note", id, { body: "canary-note 质量问题", photos: [name] });
    await act("assign", id, { accountId: clerkId, body: "canary-handover" });
    const desk = await atDesk(id);
    expect(desk.entries.filter(({ internal }) => internal)).toHaveLength(2);
    expect(desk.entries[2]?.photos).toEqual([name]);
    for (const token of [raiser, member, reader])
      for (const path of [`/after-sales/detail?id=${id}`, "/after-sales/page?size=100", "/order/summary"]) {
        const { raw } = await get(path, token);
        expect(raw).not.toMatch(/canary|internal":true/);
        expect(raw).not.toContain(name);
      }
  });

  test("of two clerks who take the same order one wins, and the other sees who", async () => {
    const id = await raise("after_sales");
    const { version } = await atDesk(id);
    const both = await Promise.all([
      post("/desk/claim", { id, version }, admin),
      post("/desk/claim", { id, version }, clerk),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const lost = both.find(({ status }) => status === 409);
    const { assignee } = await atDesk(id);
    expect(lost?.data).toMatchObject({ reason: "work_order.changed", values: { name: assignee } });
    // With the version of now it is taken all the same.
    expect((await act("claim", id, {}, assignee === "郑航" ? clerk : admin)).data).toMatchObject({
      reason: "work_order.taken",
      values: { name: assignee },
    });
  });

  test("an answer to what has changed meanwhile is refused, and says who changed it", async () => {
    const id = await raise("after_sales");
    const { version } = await atDesk(id);
    await post("/desk/answer", { id, version, body: "收到" }, clerk);
    const late = await post("/desk/answer", { id, version, body: "我来" }, admin);
    expect([late.status, late.data.reason]).toEqual([409, "work_order.changed"]);
    expect((await atDesk(id)).entries.map(({ body }) => body)).not.toContain("我来");
    // Who answers first has it in hand.
    expect((await atDesk(id)).assigneeId).toBe(clerkId);
  });

  test("hands over only to people of the desk", async () => {
    const id = await raise("complaint");
    const outside = await act("assign", id, { accountId: await accountId("farm") });
    expect(outside.data.reason).toBe("work_order.nobody");
    expect((await act("assign", id, { accountId: clerkId })).status).toBe(200);
    expect((await messagesOf(clerkId))[0]?.title).toBe("有工单转给您");
  });

  test("merges only what belongs to the same customer and type, and is open", async () => {
    const [one, into, complaint, closed] = [
      await raise("after_sales"),
      await raise("after_sales"),
      await raise("complaint"),
      await raise("after_sales"),
    ];
    const theirs = await raise("after_sales", {}, stranger);
    await query("update work_orders set state = 'closed' where id = $1", [closed]);
    const number = async (id: string) => (await atDesk(id)).number;
    for (const target of [complaint, closed, theirs, one])
      expect((await act("merge", one, { intoNumber: await number(target) })).data.reason).toBe("work_order.no_target");
    expect((await act("merge", one, { intoNumber: await number(into) })).status).toBe(200);
    expect(await detail(one)).toMatchObject({ state: "merged", mergedInto: into });
    expect((await detail(into)).entries.at(-1)).toMatchObject({ what: "absorb", other: await number(one) });
    // Each into the other at once: one of them wins, and nothing hangs.
    const [left, right] = [await raise("after_sales"), await raise("after_sales")];
    const both = await Promise.all([
      act("merge", left, { intoNumber: await number(right) }),
      act("merge", right, { intoNumber: await number(left) }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test("its queues and figures count what there is", async () => {
    const mine = await raise("after_sales");
    await act("claim", mine, {}, clerk);
    const late = await raise("complaint");
    await query("update work_orders set first_due_at = now() - interval '1 hour' where id = $1", [late]);
    const ids = async (queue: string, more = "") =>
      (await get<Page<WorkOrder>>(`/desk/page?size=200&queue=${queue}${more}`, clerk)).data.records.map(({ id }) => id);
    expect(await ids("mine")).toContain(mine);
    expect(await ids("unassigned")).not.toContain(mine);
    expect(await ids("overdue")).toContain(late);
    expect(await ids("open", "&type=complaint")).not.toContain(mine);
    const { data } = await get<DeskFigures>("/desk/figures", clerk);
    expect(data.ages.reduce((sum, count) => sum + count, 0)).toBe(data.open);
    expect((await ids("open")).length).toBe(data.open);
    expect((await ids("mine")).length).toBe(data.mine);
    expect(data.people.find(({ id }) => id === clerkId)?.open).toBe(data.mine);
    // All of them were answered at once: over a night or a weekend no time of service passes.
    expect(data.firstAnswerMinutes).toBe(0);
  });
});

describe("suggestions", () => {
  test("adopted ones are public without a name, when the desk shows them", async () => {
    const shown = await raise("suggestion", { title: "公开的建议" });
    const kept = await raise("suggestion", { title: "不公开的建议" });
    const rejected = await raise("suggestion", { title: "没采纳的建议" });
    await act("decide", shown, { adopted: true, body: "下版就有", published: true });
    await act("decide", kept, { adopted: true, body: "做", published: false });
    await act("decide", rejected, { adopted: false, body: "暂不", published: true });
    const page = () => get<Page<PublicSuggestion>>("/skip-secure/suggestion/page?size=100");
    const { data, raw } = await page();
    expect(data.records).toMatchObject([{ id: shown, title: "公开的建议", answer: "下版就有", category: "product" }]);
    expect(raw).not.toMatch(/某人|中原牧业|raiser|tenant/);
    expect((await get(`/skip-secure/suggestion/detail?id=${kept}`)).status).toBe(404);
    expect((await get(`/skip-secure/suggestion/detail?id=${shown}`)).status).toBe(200);
    await act("publish", shown, { published: false });
    expect((await page()).data.total).toBe(0);
    expect(await detail(rejected, "suggestion")).toMatchObject({ state: "rejected", published: false });
  });
});
