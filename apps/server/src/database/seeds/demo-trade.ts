import { randomBytes } from "node:crypto";
import { halfEven } from "@herdwise/contract/money";
import { type PricedBand, settle } from "@herdwise/contract/settlement";
import { shanghaiClock, shanghaiDay, shanghaiMidnight, shanghaiMoment } from "@herdwise/contract/shanghai";
import { type Kysely, sql } from "kysely";
import type { PersonalCipher } from "../../personal-cipher.ts";
import { rowNumber } from "../../row-number.ts";
import type { DB } from "../generated/database.ts";
import { seedTranslations } from "./demo.ts";
import {
  addLot,
  depositFenPerHead,
  endedTimes,
  type Line,
  type LotFate,
  type Member,
  runningTimes,
  soonTimes,
  wholeMinute,
} from "./demo-lots.ts";
import { groupTenantId } from "./foundation.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Days of trade before today, and plans after it. */
const demoTradeDays = { back: 90, ahead: 6 } as const;

/** Customers of the demo that buy, by the account of their owner. */
const buyers = ["farm", "heqing", "sunli"] as const;
const plates = ["豫R3K627", "豫R7D190", "豫P8F233", "豫N5A718", "鄂F2C066"] as const;
/** Drivers of the demo with their phones and English names. */
export const drivers = [
  ["张国梁", "13800004410", "Zhang Guoliang"],
  ["马军", "13900000267", "Ma Jun"],
  ["陈立新", "13700003815", "Chen Lixin"],
  ["胡长江", "13600005290", "Hu Changjiang"],
  ["杜春雷", "13500006734", "Du Chunlei"],
] as const;
const headsPerVehicle = 120;
/** Loading days of which the lots have passports, which are issued at the first start. */
const passportDays = 10;
/** Of so many plans one is sold by bids. */
const lotEvery = 8;
const fallbackFen = 1475;

/** Everything that a row of a process has beside its own columns. */
const base = (id: string, number: string, owner: Member, state: string, lines: readonly Line[]) => {
  const [first, last] = [lines[0]?.[4] ?? 0, lines.at(-1)?.[4] ?? 0];
  return {
    id,
    number,
    tenantId: owner.tenantId,
    state,
    stateAt: new Date(last),
    version: lines.length,
    createdBy: owner.accountId,
    createdAt: new Date(first),
    updatedBy: lines.findLast(([, , , by]) => by !== undefined)?.[3]?.accountId ?? null,
    updatedAt: new Date(last),
  };
};

/** What a day of trade becomes, by its distance in loading days from the last one that has begun. */
type Fate =
  | "draft"
  | "approved"
  | "open"
  | "waiting"
  | "confirmed"
  | "loading"
  | "weighed"
  | "settled"
  | "completed"
  | "unpaid"
  | "called_off";
function fateOf(distance: number, at: number): Fate {
  if (distance > 3) return at % 2 === 0 ? "draft" : "approved";
  if (distance > 0) return (["open", "waiting", "confirmed"] as const)[at % 3] ?? "open";
  if (distance === 0) return at % 2 === 0 ? "loading" : "weighed";
  if (distance === -1) return at % 2 === 0 ? "settled" : "completed";
  // What is left has waited for days: an abnormal order.
  if (distance === -5 && at % 2 === 0) return "settled";
  if (at % 17 === 5) return "unpaid";
  return at % 23 === 7 ? "called_off" : "completed";
}
const rank = [
  "draft",
  "approved",
  "open",
  "waiting",
  "confirmed",
  "loading",
  "weighed",
  "settled",
  "completed",
] as const;
/** Whether an order came at least so far; one that was called off was paid. */
const reached = (fate: Fate, least: (typeof rank)[number]): boolean =>
  fate === "unpaid"
    ? rank.indexOf(least) <= rank.indexOf("waiting")
    : rank.indexOf(fate === "called_off" ? "confirmed" : fate) >= rank.indexOf(least);

/** 90 days of trade in every state; an installation that already has a plan gets none. */
export async function seedDemoTrade(
  db: Kysely<DB>,
  cipher: PersonalCipher,
  nextId: () => string,
  now: number = Date.now(),
): Promise<void> {
  await db.transaction().execute(async (to) => {
    await sql`select pg_advisory_xact_lock(hashtext('seeds'))`.execute(to);
    if ((await to.selectFrom("salePlans").select("id").limit(1).execute()).length > 0) return;
    const fields = await to
      .selectFrom("saleFields")
      .select(["id", "fieldCode"])
      .where("status", "=", "1")
      .orderBy("fieldCode")
      .limit(4)
      .execute();
    const members = await to
      .selectFrom("memberships as m")
      .innerJoin("accounts as a", "a.id", "m.accountId")
      .innerJoin("tenants as t", "t.tenantId", "m.tenantId")
      .select(["a.account", "m.accountId", "m.tenantId", "t.name"])
      .where("a.account", "in", ["zhaomin", "liqiang", ...buyers])
      .orderBy("m.tenantId")
      .execute();
    const memberOf = (account: string): Member => {
      const found = members.find((member) => member.account === account);
      if (found === undefined) throw new Error(`the demo has no ${account}`);
      return found;
    };
    const [clerk, chief] = [memberOf("zhaomin"), memberOf("liqiang")];
    const group = { ...clerk, tenantId: groupTenantId };
    const { rows: prices } = await sql<{ day: string; fen: number }>`
      select price_day::text as day, round(avg(fen))::int as fen from price_entries where breed = 'outer' and state = 'published' group by 1`.execute(
      to,
    );
    const market = new Map(prices.map(({ day, fen }) => [day, fen]));
    const bands = await to
      .selectFrom("weightBands")
      .select(["fromGrams", "toGrams", "adjustmentFen"])
      .where("category", "=", "outer")
      .where("saleRegion", "is", null)
      .execute();

    const { rows: terms } = await sql<{ id: string; tenantId: string; fen: number }>`
      select t.id::text as id, t.tenant_id, t.fen from contract_terms t join contracts c on c.id = t.contract
       where c.state = 'signed' and t.kind = 'fixed' and t.category = 'outer'`.execute(to);
    const rows = {
      salePlans: [] as object[],
      lots: [] as object[],
      bids: [] as object[],
      lotBidders: [] as object[],
      declarations: [] as object[],
      saleOrders: [] as object[],
      deposits: [] as object[],
      transits: [] as object[],
      scaleTickets: [] as object[],
      weighings: [] as object[],
      arrivalWeighings: [] as object[],
      settlements: [] as object[],
      notes: [] as object[],
      payments: [] as object[],
      payAttempts: [] as object[],
      bankLines: [] as object[],
      invoices: [] as object[],
      passports: [] as object[],
      processEntries: [] as object[],
      processNumbers: [] as object[],
    };
    const counts = new Map<string, number>();
    /** The next number of a process on the day of an instant. @param looks takes none */
    const numberAt = (process: string, letters: string, atMs: number, looks = false): string => {
      const day = shanghaiDay(atMs);
      const last = (counts.get(`${process} ${day}`) ?? 0) + 1;
      if (!looks) counts.set(`${process} ${day}`, last);
      return rowNumber(letters, day, last);
    };
    /** Adds a row of a process with the lines of its history, those that are not in the future. */
    /** What people wrote, as if an editor had entered the English. */
    const inEnglish: Record<string, string> = Object.fromEntries(drivers.map(([name, , english]) => [name, english]));
    const add = (
      table: Exclude<
        keyof typeof rows,
        "bids" | "lotBidders" | "processEntries" | "processNumbers" | "passports" | "bankLines"
      >,
      [process, letters]: readonly [string, string],
      owner: Member,
      lines: readonly Line[],
      columns: object,
    ): string => {
      const id = "id" in columns ? String(columns.id) : nextId();
      const state = lines.at(-1)?.[2] ?? "";
      const { number, ...whole } = base(
        id,
        letters === "" ? "" : numberAt(process, letters, lines[0]?.[4] ?? now),
        owner,
        state,
        lines,
      );
      rows[table].push({ ...whole, ...(letters !== "" && { number }), ...columns });
      for (const [event, party, after, by, atMs, words = {}] of lines)
        rows.processEntries.push({
          id: nextId(),
          process,
          rowId: id,
          tenantId: owner.tenantId,
          event,
          party,
          accountId: by?.accountId ?? null,
          state: after,
          words: JSON.stringify(words),
          createdAt: new Date(atMs),
        });
      return id;
    };

    const { rows: bridges } = await sql<{ device: string; tenantId: string; code: string }>`
      select d.id as device, d.tenant_id as "tenantId", m.code from devices d join farms m on m.id = d.farm_id where d.kind = 'weighbridge'`.execute(
      to,
    );
    /** A ticket of a weighbridge that was used for a weight of a vehicle. */
    const addTicket = (
      bridge: { device: string; tenantId: string },
      of: { order: string; transit: string; plate: string; place: "loading" | "arrival" },
      [use, weightGrams, weighedMs]: readonly ["tare" | "gross", number, number],
    ): string =>
      add(
        "scaleTickets",
        ["scale_ticket", ""],
        { ...clerk, tenantId: bridge.tenantId },
        [
          ["begin", "scale", "unmatched", undefined, weighedMs],
          ["match", "scale", "matched", undefined, weighedMs],
          ["use", "scale", "used", undefined, weighedMs],
        ],
        {
          ...of,
          device: bridge.device,
          ticket: `${of.place === "loading" ? "Z" : "D"}${shanghaiClock(weighedMs).slice(2, 16).replace(/[-:]/g, "").replace("T", "-")}-${of.plate.slice(-3)}`,
          phase: (of.place === "loading") === (use === "tare") ? "in" : "out",
          use,
          weightGrams,
          zeroGrams: 2500,
          stable: "yes",
          calibratedUntil: new Date(now + 180 * dayMs),
          weighedAt: new Date(weighedMs),
          expiresAt: new Date(weighedMs + 2 * dayMs),
          createdBy: null,
        },
      );

    const seeding = { nextId, now, clerk: group, chief, add, rows };
    /** Adds a line of the bank's statement. */
    const line = (
      bankReference: string,
      atMs: number,
      [direction, amountFen]: readonly ["in" | "out", number],
      { name, summary, more = {} }: { name: string; summary: string; more?: object },
    ): void => {
      const account = `62284800${String(10_000_000_000 + Number(amountFen % 9_999_999_999)).slice(-11)}`;
      rows.bankLines.push({
        id: nextId(),
        bankReference,
        bookedOn: shanghaiDay(atMs),
        direction,
        amountFen,
        counterpartyNameEncrypted: cipher.encrypt(name),
        counterpartyNameIndex: cipher.index(name),
        counterpartyAccountEncrypted: cipher.encrypt(account),
        counterpartyAccountIndex: cipher.index(account),
        summary,
        createdBy: clerk.accountId,
        createdAt: new Date(atMs),
        updatedAt: new Date(atMs),
        ...more,
      });
    };

    // Nothing is loaded on Sundays.
    const days = Array.from({ length: demoTradeDays.back + demoTradeDays.ahead + 1 }, (_, of) =>
      shanghaiDay(now + (of - demoTradeDays.back) * dayMs),
    ).filter((day) => new Date(`${day}T00:00:00Z`).getUTCDay() !== 0);
    const today = days.findLastIndex((day) => day <= shanghaiDay(now));
    let at = 0;
    for (const [index, day] of days.entries()) {
      const distance = index - today;
      for (const field of [fields[at % fields.length], fields[(at + 1) % fields.length]]) {
        at += 1;
        const fate = fateOf(distance, at);
        const buyer = memberOf(buyers[at % buyers.length] ?? "farm");
        /** An instant of a day before the loading day, never later than now. */
        const when = (days: number, clock: string): number =>
          Math.min(shanghaiMoment(`${day}T${clock}:00`) + days * dayMs, now - hourMs / 60);
        const heads = headsPerVehicle * (1 + (at % 3));
        // Some of what a customer with a contract buys has the contract's price.
        const isLot = at % lotEvery === 3 && distance < 2 && reached(fate, "waiting");
        const term =
          !isLot && at % 4 === 2 && reached(fate, "open")
            ? terms.find(({ tenantId }) => tenantId === buyer.tenantId)
            : undefined;
        const fenPerKg =
          term?.fen ?? (market.get(day) ?? market.get(shanghaiDay(now)) ?? fallbackFen) + ((at * 7) % 11) - 5;
        const [fromKg, toKg] = at % 4 === 0 ? [120, 130] : [110, 120];
        const planLines: Line[] = [["begin", "desk", "draft", group, when(-4, "09:20")]];
        if (fate !== "draft") planLines.push(["approve", "desk", "approved", chief, when(-3, "10:05")]);
        if (reached(fate, "open")) planLines.push(["publish", "desk", "published", group, when(-3, "14:20")]);
        if (now > shanghaiMidnight(day) + dayMs)
          planLines.push(["lapse", "clock", "closed", undefined, when(1, "00:02")]);
        const sold = reached(fate, "waiting") && fate !== "unpaid" && fate !== "called_off";
        const plan = add("salePlans", ["sale_plan", "JH"], group, planLines, {
          field: field?.id ?? "",
          day,
          category: "outer",
          fromKg,
          toKg,
          heads: sold && at % 5 !== 0 ? heads : heads + headsPerVehicle,
          taken: sold ? heads : 0,
          mode: isLot ? "bidding" : term ? "contract" : "fixed",
          pricePerKg: isLot || term ? null : fenPerKg,
          note: "",
          endsAt: new Date(shanghaiMidnight(day) + dayMs),
        });
        if (!reached(fate, "open")) continue;

        const asked: Line = ["begin", "customer", "submitted", buyer, when(-2, "10:12")];
        const wish = {
          plan,
          heads,
          pricePerKg: fenPerKg,
          contractTerm: term?.id ?? null,
          plate: plates[at % plates.length],
          note: "",
          expiresAt: new Date(shanghaiMidnight(day)),
        };
        if (fate === "open") {
          const offered: Line = [
            "offer",
            "desk",
            "offered",
            group,
            when(-2, "11:00"),
            { heads, pricePerKg: fenPerKg + 5 },
          ];
          add("declarations", ["declaration", "SB"], buyer, at % 2 === 0 && !term ? [asked, offered] : [asked], wish);
          const reason = "那天的头数已经留给合同客户，可以改订后一天的计划";
          inEnglish[reason] =
            "The heads of that day are kept for contract customers; please take the plan of the next day";
          const declined: Line = ["decline", "desk", "declined", group, when(-2, "10:40"), { reason }];
          if (distance === 1 && !term) add("declarations", ["declaration", "SB"], buyer, [asked, declined], wish);
          continue;
        }
        const declaration = isLot
          ? null
          : add(
              "declarations",
              ["declaration", "SB"],
              buyer,
              [asked, ["accept", "desk", "accepted", group, when(-2, "11:30")]],
              wish,
            );
        const expectedFen = halfEven(heads * (fromKg + toKg) * fenPerKg, 2);
        const depositFen = isLot ? heads * depositFenPerHead : 0;
        const vehicles = Array.from({ length: heads / headsPerVehicle }, (_, of) => {
          const meanGrams = (fromKg + 3) * 1000 + ((at * 37 + of * 911) % 4000);
          const tareGrams = 13_400_000 + ((at * 13 + of * 7) % 40) * 10_000;
          return {
            plate: plates[(at + of) % plates.length] ?? plates[0],
            heads: headsPerVehicle,
            tareGrams,
            grossGrams: tareGrams + Math.round((meanGrams * headsPerVehicle) / 500) * 500,
          };
        });
        const settlement = settle({
          vehicles,
          fenPerKg,
          ...(bands.length > 0 && { bands: bands as PricedBand[] }),
          taxBasisPoints: 0,
          taxIncluded: false,
          paid: [
            { kind: "prepayment", fen: expectedFen - depositFen },
            { kind: "deposit", fen: depositFen },
          ],
        });
        const leftFen = settlement.dueFen - settlement.refundFen;

        const orderLines: Line[] = [["begin", "desk", "waiting_payment", group, when(-2, "11:30")]];
        if (fate === "unpaid") orderLines.push(["expire", "clock", "cancelled", undefined, when(-1, "11:35")]);
        if (reached(fate, "confirmed")) orderLines.push(["confirm", "payment", "confirmed", chief, when(-1, "15:48")]);
        if (fate === "called_off")
          orderLines.push([
            "call_off",
            "desk",
            "cancelled",
            group,
            when(-1, "17:10"),
            { reason: "客户车辆故障，双方同意取消" },
          ]);
        if (reached(fate, "loading")) orderLines.push(["load", "desk", "loading", group, when(0, "08:06")]);
        if (reached(fate, "weighed")) orderLines.push(["weigh", "desk", "weighed", group, when(0, "14:02")]);
        if (reached(fate, "settled")) orderLines.push(["settle", "settlement", "settled", chief, when(0, "15:20")]);
        if (reached(fate, "completed")) orderLines.push(["complete", "customer", "completed", buyer, when(1, "09:30")]);
        const openOrder = (lot: string | null): string =>
          add("saleOrders", ["sale_order", "DD"], buyer, orderLines, {
            plan,
            declaration,
            lot,
            contractTerm: term?.id ?? null,
            heads,
            pricePerKg: fenPerKg,
            expectedFen,
            plate: isLot ? "" : wish.plate,
            // Whoever opens the demo finds an order to pay.
            payBy: new Date(Math.max(when(-2, "11:30"), fate === "waiting" ? now : 0) + dayMs),
          });
        let order = "";
        if (!isLot) order = openOrder(null);
        else {
          const endsMs = wholeMinute(Math.min(shanghaiMoment(`${day}T11:00:00`) - 2 * dayMs, now - hourMs));
          const lotFate: LotFate = fate === "unpaid" || fate === "waiting" ? fate : "paid";
          addLot(
            {
              plan,
              heads,
              reservePerKg: fenPerKg - 60 + (at % 5) * 5,
              opensMs: endsMs - hourMs,
              endsMs,
              fate: lotFate,
              // Who did not pay was alone, as else the next one would have got the order.
              bidders:
                lotFate === "unpaid"
                  ? [buyer]
                  : [buyer, ...buyers.map(memberOf).filter(({ tenantId }) => tenantId !== buyer.tenantId)],
              bestPerKg: fenPerKg,
            },
            seeding,
            ({ lot }) => {
              order = openOrder(lot);
              return order;
            },
          );
        }

        const pay = (
          kind: "prepayment" | "balance" | "refund",
          amountFen: number,
          opened: number,
          done: number | undefined,
          dropped?: number,
          note: string | null = null,
        ) => {
          const lines: Line[] = [["begin", "order", "awaited", group, opened]];
          // Some customers pay online.
          const online =
            kind === "prepayment" && (at % 6 === 2 || at % 7 === 3) && (done !== undefined || fate === "waiting");
          if (done !== undefined && online) lines.push(["receive", "provider", "done", undefined, done]);
          else if (done !== undefined)
            lines.push(["record", "desk", "recorded", group, done - hourMs], ["confirm", "desk", "done", chief, done]);
          if (dropped !== undefined) lines.push(["cancel", "order", "void", undefined, dropped]);
          const bankReference =
            done !== undefined && online
              ? `SBX${shanghaiDay(done).replaceAll("-", "")}${at}`
              : done === undefined
                ? ""
                : `ABC${shanghaiDay(done).replaceAll("-", "")}${at}${kind[0]?.toUpperCase()}${note === null ? "" : "N"}`;
          const direction = kind === "refund" ? "out" : "in";
          if (done !== undefined && !online)
            line(bankReference, done - hourMs, [direction, amountFen], { name: buyer.name, summary: "猪款" });
          // Of what is awaited some has come and waits to be matched: by name, with too little, from somebody else.
          else if (done === undefined && dropped === undefined && fate === "waiting")
            line(
              `ABC${shanghaiDay(now).replaceAll("-", "")}${at}W`,
              now - (at % 4) * dayMs,
              [direction, at % 3 === 1 ? amountFen - 5000 : amountFen],
              {
                name: at % 3 === 2 ? "周家旺" : buyer.name,
                summary: at % 3 === 1 ? `付 ${numberAt("payment", "SK", opened, true)} 猪款` : "货款",
              },
            );
          const payment = add("payments", ["payment", "SK"], buyer, lines, {
            order,
            kind,
            amountFen,
            note,
            bankReference,
            receivedOn: done === undefined ? null : shanghaiDay(done),
            recordedBy: done === undefined || online ? null : clerk.accountId,
          });
          if (!online) return;
          const began = done === undefined ? opened : done - hourMs / 30;
          const end: Line =
            done === undefined
              ? ["expire", "clock", "expired", undefined, Math.min(began + hourMs / 4, now)]
              : ["succeed", "provider", "succeeded", undefined, done];
          add("payAttempts", ["pay_attempt", "ZF"], buyer, [["begin", "", "started", buyer, began], end], {
            payment,
            deposit: null,
            amountFen,
            receivedFen: done === undefined ? 0 : amountFen,
            reference: bankReference,
            channel: "sandbox",
            expiresAt: new Date(began + hourMs / 4),
          });
        };
        pay(
          "prepayment",
          expectedFen - depositFen,
          when(-2, "11:30"),
          reached(fate, "confirmed") ? when(-1, "15:48") : undefined,
          fate === "unpaid" ? when(-1, "11:35") : undefined,
        );
        if (fate === "called_off") pay("refund", expectedFen, when(-1, "17:10"), when(1, "10:00"));
        const transitIds: string[] = [];
        for (const [of, vehicle] of vehicles.entries()) {
          if (fate === "unpaid" || fate === "called_off") break;
          const [driverName, driverPhone] = drivers[(at + of) % drivers.length] ?? drivers[0];
          const [washed, departed, arrived] = [when(0, "05:30"), when(0, "14:30"), when(0, "19:05")];
          const hasPapers = reached(fate, "confirmed");
          const lines: Line[] = [["begin", "customer", "planned", buyer, when(-1, "16:10")]];
          if (hasPapers)
            lines.push(
              ["disinfect", "desk", "planned", group, washed],
              ["quarantine", "desk", "planned", group, when(0, "06:10")],
              ["clear", "desk", "ready", group, when(0, "07:20")],
            );
          if (reached(fate, "loading")) lines.push(["load", "desk", "loading", group, when(0, "08:10")]);
          if (reached(fate, "weighed")) lines.push(["depart", "desk", "departed", group, departed]);
          if (reached(fate, "settled")) lines.push(["arrive", "customer", "arrived", buyer, arrived]);
          if (reached(fate, "completed")) lines.push(["close", "customer", "closed", buyer, when(1, "09:10")]);
          const number = `${day.replaceAll("-", "")}${at}${of}`;
          transitIds[of] = add("transits", ["transit", "ZY"], buyer, lines, {
            order,
            field: field?.id ?? "",
            plate: vehicle.plate,
            heads: vehicle.heads,
            driverName,
            driverPhoneEncrypted: cipher.encrypt(driverPhone),
            driverPhoneIndex: cipher.index(driverPhone),
            ...(hasPapers && {
              disinfectionNumber: `XD${number}`,
              disinfectedAt: new Date(washed),
              disinfectionUntil: new Date(washed + 2 * dayMs),
              dried: (at + of) % 7 !== 0,
              quarantineNumber: `JY${number}`,
              quarantineHeads: vehicle.heads,
              quarantineUntil: shanghaiDay(shanghaiMidnight(day) + dayMs),
            }),
            departedAt: reached(fate, "weighed") ? new Date(departed) : null,
            arrivedAt: reached(fate, "settled") ? new Date(arrived) : null,
          });
        }
        const bridge = bridges.find(({ tenantId, code }) => tenantId === groupTenantId && code === field?.fieldCode);
        if (reached(fate, "loading"))
          for (const [of, vehicle] of vehicles.entries()) {
            const weighed = when(0, of === 0 ? "08:56" : "13:40");
            const waits = fate === "loading" && of === vehicles.length - 1;
            const transit = transitIds[of] ?? "";
            const weighedAt = { order, transit, plate: vehicle.plate, place: "loading" } as const;
            const tickets = bridge &&
              !waits && {
                source: "scale",
                tareTicket: addTicket(bridge, weighedAt, ["tare", vehicle.tareGrams, weighed - hourMs - of]),
                grossTicket: addTicket(bridge, weighedAt, ["gross", vehicle.grossGrams, weighed - of]),
              };
            const confirmed: Line[] = waits
              ? []
              : tickets
                ? [["confirm", "scale", "confirmed", undefined, weighed]]
                : [["confirm", "desk", "confirmed", chief, Math.min(weighed + hourMs / 12, now)]];
            add(
              "weighings",
              ["weighing", "GB"],
              { ...buyer, accountId: clerk.accountId },
              [["begin", tickets ? "scale" : "desk", "entered", tickets ? undefined : group, weighed], ...confirmed],
              { order, ...vehicle, ...tickets },
            );
          }
        // Customers with a weighbridge weigh what arrives; the newest delivery differs by too much.
        const own = bridges.find(({ tenantId }) => tenantId === buyer.tenantId);
        if (own && reached(fate, "weighed") && distance > -passportDays)
          for (const [of, vehicle] of vehicles.slice(0, 1).entries()) {
            const arrived = when(0, "19:20");
            const loadingGrams = vehicle.grossGrams - vehicle.tareGrams;
            const isDisputed = fate === "weighed";
            // An older one differed by as much, and staff kept the weight at loading.
            const isKept = reached(fate, "completed") && at % 4 === 1;
            const tareGrams = vehicle.tareGrams + 20_000;
            const grossGrams =
              tareGrams + Math.round((loadingGrams * (isDisputed || isKept ? 0.968 : 0.992)) / 20_000) * 20_000;
            const transit = transitIds[of] ?? "";
            const weighedAt = { order, transit, plate: vehicle.plate, place: "arrival" } as const;
            add(
              "arrivalWeighings",
              ["arrival_weighing", "DH"],
              buyer,
              [
                ["begin", "customer", isDisputed || isKept ? "disputed" : "agreed", undefined, arrived],
                ...(isKept
                  ? ([["keep", "desk", "kept", group, when(1, "09:05"), { reason: "高温路上掉秤" }]] as Line[])
                  : []),
              ],
              {
                order,
                transit,
                plate: vehicle.plate,
                grossGrams,
                tareGrams,
                loadingGrams,
                source: "scale",
                grossTicket: addTicket(own, weighedAt, ["gross", grossGrams, arrived - hourMs / 2]),
                tareTicket: addTicket(own, weighedAt, ["tare", tareGrams, arrived]),
              },
            );
          }
        if (!reached(fate, "weighed")) continue;
        const computed: Line = ["begin", "desk", "computed", group, when(0, "14:30")];
        const settled = add(
          "settlements",
          ["settlement", "JS"],
          { ...buyer, accountId: clerk.accountId },
          reached(fate, "settled") ? [computed, ["confirm", "desk", "confirmed", chief, when(0, "15:20")]] : [computed],
          {
            order,
            heads: settlement.heads,
            netGrams: settlement.netGrams,
            goodsFen: settlement.goodsFen,
            taxFen: settlement.taxFen,
            totalFen: settlement.totalFen,
            paidFen: settlement.paidFen,
            leftFen,
            lines: JSON.stringify(settlement.lines),
          },
        );
        if (distance > -passportDays)
          rows.passports.push({
            order,
            code: randomBytes(16).toString("base64url"),
            loadedAt: new Date(when(0, "12:00")),
          });
        if (reached(fate, "completed") && at % 5 !== 0) {
          const issued = at % 4 !== 1;
          const lines: Line[] = [["begin", "customer", "applied", buyer, when(1, "10:20")]];
          if (issued) lines.push(["issue", "desk", "issued", group, when(1, "15:10")]);
          else if (at % 8 === 1) {
            const why = "抬头与营业执照不一致";
            inEnglish[why] = "The title differs from the business licence";
            lines.push(["give_back", "desk", "returned", group, when(1, "15:10"), { reason: why }]);
          }
          add("invoices", ["invoice", "FP"], buyer, lines, {
            order,
            settlement: settled,
            kind: "ordinary",
            amountFen: settlement.totalFen,
            title: at % 8 === 1 ? "个人" : buyer.name,
            invoiceNumber: issued ? `2641${String(at).padStart(16, "0")}` : "",
            issuedOn: issued ? shanghaiDay(when(1, "15:10")) : null,
            issuedBy: issued ? clerk.accountId : null,
          });
        }
        // What the customer complained about after the settlement: one of them still waits for its second person.
        if (reached(fate, "completed") && at % 13 === 4) {
          const isDrafted = distance > -6;
          const fen = 38_000 + (at % 7) * 1_250;
          const reason = "到场复磅少 26 kg";
          const drafted: Line = ["begin", "desk", "drafted", group, when(2, "10:15")];
          const inForce = when(2, "11:05");
          const note = add(
            "notes",
            ["note", "TZ"],
            { ...buyer, accountId: clerk.accountId },
            isDrafted ? [drafted] : [drafted, ["confirm", "desk", "confirmed", chief, inForce]],
            {
              settlement: settled,
              order,
              kind: "credit",
              amountFen: fen,
              lines: JSON.stringify([{ fen, reason }]),
              reasons: reason,
            },
          );
          inEnglish[reason] = "26 kg less on the buyer's scale";
          if (!isDrafted) pay("refund", fen, inForce, when(3, "15:00"), undefined, note);
        }
        if (reached(fate, "settled") && leftFen !== 0)
          pay(
            leftFen > 0 ? "balance" : "refund",
            Math.abs(leftFen),
            when(0, "15:20"),
            reached(fate, "completed") ? when(0, "16:42") : undefined,
          );
      }
    }
    const fenNow = market.get(shanghaiDay(now)) ?? fallbackFen;
    /** A plan that is sold by bids alone, with its lot. @param ahead how many loading days from today */
    const addSpecial = (
      ahead: number,
      fate: LotFate,
      times: { opensMs: number; endsMs: number },
      accounts: readonly (typeof buyers)[number][] = [],
    ): void => {
      at += 1;
      const day = days[Math.min(days.length - 1, today + ahead)] ?? shanghaiDay(now);
      const heads = 2 * headsPerVehicle;
      const [fromKg, toKg] = [110, 120];
      const publishedMs = Math.min(times.opensMs - 5 * hourMs, now - 2 * hourMs);
      const isTaken = fate === "announced" || fate === "open" || fate === "waiting";
      const plan = add(
        "salePlans",
        ["sale_plan", "JH"],
        group,
        [
          ["begin", "desk", "draft", group, publishedMs - 2 * hourMs],
          ["approve", "desk", "approved", chief, publishedMs - hourMs],
          ["publish", "desk", "published", group, publishedMs],
        ],
        {
          field: fields[(at + 2) % fields.length]?.id ?? "",
          day,
          category: "outer",
          fromKg,
          toKg,
          heads,
          taken: isTaken ? heads : 0,
          mode: "bidding",
          pricePerKg: null,
          note: "",
          endsAt: new Date(shanghaiMidnight(day) + dayMs),
        },
      );
      const lot = { plan, heads, reservePerKg: fenNow - 50, bestPerKg: fenNow, fate, ...times };
      addLot({ ...lot, bidders: accounts.map(memberOf) }, seeding, (won) => {
        const begun: Line[] = [["begin", "desk", "waiting_payment", group, won.atMs]];
        const expectedFen = halfEven(heads * (fromKg + toKg) * won.fenPerKg, 2);
        const order = add("saleOrders", ["sale_order", "DD"], won.winner, begun, {
          plan,
          declaration: null,
          lot: won.lot,
          heads,
          pricePerKg: won.fenPerKg,
          expectedFen,
          plate: "",
          payBy: new Date(won.atMs + dayMs),
        });
        add("payments", ["payment", "SK"], won.winner, [["begin", "order", "awaited", group, won.atMs]], {
          order,
          kind: "prepayment",
          amountFen: expectedFen - won.depositFen,
          bankReference: "",
          receivedOn: null,
          recordedBy: null,
        });
        return order;
      });
    };
    const running = runningTimes(now);
    if (running.opensMs <= now) addSpecial(4, "open", running, ["heqing", "farm", "sunli"]);
    else addSpecial(4, "announced", running);
    addSpecial(3, "waiting", endedTimes(now), ["farm", "sunli", "heqing"]);
    addSpecial(4, "announced", soonTimes(now));
    const morning = (daysOn: number) => {
      const opensMs = shanghaiMidnight(shanghaiDay(now)) + daysOn * dayMs + 10 * hourMs;
      return { opensMs, endsMs: opensMs + hourMs };
    };
    for (const daysOn of [1, 2, 3]) addSpecial(daysOn + 2, "announced", morning(daysOn));
    addSpecial(2, "failed", morning(-2));
    addSpecial(2, "withdrawn", morning(-1));

    line(`ABC${shanghaiDay(now).replaceAll("-", "")}L`, now - 6 * dayMs, ["in", 38_215], {
      name: "中国农业银行",
      summary: "结息",
      more: { aside: true, note: "存款利息" },
    });
    line(`ABC${shanghaiDay(now).replaceAll("-", "")}F`, now - 5 * dayMs, ["out", 2500], {
      name: "中国农业银行",
      summary: "手续费",
    });
    for (const [key, last] of counts) {
      const [process = "", day = ""] = key.split(" ");
      rows.processNumbers.push({ process, day, last });
    }
    for (const [table, all] of Object.entries(rows) as [keyof typeof rows, object[]][])
      for (let from = 0; from < all.length; from += 500)
        await to
          .insertInto(table)
          .values(all.slice(from, from + 500) as never)
          .execute();
    await seedTranslations(to, inEnglish);
  });
}
