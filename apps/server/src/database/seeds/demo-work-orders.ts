import { createHash } from "node:crypto";
import { type WorkOrderSnapshot, type WorkOrderState, type WorkOrderType, workOrderMinutes } from "@herdwise/contract";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { deviceKinds, rangeOf, shadedOf } from "@herdwise/device-kinds";
import { type Kysely, sql } from "kysely";
import { createServiceCalendarOn, type ServiceCalendar } from "../../modules/service-calendar/index.ts";
import { rowNumber } from "../../row-number.ts";
import type { DB } from "../generated/database.ts";
import { demoPassword, seedTranslations } from "./demo.ts";
import {
  type AfterSalesStory,
  afterSalesStories,
  carrier,
  complaintStories,
  noteOfAssign,
  remoteDone,
  stillWrong,
  suggestionStories,
  type Text,
} from "./demo-work-order-texts.ts";
import { groupTenantId } from "./foundation.ts";

/** The engineer of the group's desk. */
export const engineer = { account: "luchen", realName: "陆晨" };
/** English names of the demo's people. */
const people: readonly Text[] = [
  ["郑航", "Zheng Hang"],
  ["林悦", "Lin Yue"],
  ["陆晨", "Lu Chen"],
  ["周建平", "Zhou Jianping"],
  ["李敏", "Li Min"],
  ["王小满", "Wang Xiaoman"],
  ["王志强", "Wang Zhiqiang"],
  ["刘洋", "Liu Yang"],
  ["孙丽", "Sun Li"],
  ["何清", "He Qing"],
  ["陈晓", "Chen Xiao"],
  ["陈睿", "Chen Rui"],
  ["赵敏", "Zhao Min"],
  ["李强", "Li Qiang"],
  ["郭海涛", "Guo Haitao"],
  ["郑有田", "Zheng Youtian"],
  ["冯建军", "Feng Jianjun"],
  ["杨守田", "Yang Shoutian"],
  ["吴长河", "Wu Changhe"],
  ["马玉成", "Ma Yucheng"],
];

/** Progress of an after-sales order or a complaint. */
type Stage =
  | "new"
  | "unanswered"
  | "answered"
  | "waiting"
  | "shipped"
  | "urged"
  | "remote"
  | "reopened"
  | "completed"
  | "closed"
  | "old"
  | "cancelled";

/** Mix of orders, used in turn: stage, age in hours, stars. */
const mix: readonly (readonly [Stage, hours: number, stars?: number])[] = [
  ["new", 0.7],
  ["answered", 5],
  ["waiting", 28],
  ["closed", 24 * 9, 5],
  ["shipped", 26],
  ["completed", 24 * 2],
  ["closed", 24 * 13, 5],
  ["urged", 24 * 4],
  ["old", 24 * 45, 4],
  ["unanswered", 30],
  ["closed", 24 * 20, 4],
  ["remote", 9],
  ["old", 24 * 75, 5],
  ["reopened", 24 * 6],
  ["closed", 24 * 27, 3],
  ["old", 24 * 110, 5],
  ["cancelled", 24 * 16],
  ["old", 24 * 140, 4],
  ["completed", 24 * 3],
  ["old", 24 * 160, 2],
];
const afterSalesCount = 44;
const complaintCount = 16;

const stateOf: Readonly<Record<Stage, WorkOrderState>> = {
  new: "pending",
  unanswered: "pending",
  answered: "in_process",
  waiting: "waiting_customer",
  shipped: "in_process",
  urged: "in_process",
  remote: "in_process",
  reopened: "in_process",
  completed: "completed",
  closed: "closed",
  old: "closed",
  cancelled: "cancelled",
};

interface Entry {
  what: string;
  side: "customer" | "desk" | "clock";
  /** Time of the event as a share of the order's age, 0 to 1. */
  at: number;
  by: string | null;
  body?: string;
  internal?: boolean;
  details?: object;
}

interface Seed {
  type: WorkOrderType;
  state: WorkOrderState;
  tenantId: string;
  raiser: string;
  assignee: string | null;
  ageHours: number;
  title: string;
  description: string;
  category?: string;
  repairMode?: string;
  device?: Device;
  /** Completed, with the times of a quick desk. */
  done?: boolean;
  stars?: number;
  urges?: number;
  published?: boolean;
  snapshot?: WorkOrderSnapshot;
  entries: Entry[];
}

interface Device {
  id: string;
  name: string;
  serialNumber: string;
  kind: keyof typeof deviceKinds;
  place: string;
  mode: string;
  headCount: number | null;
}

const hourMs = 3_600_000;
/** Minutes of service time that a quick desk takes from the order until shortly after its rating. */
const doneWithinMinutes = 700;
const leastMinutes = 60;
const stepMs = 600_000;
/** Channels that only fall until somebody fills up or charges. */
const usedUp: ReadonlySet<string> = new Set(["bottle_ml", "batt", "charge"]);

/** Values around the usual range as a device may have sent them, one of them rising or standing still. */
function snapshotOf(
  device: Device,
  endMs: number,
  { rising, still }: Pick<AfterSalesStory, "rising" | "still">,
): WorkOrderSnapshot {
  const kind = deviceKinds[device.kind];
  const startMs = endMs - 24 * hourMs;
  const first = Math.ceil(startMs / stepMs) * stepMs;
  const figures = [...(rising ? [rising[0]] : []), ...(kind.pages?.figures ?? [])];
  const channels = [...new Set(figures)].flatMap((key) => kind.channels.find((one) => one.key === key) ?? []);
  return {
    startMs,
    endMs,
    deviceId: device.id,
    deviceName: device.name,
    serialNumber: device.serialNumber,
    kind: device.kind,
    firmwareVersion: "1.4.2",
    status: "online",
    place: device.place,
    mode: device.mode,
    ...(device.headCount !== null && { headCount: device.headCount }),
    series: channels
      .filter(({ type }) => type === "number")
      .map((channel, line) => {
        const usual = shadedOf(rangeOf(kind, channel.key, {}, { ageS: 0 }));
        const [low, high] = usual ?? channel.normal ?? channel.valid ?? [0, 10];
        const middle = (low + high) / 2;
        const swing = (high - low) / 5;
        return {
          key: channel.key,
          points: Array.from({ length: 144 }, (_, at): [number, number] => {
            const wave = Math.sin((at / 144) * 2 * Math.PI + line) * swing + Math.sin(at * 1.7 + line) * swing * 0.12;
            const risen =
              rising && channel.key === rising[0]
                ? (high * (1 + rising[1]) - middle) * Math.min(1, (at / 110) ** 4)
                : 0;
            // What is used up falls.
            const used = (0.8 - at / 120) * swing;
            const moved = channel.key === still ? 0 : usedUp.has(channel.key) ? used : wave + risen;
            const value = channel.step === true ? Math.round(middle + wave) : middle + moved;
            return [first + at * stepMs, Number(value.toFixed(channel.decimals))];
          }),
        };
      }),
    alarms: rising ? [{ ruleId: rising[2], ruleName: "", severity: "MAJOR", raisedMs: endMs - 4 * hourMs }] : [],
  };
}

/** Entries of an order up to its present stage. */
function entriesOf(
  stage: Stage,
  { raiser, clerk, other }: { raiser: string; clerk: string; other: string },
  words: {
    description: string;
    first: string;
    question?: string;
    reply?: string;
    note?: string;
    parts?: string;
    solution: string;
    thanks: string;
  },
  stars: number | undefined,
): Entry[] {
  const entry = (what: string, at: number, side: Entry["side"], more: Partial<Entry> = {}): Entry => ({
    what,
    side,
    at,
    by: side === "customer" ? raiser : clerk,
    ...more,
  });
  const raised = entry("raise", 0, "customer", { body: words.description });
  if (stage === "new" || stage === "unanswered") return [raised];
  if (stage === "cancelled") return [raised, entry("cancel", 0.1, "customer")];
  const begun = [
    raised,
    entry("claim", 0.06, "desk"),
    entry("answer", 0.1, "desk", { body: words.first }),
    ...(words.note ? [entry("note", 0.12, "desk", { body: words.note, internal: true })] : []),
  ];
  if (stage === "answered") return begun;
  const asked = words.question ? [entry("ask", 0.16, "desk", { body: words.question })] : [];
  if (stage === "waiting") return [...begun, ...asked];
  const replied = words.reply ? [entry("reply", 0.24, "customer", { body: words.reply })] : [];
  const talked = [...begun, ...asked, ...replied];
  if (stage === "remote")
    return [...talked, entry("remote", 0.5, "desk", { body: remoteDone[0], details: { minutes: 25 } })];
  if (stage === "urged")
    return [
      // Whoever hands it over had it until then.
      ...talked.map((one) => (one.side === "desk" ? { ...one, by: other } : one)),
      entry("assign", 0.4, "desk", {
        body: noteOfAssign[0],
        internal: true,
        by: other,
        details: { other: engineer.realName },
      }),
      entry("urge", 0.7, "customer"),
    ];
  const shipped = words.parts
    ? [
        entry("ship", 0.35, "desk", {
          details: { items: words.parts, carrier: carrier[0], tracking: "SF1029 4471 88" },
        }),
      ]
    : [];
  if (stage === "shipped") return [...talked, ...shipped];
  const received = words.parts ? [entry("receive", 0.5, "customer")] : [];
  const completed = [...talked, ...shipped, ...received, entry("complete", 0.6, "desk", { body: words.solution })];
  if (stage === "completed") return completed;
  if (stage === "reopened") return [...completed, entry("reopen", 0.9, "customer", { body: stillWrong[0] })];
  return [...completed, entry("rate", 0.64, "customer", { body: words.thanks, details: { rating: stars ?? 5 } })];
}

async function insertSeed(
  db: Kysely<DB>,
  seed: Seed,
  accounts: ReadonlyMap<string, string>,
  numbers: Map<string, number>,
  { calendar, nextId, now }: { calendar: ServiceCalendar; nextId: () => string; now: number },
): Promise<void> {
  const created = new Date(now - seed.ageHours * hourMs);
  // People work in service hours. Completed orders took at most two days, however old they are; open ones continue until now.
  const served = seed.done ? doneWithinMinutes : await calendar.minutesBetween(created, new Date(now));
  const times = new Map<Entry, Date>();
  for (const entry of seed.entries)
    times.set(entry, entry.at === 0 ? created : await calendar.afterMinutes(created, Math.max(1, entry.at * served)));
  // With too little service time since the order, the entries are placed outside service hours.
  const tooSoon = served < leastMinutes || [...times.values()].some((at) => at.getTime() > now);
  const timeOf = (entry: Entry): Date =>
    tooSoon ? new Date(created.getTime() + entry.at * seed.ageHours * hourMs) : (times.get(entry) ?? created);
  const day = shanghaiDay(created.getTime());
  const prefix = { after_sales: "SH", complaint: "TS", suggestion: "JY" }[seed.type];
  const place = (numbers.get(`${seed.type} ${day}`) ?? 0) + 1;
  numbers.set(`${seed.type} ${day}`, place);
  const number = rowNumber(prefix, day, place);
  const minutes = workOrderMinutes[seed.type];
  const timeOfFirst = (...whats: string[]): Date | null => {
    const found = seed.entries.find(({ what }) => whats.includes(what));
    return found ? timeOf(found) : null;
  };
  const last = seed.entries.at(-1);
  const reopened = seed.entries.find(({ what }) => what === "reopen");
  const solved = reopened ? null : timeOfFirst("complete", "adopt", "reject");
  const solveDue = await calendar.afterMinutes(reopened ? timeOf(reopened) : created, minutes.solution);
  const waits = seed.state === "waiting_customer";
  const id = nextId();
  const accountOf = (name: string | null) => (name === null ? null : (accounts.get(name) ?? null));
  await sql`
    insert into work_orders
      (id, tenant_id, number, type, state, title, description, category, repair_mode, product_id, device_id, device_name, place,
       created_by, created_at, updated_at, updated_by, assignee_id, first_due_at, first_answered_at, solve_due_at, minutes_left, solved_at,
       urges, urged_at, reopens, rating, published, told_first, told_soon, told_late, told_customer)
    values (${id}, ${seed.tenantId}, ${number}, ${seed.type}, ${seed.state}, ${seed.title}, ${seed.description}, ${seed.category ?? ""},
            ${seed.repairMode ?? ""}, ${seed.device?.kind ?? ""}, ${seed.device?.id ?? null}::bigint, ${seed.device?.name ?? ""},
            ${seed.device?.place ?? ""}, ${accountOf(seed.raiser)}::bigint, ${created}, ${last ? timeOf(last) : created},
            ${accountOf(last?.by ?? seed.raiser)}::bigint, ${accountOf(seed.assignee)}::bigint,
            ${await calendar.afterMinutes(created, minutes.first)}, ${timeOfFirst("answer", "ask", "adopt", "reject")},
            ${waits ? null : solveDue}::timestamptz, ${waits ? 240 : null}::integer, ${solved}::timestamptz, ${seed.urges ?? 0},
            ${seed.urges ? timeOfFirst("urge") : null}::timestamptz, ${reopened ? 1 : 0}, ${seed.stars ?? null}::smallint,
            ${seed.published ?? false}, true, true, true, true)`.execute(db);
  await sql`
    insert into work_order_numbers (type, day, last) values (${seed.type}, ${day}::date, ${place})
    on conflict (type, day) do update set last = greatest(work_order_numbers.last, excluded.last)`.execute(db);
  for (const entry of seed.entries)
    await sql`
      insert into work_order_entries (id, work_order_id, what, side, account_id, body, internal, details, created_at)
      values (${nextId()}, ${id}, ${entry.what}, ${entry.side}, ${accountOf(entry.by)}::bigint, ${entry.body ?? ""},
              ${entry.internal ?? false}, ${JSON.stringify(entry.details ?? {})}::jsonb, ${timeOf(entry)})`.execute(db);
  if (seed.snapshot)
    await sql`
      insert into work_order_snapshots (work_order_id, body) values (${id}, ${JSON.stringify(seed.snapshot)}::jsonb)`.execute(
      db,
    );
}

/** The demo's orders: some sixty in every stage and age, complaints, suggestions, and the engineer. */
export async function seedDemoWorkOrders(
  db: Kysely<DB>,
  { nextId, hashPassword, now }: { nextId: () => string; hashPassword: (md5: string) => Promise<string>; now: number },
): Promise<void> {
  const passwordHash = await hashPassword(createHash("md5").update(demoPassword).digest("hex"));
  await db.transaction().execute(async (to) => {
    await sql`select pg_advisory_xact_lock(hashtext('seeds'))`.execute(to);
    const { rows: kept } = await sql`select from work_orders limit 1`.execute(to);
    if (kept.length > 0) return;
    const texts = [...afterSalesStories, ...complaintStories, ...suggestionStories].flatMap((story) =>
      Object.values(story).filter((value): value is Text => Array.isArray(value) && typeof value[1] === "string"),
    );
    await seedTranslations(
      to,
      Object.fromEntries(
        [...texts, ...people, carrier, noteOfAssign, stillWrong, remoteDone].filter(([zh]) => zh !== ""),
      ),
    );
    const [id, membershipId] = [nextId(), nextId()];
    await to
      .insertInto("accounts")
      .values({
        id,
        account: engineer.account,
        accountKey: engineer.account,
        type: "employee",
        realName: engineer.realName,
        nickName: engineer.realName,
        passwordHash,
        demoNote: "",
      })
      .execute();
    await to
      .insertInto("memberships")
      .values({ id: membershipId, accountId: id, tenantId: groupTenantId, code: "" })
      .execute();
    await sql`
      insert into membership_roles (membership_id, role_id)
      select ${membershipId}::bigint, id from roles where tenant_id = ${groupTenantId} and role_alias = 'device_engineer'`.execute(
      to,
    );
    const { rows: known } = await sql<{ id: string; accountKey: string }>`
      select id, account_key from accounts where demo_note is not null`.execute(to);
    const accounts = new Map(known.map((account) => [account.accountKey, account.id]));
    const { rows: devices } = await sql<Device & { tenantId: string }>`
      select d.id, d.tenant_id, d.name, d.serial_number, d.kind, coalesce(u.mode, '') as mode, u.head_count,
             concat_ws(' / ', f.name, h.name, u.name) as place
        from devices d left join farms f on f.id = d.farm_id left join units u on u.id = d.unit_id
        left join pig_houses h on h.id = u.house_id
       where d.bound_at is not null order by d.serial_number`.execute(to);
    const raisers: Readonly<Record<string, readonly string[]>> = {
      "100001": ["sunli", "worker"],
      "100002": ["farm", "wangzq", "liuyang", "farm"],
      "100003": ["heqing", "vet"],
    };
    // The second tenant is the one that most demo accounts belong to.
    const tenants = ["100002", "100002", "100001", "100002", "100003", "100002"];
    const desk = [engineer.account, "kefu01", "admin"];
    const pick = <Value>(list: readonly Value[], at: number): Value => list[at % list.length] as Value;
    const context = { calendar: createServiceCalendarOn({ kysely: to }), nextId, now };
    const seeds: Seed[] = [];
    for (let at = 0; at < afterSalesCount; at += 1) {
      const story = pick(afterSalesStories, at);
      const [stage, hours, stars] = pick(mix, at);
      const ageHours = hours * (1 + Math.floor(at / mix.length) * 0.13);
      const tenantId = pick(tenants, at);
      const own = devices.filter((device) => device.tenantId === tenantId && device.kind === story.kind);
      const device = own.length > 0 ? pick(own, at) : undefined;
      const raiser = pick(raisers[tenantId] ?? ["farm"], at);
      const clerk = pick(desk, at);
      const closed = stage === "closed" || stage === "old";
      seeds.push({
        type: "after_sales",
        state: stateOf[stage],
        tenantId,
        raiser,
        assignee:
          stage === "new" || stage === "unanswered" || stage === "cancelled"
            ? null
            : stage === "urged"
              ? engineer.account
              : clerk,
        ageHours,
        title: story.title[0],
        description: story.description[0],
        repairMode: story.factory ? "return_factory" : "remote",
        ...(device && { device, snapshot: snapshotOf(device, now - ageHours * hourMs, story) }),
        done: closed || stage === "completed",
        ...(closed && stars !== undefined && { stars }),
        ...(stage === "urged" && { urges: 1 }),
        entries: entriesOf(
          stage,
          { raiser, clerk: stage === "urged" ? engineer.account : clerk, other: pick(["kefu01", "admin"], at) },
          {
            description: story.description[0],
            first: story.first[0],
            question: story.question[0],
            reply: story.reply[0],
            note: story.note[0],
            ...(story.parts && { parts: story.parts[0] }),
            solution: story.solution[0],
            thanks: story.thanks[0],
          },
          stars,
        ),
      });
    }
    for (let at = 0; at < complaintCount; at += 1) {
      const story = pick(complaintStories, at);
      const [given, hours, stars] = pick(mix, at + 1);
      // A complaint has no shipment and no remote session.
      const stage = given === "shipped" || given === "remote" || given === "waiting" ? "answered" : given;
      const tenantId = pick(tenants, at);
      const raiser = pick(raisers[tenantId] ?? ["farm"], at);
      const clerk = pick(["kefu01", "admin"], at);
      const closed = stage === "closed" || stage === "old";
      seeds.push({
        type: "complaint",
        state: stateOf[stage],
        tenantId,
        raiser,
        assignee: stage === "new" || stage === "unanswered" || stage === "cancelled" ? null : clerk,
        ageHours: hours * 1.07,
        title: story.title[0],
        description: story.description[0],
        category: story.category,
        done: closed || stage === "completed",
        ...(closed && stars !== undefined && { stars }),
        ...(stage === "urged" && { urges: 1 }),
        entries: entriesOf(
          stage,
          { raiser, clerk, other: "admin" },
          {
            description: story.description[0],
            first: story.first[0],
            solution: story.solution[0],
            thanks: story.thanks[0],
          },
          stars,
        ),
      });
    }
    suggestionStories.forEach((story, at) => {
      const tenantId = pick(tenants, at);
      const raiser = pick(raisers[tenantId] ?? ["farm"], at);
      const answered = story.state !== "pending";
      seeds.push({
        type: "suggestion",
        state: story.state,
        tenantId,
        raiser,
        assignee: answered ? "kefu01" : null,
        ageHours: answered ? 24 * (12 + at * 9) : 24 * (1 + at * 0.3),
        title: story.title[0],
        description: story.description[0],
        category: story.category,
        published: story.published ?? false,
        entries: [
          { what: "raise", side: "customer", at: 0, by: raiser, body: story.description[0] },
          ...(answered
            ? [
                {
                  what: story.state === "adopted" ? "adopt" : "reject",
                  side: "desk" as const,
                  at: 0.2,
                  by: "kefu01",
                  body: story.answer[0],
                },
              ]
            : []),
        ],
      });
    });
    // Oldest first, because ids and numbers grow with time.
    const numbers = new Map<string, number>();
    for (const seed of seeds.toSorted((a, b) => b.ageHours - a.ageHours))
      await insertSeed(to, seed, accounts, numbers, context);
  });
}
