import { randomUUID } from "node:crypto";
import { type DriverEntry, type DriverTrip, driverCookie, driverLinkHeader } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { dayIn, service, tradeOf, washOf } from "../harness/trade.ts";
import { multipartOf, picture } from "../harness/upload.ts";

let app: TestApp;
let trade: Awaited<ReturnType<typeof tradeOf>>;
let order: string;
let plates = 0;

beforeAll(async () => {
  app = await createTestApp();
  trade = await tradeOf(app);
  ({ order } = await trade.accepted(await trade.published({ heads: 100 }), 100));
  await trade.paid(order, "prepayment");
});
afterAll(() => app.close());

const driver = driverCookie.path;
const unknown = [404, "这个链接不能用了：可能过期、被收回，或没有复制完整。请向发链接的人要一条新的"];
const elsewhere = [409, "这个链接已经在另一部手机上打开了。换手机请要一条新链接"];

/** A vehicle of the order with an open link. */
async function linked({
  by = trade.tokens.sales,
  send = false,
} = {}): Promise<{ id: string; token: string; plate: string }> {
  plates += 1;
  const plate = `豫R${String(plates).padStart(5, "0")}`;
  const id = await trade.vehicle(order, plate, 1);
  return { id, plate, token: await make(id, by, send) };
}
async function make(id: string, by = trade.tokens.sales, send = false): Promise<string> {
  const answer = await app.call({
    method: "POST",
    path: `${service}/transit/driver-link`,
    body: { id, send },
    token: by,
  });
  expect(answer.status).toBe(200);
  return (answer.body.data as { url: string }).url.split("#")[1] ?? "";
}

/** Calls as a phone makes them; its cookie is kept. */
function phone() {
  let cookie = "";
  const ask = async (path: string, token: string, body: object = {}) => {
    const answer = await app.call({
      method: "POST",
      path: `${driver}/${path}`,
      body,
      headers: { [driverLinkHeader]: token, ...(cookie && { cookie }) },
    });
    const [set] = answer.cookie.split(";");
    if (set?.startsWith(driverCookie.name)) cookie = set;
    return {
      status: answer.status,
      msg: answer.body.msg,
      data: answer.body.data,
      raw: String(answer.headers["set-cookie"] ?? ""),
    };
  };
  const send = async (token: string, ...entries: Omit<DriverEntry, "key">[]) => {
    const sent = entries.map((entry) => ({ key: randomUUID() as string, ...entry }));
    const { status, data } = await ask("send", token, { entries: sent });
    expect(status).toBe(200);
    const answer = data as { trip: DriverTrip; outcomes: { key: string; outcome: string; text: string }[] };
    return { ...answer, sent };
  };
  return {
    ask,
    open: (token: string) => ask("open", token),
    send,
    async photo(token: string, key: string = randomUUID(), content?: Buffer, name = "photo.jpg"): Promise<string> {
      const { body, type } = await multipartOf(content ?? (await picture("jpeg")), name);
      const answer = await app.http.inject({
        method: "POST",
        url: `${driver}/photo?key=${key}`,
        headers: { "content-type": type, [driverLinkHeader]: token, cookie },
        payload: body,
      });
      expect(answer.json().msg).toBe("操作成功");
      return key;
    },
    cookie: () => cookie,
  };
}

const clock = (ms: number): string =>
  new Date(Date.now() + 8 * 3_600_000 + ms).toISOString().slice(0, 16).replace("T", " ");
const wash = (photoKey: string, more: Partial<DriverEntry> = {}): Omit<DriverEntry, "key"> => ({
  act: "disinfect",
  atMs: Date.now(),
  number: "XD-77",
  washedAt: clock(-3_600_000),
  validUntil: clock(86_400_000),
  dried: true,
  photoKey,
  ...more,
});
const stateOf = (id: string) => trade.stateOf("transits", id);
const outcomesOf = (answer: Awaited<ReturnType<ReturnType<typeof phone>["send"]>>) =>
  answer.outcomes.map(({ outcome, text }) => [outcome, text]);

describe("the link", () => {
  test("is shown to who may edit the vehicle, goes to the driver's phone, and only its hash is stored", async () => {
    const { id, plate, token } = await linked({ send: true });
    expect(token).toMatch(/^[\w-]{32}$/);
    const [sms] = await app.sms("13800004410");
    expect(sms).toContain(`${plate} 的转运链接：`);
    expect(sms).toContain(`/driver#${token}`);
    const detail = async (by: string) =>
      (await app.get<{ link?: { url: string; sentTime: string } }>(`${service}/transit/driver?id=${id}`, by)).body.data;
    expect((await detail(trade.tokens.owner)).link?.url).toContain(token);
    expect((await detail(trade.tokens.admin)).link?.sentTime).not.toBe("");
    expect((await detail(trade.tokens.stranger)).link).toBeUndefined();
    const stored = await trade.query<{ row: string }>("select row_to_json(l)::text as row from driver_links l");
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.filter(({ row }) => row.includes(token))).toEqual([]);
    expect(app.logged.filter((line) => line.includes(token))).toEqual([]);
  });

  test("tells of the vehicle, and of no person", async () => {
    const { plate, token } = await linked();
    const { status, data, raw } = await phone().open(token);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      plate,
      heads: 1,
      field: "周家营商品场",
      times: "08:00-10:00,10:00-12:00",
      day: dayIn(3),
    });
    expect(JSON.stringify(data)).not.toMatch(/张国梁|13800004410|周建平/);
    expect(raw).toMatch(/HttpOnly; SameSite=Lax/);
    expect(raw).toContain(`Path=${driver};`);
  });

  test("belongs to the first phone that opens it", async () => {
    const { id, token } = await linked();
    const [first, second] = [phone(), phone()];
    expect((await first.ask("send", token, { entries: [] })).status).toBe(409);
    expect((await first.open(token)).status).toBe(200);
    expect((await first.open(token)).status).toBe(200);
    for (const path of ["open", "send"]) {
      const { status, msg } = await second.ask(path, token, path === "send" ? { entries: [] } : {});
      expect([status, msg]).toEqual(elsewhere);
    }
    // A new link ends the old one, also for the phone that has it.
    const next = await make(id);
    const old = await first.open(token);
    expect([old.status, old.msg]).toEqual(unknown);
    expect((await second.open(next)).status).toBe(200);
  });

  test("is claimed once by phones that open it at the same moment", async () => {
    const { token } = await linked();
    const answers = await Promise.all(Array.from({ length: 12 }, () => phone().open(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(11);
  });

  test("has one answer where it is wrong, over, withdrawn, or of a vehicle that is closed", async () => {
    const ends = [
      (id: string) => trade.query("update driver_links set expires_at = now() where transit = $1", [id]),
      (id: string) => trade.done(trade.post("transit/driver-link-revoke", { id }, trade.tokens.owner)).catch(() => ""),
      (id: string) => trade.query("update transits set state = 'closed' where id = $1", [id]),
      (id: string) => trade.query("update transits set state = 'cancelled' where id = $1", [id]),
    ];
    for (const end of ends) {
      const { id, token } = await linked();
      const mobile = phone();
      expect((await mobile.open(token)).status).toBe(200);
      await end(id);
      for (const path of ["open", "send"]) {
        const { status, msg, data } = await mobile.ask(path, token, path === "send" ? { entries: [] } : {});
        expect([status, msg]).toEqual(unknown);
        expect(JSON.stringify(data)).not.toContain("豫R");
      }
      // So that the next vehicle finds room.
      await trade.query("update transits set state = 'cancelled' where id = $1", [id]);
    }
    for (const token of ["", "x", "A".repeat(32), "A".repeat(5000), "'; select 1 --"]) {
      const { status, msg, raw } = await phone().open(token);
      expect([status, msg, raw]).toEqual([...unknown, ""]);
    }
  });

  test("is made and withdrawn by the order's people alone", async () => {
    const { id } = await linked();
    for (const by of [trade.tokens.stranger, trade.tokens.finance])
      for (const path of ["transit/driver-link", "transit/driver-link-revoke"]) {
        const { status } = await trade.post(path, { id, send: false }, by);
        expect([403, 404]).toContain(status);
      }
    expect(await make(id, trade.tokens.owner)).toMatch(/^[\w-]{32}$/);
    const audited = await trade.query(
      "select 1 from audit_entries where resource = 'transit' and row_id = $1 and changes::text like '%driverLink%'",
      [id],
    );
    expect(audited).toHaveLength(2);
  });
});

describe("what the driver enters", () => {
  test("counts once, with its photo, and staff clear the vehicle", async () => {
    const { id, token } = await linked();
    const mobile = phone();
    await mobile.open(token);
    expect(outcomesOf(await mobile.send(token, wash(randomUUID())))).toEqual([["refused", "请先拍证件照片"]]);
    const key = await mobile.photo(token);
    await mobile.photo(token, key);
    const first = await mobile.send(token, wash(key));
    expect(outcomesOf(first)).toEqual([["done", ""]]);
    expect(first.trip.disinfection).toMatchObject({ number: "XD-77", state: "ok" });
    // The network broke before the answer came.
    const again = await mobile.ask("send", token, { entries: first.sent });
    expect((again.data as { outcomes: unknown }).outcomes).toEqual([
      { key: first.sent[0]?.key, outcome: "done", text: "", values: {} },
    ]);
    const lines = await trade.query(
      "select party, account_id from process_entries where row_id = $1 and event = 'disinfect'",
      [id],
    );
    expect(lines).toEqual([{ party: "driver", account_id: null }]);
    // The order's history tells it as well, and who it was.
    const { lines: told } = (
      await app.get<{ lines: { thing: string; text: string; partyName: string }[] }>(
        `${service}/order/steps?id=${order}`,
        trade.tokens.owner,
      )
    ).body.data;
    expect(told.find(({ partyName }) => partyName !== "")).toMatchObject({
      thing: "转运单",
      text: "已登记洗消证",
      partyName: "司机",
    });
    expect(await stateOf(id)).toBe("planned");
    const paper = await mobile.photo(token);
    const of = { act: "quarantine" as const, atMs: Date.now(), number: "JY-9", heads: 1, untilDay: dayIn(2) };
    expect(outcomesOf(await mobile.send(token, { ...of, photoKey: paper }))).toEqual([["done", ""]]);
    await trade.done(trade.post("transit/clear", { id, version: 3 }, trade.tokens.sales));

    const entries = (
      await app.get<{ entries: { act: string; photo: string; outcome: string }[] }>(
        `${service}/transit/driver?id=${id}`,
        trade.tokens.sales,
      )
    ).body.data.entries;
    expect(entries.map(({ act, outcome }) => [act, outcome])).toEqual([
      ["quarantine", "done"],
      ["disinfect", "done"],
      ["disinfect", "refused"],
    ]);
    const photo = entries[0]?.photo ?? "";
    for (const by of [trade.tokens.sales, trade.tokens.owner]) {
      const ticket = await app.call({
        method: "POST",
        path: `${service}/transit/driver-photo`,
        body: { id: photo },
        token: by,
      });
      const { pathname, search } = new URL((ticket.body.data as { url: string }).url);
      const [cookie = ""] = ticket.cookie.split(";");
      const file = await app.http.inject({ url: `${pathname}${search}`, headers: { cookie } });
      expect([file.statusCode, file.headers["content-type"]]).toEqual([200, "image/jpeg"]);
      expect(file.rawPayload.includes(Buffer.from("Exif"))).toBe(false);
      expect((await app.http.inject({ url: pathname })).statusCode).toBe(404);
    }
    const foreign = await trade.post("transit/driver-photo", { id: photo }, trade.tokens.stranger);
    expect([403, 404]).toContain(foreign.status);
  });

  test("is refused where the phone's clock is wrong or the form is", async () => {
    const { token } = await linked();
    const mobile = phone();
    await mobile.open(token);
    const photo = await mobile.photo(token);
    const tried: [Partial<DriverEntry>, string][] = [
      [{ atMs: Date.now() + 180_000 }, "手机的时间比现在晚，请校准手机时间"],
      [{ atMs: Date.now() - 3_600_000 }, "手机的时间早于链接发出的时间，请校准手机时间"],
      [{ number: "" }, "{what} 没填或填得不对，请重填"],
      [{ washedAt: "2026-13-01 05:00" }, "{what} 没填或填得不对，请重填"],
      [{ washedAt: clock(3_600_000) }, "洗消时间还没有到"],
      [{ validUntil: clock(-7_200_000) }, "有效期要晚于洗消时间"],
    ];
    for (const [more, text] of tried)
      expect(outcomesOf(await mobile.send(token, wash(photo, more))), text).toEqual([["refused", text]]);
    // A clock that is ahead by a minute is that of an ordinary phone.
    expect(outcomesOf(await mobile.send(token, wash(photo, { atMs: Date.now() + 60_000 })))).toEqual([["done", ""]]);
  });

  test("is of its own vehicle alone, and no step of staff", async () => {
    const [a, b] = [await linked(), await linked()];
    const mobile = phone();
    await mobile.open(a.token);
    await mobile.open(b.token);
    const photo = await mobile.photo(a.token);
    // A photo of one vehicle is none of another's.
    expect(outcomesOf(await mobile.send(b.token, wash(photo)))).toEqual([["refused", "请先拍证件照片"]]);
    expect(outcomesOf(await mobile.send(a.token, wash(photo)))).toEqual([["done", ""]]);
    const [row] = await trade.query("select disinfection_number as number from transits where id = $1", [b.id]);
    expect(row).toEqual({ number: "" });
    for (const act of ["clear", "load", "close", "cancel"])
      expect(
        (await mobile.ask("send", a.token, { entries: [{ ...wash(photo), key: randomUUID(), act }] })).status,
      ).toBe(400);
    for (const act of ["depart", "arrive"] as const)
      expect((await mobile.send(a.token, { act, atMs: Date.now() })).outcomes[0]?.outcome).toBe("refused");
    // With a link alone nothing else of the portal opens.
    const answer = await app.call({
      path: `${service}/transit/page`,
      headers: { [driverLinkHeader]: a.token, cookie: mobile.cookie() },
    });
    expect(answer.status).toBe(401);
  });

  test("takes pictures alone", async () => {
    const { token } = await linked();
    const mobile = phone();
    await mobile.open(token);
    const { body, type } = await multipartOf(Buffer.from("<html>"), "photo.jpg");
    const answer = await app.http.inject({
      method: "POST",
      url: `${driver}/photo?key=${randomUUID()}`,
      headers: { "content-type": type, [driverLinkHeader]: token, cookie: mobile.cookie() },
      payload: body,
    });
    expect(answer.statusCode).toBe(400);
    expect(
      await trade.query(
        "select 1 from driver_photos h join driver_links l on l.id = h.link where l.token_hash = sha256($1)",
        [Buffer.from(token)],
      ),
    ).toEqual([]);
  });

  test("departs after the scale, with the time of the phone, and arrives later", async () => {
    const { id, plate, token } = await linked();
    const mobile = phone();
    await mobile.open(token);
    const version = async () =>
      (await trade.query<{ version: number }>("select version from transits where id = $1", [id]))[0]?.version;
    await trade.done(trade.post("transit/disinfect", { id, version: 1, ...washOf() }, trade.tokens.sales));
    const paper = { quarantineNumber: "JY-1", quarantineHeads: 9, quarantineUntil: dayIn(9) };
    await trade.done(trade.post("transit/quarantine", { id, version: 2, ...paper }, trade.tokens.sales));
    await trade.done(trade.post("transit/clear", { id, version: 3 }, trade.tokens.sales));
    await trade.query("update sale_orders set state = 'loading' where id = $1", [order]);
    await trade.done(trade.post("transit/load", { id, version: await version() }, trade.tokens.sales));
    const early = await mobile.send(token, { act: "depart", atMs: Date.now() });
    expect(outcomesOf(early)).toEqual([["refused", "这辆车还没有复核过的过磅单"]]);
    expect(early.trip.held?.text).toBe("这辆车还没有复核过的过磅单");
    await trade.weighed(order, plate, 1, 13_600_000, 13_500_000);
    await trade.query("update driver_links set created_at = created_at - interval '1 hour' where transit = $1", [id]);
    const left = Date.now();
    expect(outcomesOf(await mobile.send(token, { act: "depart", atMs: left }))).toEqual([["done", ""]]);
    const before = await mobile.send(token, { act: "arrive", atMs: left - 500 });
    expect(outcomesOf(before)).toEqual([["refused", "到达时间早于出发时间"]]);
    const { trip, outcomes } = await mobile.send(token, { act: "arrive", atMs: left + 1000 });
    expect([outcomes[0]?.outcome, trip.state, trip.departedMs]).toEqual(["done", "arrived", left]);
    await trade.query("update sale_orders set state = 'confirmed' where id = $1", [order]);
  });
});

describe("positions", () => {
  test("are kept where they can be, and show stops near other farms and breaks to whoever may know", async () => {
    const { id, plate, token } = await linked();
    const mobile = phone();
    await mobile.open(token);
    await trade.query("update driver_links set created_at = created_at - interval '1 day' where transit = $1", [id]);
    await trade.query(
      "update transits set state = 'departed', disinfection_until = now() - interval '5 hours', disinfected_at = now() - interval '9 hours', departed_at = now() - interval '4 hours' where id = $1",
      [id],
    );
    const [farm] = await trade.query<{ name: string; latitude: number; longitude: number }>(
      "select name, latitude, longitude from farms where tenant_id = $1 and latitude is not null order by id limit 1",
      ["000000"],
    );
    const [own] = await trade.query<{ name: string; latitude: number; longitude: number }>(
      "select name, latitude, longitude from farms where tenant_id <> '000000' and latitude is not null order by id limit 1",
    );
    const near = farm ?? own;
    if (near === undefined) throw new Error("the demo has no farm with a place");
    const start = Date.now() - 4 * 3_600_000;
    const at = (minutes: number, km: number, accuracyM = 15): Omit<DriverEntry, "key"> => ({
      act: "position",
      atMs: start + minutes * 60_000,
      position: { latitude: near.latitude / 1e6 + km / 111.195, longitude: near.longitude / 1e6, accuracyM },
    });
    const sent = await mobile.send(
      token,
      at(10, -8),
      at(20, 0.3),
      at(30, 0.31),
      at(40, 0.3),
      // 300 km in a minute, and somewhere within 5 km.
      at(41, 300),
      at(50, 8, 5000),
      at(60, 15),
      at(110, 60),
      at(130, 75),
      at(155, 90),
      at(180, 110),
      at(205, 120),
      at(230, 125),
    );
    expect(sent.outcomes.filter(({ outcome }) => outcome === "refused").map(({ text }) => text)).toEqual([
      "位置不准，没有记下",
      "位置不准，没有记下",
    ]);
    // Sent again it counts once.
    await mobile.ask("send", token, { entries: sent.sent });
    type Track = { points: { metres: number }[]; rejected: number; flags: Record<string, unknown>[] };
    const track = async (by: string) => (await app.get<Track>(`${service}/transit/track?id=${id}`, by)).body.data;
    const seen = await track(trade.tokens.sales);
    expect([seen.points.length, seen.rejected]).toEqual([11, 2]);
    expect(Math.round((seen.points.at(-1)?.metres ?? 0) / 1000)).toBe(133);
    expect(seen.flags.map(({ kind, farm: name }) => [kind, name])).toEqual([
      ["wash", ""],
      ["stop", near.name],
      ["gap", ""],
    ]);
    expect(seen.flags[1]).toMatchObject({ metres: 300, fromMs: start + 20 * 60_000, toMs: start + 40 * 60_000 });
    expect(seen.flags[2]).toMatchObject({ fromMs: start + 60 * 60_000, toMs: start + 110 * 60_000 });
    // Whose farm it is, is told to nobody else.
    const buyer = await track(trade.tokens.owner);
    const isOwn = farm === undefined && buyer.flags[1]?.farm === near.name;
    expect(isOwn || buyer.flags[1]?.farm === "").toBe(true);
    expect((await app.get(`${service}/transit/track?id=${id}`, trade.tokens.stranger)).status).not.toBe(200);

    const page = async (flagged: string) =>
      (
        await app.get<{ records: { plate: string }[] }>(
          `${service}/transit/page?size=100&flagged=${flagged}`,
          trade.tokens.sales,
        )
      ).body.data.records.map((row) => row.plate);
    expect(await page("yes")).toEqual([plate]);
    expect(await page("no")).not.toContain(plate);
    const view = await app.get<{ vehicles: { plate: string; flags: unknown[] }[] }>(
      `${service}/order/view?id=${order}`,
      trade.tokens.owner,
    );
    expect(view.body.data.vehicles.find((one) => one.plate === plate)?.flags).toHaveLength(3);

    // What looked like a break was a phone without a network.
    await mobile.send(token, at(75, 30), at(95, 48));
    expect((await track(trade.tokens.sales)).flags.map(({ kind }) => kind)).toEqual(["wash", "stop"]);
    // Nobody hears from it any more.
    await trade.query("delete from transit_positions where transit = $1 and at > now() - interval '1 hour'", [id]);
    await app.runJob("transit.flags");
    expect((await track(trade.tokens.sales)).flags.map(({ kind }) => kind)).toEqual(["wash", "stop", "gap"]);
    // What is old goes; what it showed stays.
    await trade.query("update transit_positions set at = at - interval '181 days' where transit = $1", [id]);
    await app.runJob("transit.positions-sweep");
    const after = await track(trade.tokens.sales);
    expect([after.points.length, after.flags.length]).toEqual([0, 3]);
  });
});
