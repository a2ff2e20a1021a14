import {
  type Alarm,
  type Message,
  type MessageGroup,
  type MessageStanding,
  messageGroups,
  messageStandings,
  type Page,
} from "@herdwise/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let farm: string;
let farmId: string;
let other: string;
const base = "/api/muyuan-message-center/message";
const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query<Row>(text, values)).rows;
const idOf = async (account: string): Promise<string> =>
  (await query<{ id: string }>("select id::text as id from accounts where account_key = $1", [account]))[0]?.id ?? "";

beforeAll(async () => {
  app = await createTestApp();
  farm = await app.logIn("farm");
  other = await app.logIn("vet");
  farmId = await idOf("farm");
});
afterAll(() => app.close());
beforeEach(async () => {
  await query("delete from messages");
  await query("delete from alarms");
});

interface Left {
  link?: string;
  kind?: string;
  title?: string;
  to?: string;
  thing?: string;
}
/** Leaves messages, the oldest first. @returns their ids */
async function leave(...messages: readonly Left[]): Promise<string[]> {
  const ids: string[] = [];
  for (const { link = "", kind = "service", title = "一条", to = farmId, thing = "" } of messages) {
    const id = app.nextId();
    ids.push(id);
    await query(
      "insert into messages (id, account_id, kind, title, content, link, thing) values ($1, $2, $3, $4, '', $5, $6)",
      [id, to, kind, title, link, thing],
    );
  }
  return ids;
}
const groups = async (search = "", token = farm): Promise<Page<MessageGroup>> =>
  (await app.get<Page<MessageGroup>>(`${messageGroups.path}?${search}`, token)).body.data;
const standings = async (ids: readonly string[], token = farm): Promise<MessageStanding[]> =>
  (await app.get<MessageStanding[]>(`${messageStandings.path}?ids=${ids.join()}`, token)).body.data;
const post = (path: string, body: Record<string, unknown>, token = farm) =>
  app.call({ method: "POST", path: `${base}${path}`, body, token });
const unread = async (token = farm) =>
  (await app.call({ method: "POST", path: `${base}/app_corner_mark`, token })).body.data;

const orderLink = (id: number | string) => `/workOrder/orderService/detail?id=${id}`;

/** An alarm of a tenant's device. */
async function alarm({ tenantId = "100002", rule = "ammonia_high" } = {}): Promise<string> {
  const id = app.nextId();
  await query(
    `insert into alarms (id, tenant_id, device_id, farm_id, kind, rule_id, severity, since_at, raised_at)
     select $1, $2, d.id, d.farm_id, d.kind, $3, 3, now(), now() from devices d
      where d.tenant_id = $2 and d.kind = 'environment' order by d.id limit 1`,
    [id, tenantId, rule],
  );
  return id;
}
const alarmLink = (id: string) => `/selfCenter/vet/alarm?id=${id}`;

describe("messages about one thing are one row", () => {
  test("by what their links open; what opens nothing stands alone", async () => {
    const [first = "", , second = "", , newest = ""] = await leave(
      { link: orderLink(1), title: "旧" },
      { title: "别的" },
      { link: orderLink(2) },
      { title: "别的" },
      { link: orderLink(1), title: "新" },
    );
    const { records, total } = await groups();
    expect(total).toBe(4);
    expect(records[0]).toMatchObject({ id: newest, title: "新", count: 2, unread: 2, status: 0 });
    expect(records.map(({ count }) => count)).toEqual([2, 1, 1, 1]);
    expect(records[2]?.id).toBe(second);
    const detail = await app.get<{ course: { id: string }[] }>(`${base}/detail?id=${newest}`, farm);
    expect(detail.body.data.course.map(({ id }) => id)).toEqual([newest, first]);
  });

  test("the newest stands first, also above what is urgent", async () => {
    const ids = await leave({ link: orderLink(1) }, { link: orderLink(2) }, { link: orderLink(3) });
    await query("update messages set urgent = true where id = $1", [ids[0]]);
    expect((await groups()).records.map(({ id }) => id)).toEqual(ids.toReversed());
  });

  test("an alarm that comes and goes on one day is one row, another rule another", async () => {
    const a = await alarm();
    const c = await alarm({ rule: "carbon_dioxide_high" });
    await query("update alarms set ended_at = now() where id = $1", [a]);
    await query("update alarms set raised_at = raised_at - interval '1 hour' where id = $1", [a]);
    const again = await alarm();
    const noon = "((now() at time zone 'Asia/Shanghai')::date + interval '12 hours') at time zone 'Asia/Shanghai'";
    await query(`update alarms set raised_at = ${noon} where id = $1`, [a]);
    await query(`update alarms set raised_at = ${noon} + interval '1 minute' where id = $1`, [again]);
    await leave(
      { link: alarmLink(a), kind: "alarm" },
      { link: alarmLink(again), kind: "alarm" },
      { link: alarmLink(c), kind: "alarm" },
    );
    expect((await groups()).records.map(({ count }) => count)).toEqual([1, 2]);
  });

  test("no thing is split over pages, and the pages together have each once", async () => {
    await leave(...Array.from({ length: 60 }, (_, at) => ({ link: orderLink(at % 20) })));
    const pages = [
      await groups("current=1&size=7"),
      await groups("current=2&size=7"),
      await groups("current=3&size=7"),
    ];
    expect(pages.map(({ total }) => total)).toEqual([20, 20, 20]);
    const rows = pages.flatMap(({ records }) => records);
    expect(rows.map(({ count }) => count)).toEqual(Array(20).fill(3));
    expect(new Set(rows.map(({ thing }) => thing)).size).toBe(20);
  });

  test("unread is what has an unread message, read what has none", async () => {
    const [one = ""] = await leave({ link: orderLink(1) }, { link: orderLink(1) }, { link: orderLink(2) });
    await post("/update_status", { ids: one });
    expect((await groups("status=0")).records).toMatchObject([{ count: 1 }, { count: 2, unread: 1 }]);
    const all = await groups();
    await post("/update_status", { groups: all.records[0]?.id });
    expect((await groups("status=1")).records).toMatchObject([{ count: 1, unread: 0, status: 1 }]);
    expect((await groups("kind=alarm")).total).toBe(0);
  });
});

describe("a whole group is marked and removed", () => {
  test("up to the message that was seen: one that came meanwhile stays", async () => {
    const [, seen = ""] = await leave({ link: orderLink(1) }, { link: orderLink(1) });
    const [late = ""] = await leave({ link: orderLink(1) });
    await post("/update_status", { groups: seen });
    expect(await unread()).toEqual([1]);
    await post("/update_status", { groups: seen, status: 0 });
    expect(await unread()).toEqual([3]);
    await post("/remove", { groups: seen });
    expect((await groups()).records).toMatchObject([{ id: late, count: 1 }]);
  });

  test("single messages are named as before, and nothing named marks all", async () => {
    const [one = "", two = ""] = await leave({ link: orderLink(1) }, { link: orderLink(1) });
    await post("/update_status", { ids: one });
    expect(await unread()).toEqual([1]);
    await post("/update_status", {});
    expect(await unread()).toEqual([0]);
    await post("/remove", { ids: two });
    const left = await app.get<Page<Message>>(`${base}/page/user`, farm);
    expect(left.body.data.records.map(({ id }) => id)).toEqual([one]);
    expect((await post("/remove", {})).status).toBe(400);
  });

  test("another person's group is neither shown, marked nor removed", async () => {
    const foreign = await idOf("vet");
    await leave({ link: orderLink(1) });
    const [theirs = ""] = await leave({ link: orderLink(1), to: foreign });
    expect((await groups()).records).toMatchObject([{ count: 1 }]);
    await post("/update_status", { groups: theirs });
    await post("/remove", { groups: theirs });
    expect(await unread()).toEqual([1]);
    expect(await unread(other)).toEqual([1]);
    expect(await standings([theirs])).toEqual([]);
    expect((await app.get(`${base}/detail?id=${theirs}`, farm)).status).toBe(404);
  });
});

describe("where a thing stands now", () => {
  test("an alarm asks, is known and is over, with its course", async () => {
    const id = await alarm();
    const [message = ""] = await leave({ link: alarmLink(id), kind: "alarm" });
    const now = async () => (await standings([message]))[0];
    expect((await now())?.alarms).toMatchObject([{ id, state: "open" }]);
    expect((await now())?.alarms[0]?.known).toBeUndefined();
    await app.call({ method: "POST", path: "/api/muyuan-iot/alarm/acknowledge", body: { ids: id }, token: farm });
    expect((await now())?.alarms[0]?.known?.by).not.toBe("");
    await query("update alarms set ended_at = now() where id = $1", [id]);
    expect((await now())?.alarms).toMatchObject([{ state: "cleared" }]);
    expect((await now())?.course.map(({ action }) => action)).toEqual(["raise", "acknowledge", "end"]);
    const shown = await app.get<Alarm>(`/api/muyuan-iot/alarm/detail?id=${id}`, farm);
    expect(shown.body.data.state).toBe("cleared");
  });

  test("several alarms of one message are told each; another customer's is not", async () => {
    const [own, second, foreign] = [
      await alarm(),
      await alarm({ rule: "carbon_dioxide_high" }),
      await alarm({ tenantId: "100001" }),
    ];
    const [message = ""] = await leave({ kind: "alarm", thing: `alarms:${[own, second, foreign].join()}` });
    expect((await standings([message]))[0]?.alarms.map(({ id }) => id).toSorted()).toEqual([own, second].toSorted());
  });

  test("an order that waits for an answer says so, to whom may answer; another customer's says nothing", async () => {
    const raised = await app.call({
      method: "POST",
      path: "/api/muyuan-work-order/after-sales/submit",
      body: { title: "风机电流高", description: "声音发闷", repairMode: "remote" },
      token: farm,
    });
    const order = raised.body.data as { id: string };
    await query("update work_orders set state = 'waiting_customer' where id = $1", [order.id]);
    const [message = ""] = await leave({ link: orderLink(order.id) });
    expect(await standings([message])).toMatchObject([
      { row: { process: "work_order", state: "waiting_customer" }, todo: { kind: "work_order_answer" } },
    ]);
    await query("update work_orders set tenant_id = '100001' where id = $1", [order.id]);
    expect((await standings([message]))[0]).toEqual({ id: message, alarms: [], course: [] });
    await query("update work_orders set tenant_id = '100002' where id = $1", [order.id]);
  });
});
