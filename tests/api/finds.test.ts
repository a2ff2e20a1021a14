import { type FoundKind, type FoundThing, resources } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let admin: string;
let owner: string;

const find = async (q: string, token: string): Promise<FoundKind[]> => {
  await app.pass(1);
  const { status, body } = await app.get<FoundKind[]>(
    `/api/muyuan-desk/find/list?${new URLSearchParams({ q })}`,
    token,
  );
  expect([q, status]).toEqual([q, 200]);
  return body.data;
};
const thingsOf = (kinds: readonly FoundKind[], kind: string): readonly FoundThing[] =>
  kinds.find((one) => one.kind === kind)?.things ?? [];

/** A thing that was planted, with all that it must be found by. */
interface Planted {
  kind: string;
  name: string;
  by: readonly string[];
  /** Whose session finds it. */
  of: "admin" | "owner";
}

/** Names with their pinyin, whole and by first letters; characters with several readings among them. */
const names = [
  ["青石岭", "qingshiling", "qsl"],
  ["重阳坡", "chongyangpo", "cyp"],
  ["银杏湾", "yinxingwan", "yxw"],
  ["长河滩", "changhetan", "cht"],
  ["石佛寺", "shifosi", "sfs"],
  ["乐安桥", "leanqiao", "laq"],
  ["广济堂", "guangjitang", "gjt"],
  ["绿萝溪", "lvluoxi", "llx"],
  ["柏杨墩", "baiyangdun", "byd"],
  ["翠屏山", "cuipingshan", "cps"],
] as const;

const planted: Planted[] = [];

/** Twenty kinds with ten names each. */
async function plant(): Promise<void> {
  const { pool } = app.test.database;
  const tenant = "100002";
  const { rows } = await pool.query<{ farm: string; house: string; unit: string; account: string }>(
    `select f.id::text as farm, h.id::text as house, u.id::text as unit,
            (select a.id::text from accounts a where a.account = 'farm') as account
       from units u join pig_houses h on h.id = u.house_id join farms f on f.id = h.farm_id where f.tenant_id = $1 order by u.id limit 1`,
    [tenant],
  );
  const place = rows[0] ?? { farm: "", house: "", unit: "", account: "" };
  const template = app.nextId();
  await insert("contract_templates", { id: template }, 0);
  const rowOf = {
    farm: ["farms", { tenant_id: tenant, type: "commercial", region_code: "411325" }, "name", "code"],
    pig_house: ["pig_houses", { tenant_id: tenant, farm_id: place.farm, pigsty_type: "fattening" }, "name", "code"],
    unit: ["units", { tenant_id: tenant, house_id: place.house, pigsty_type: "fattening" }, "name", "code"],
    medicine: ["medicines", { tenant_id: tenant }, "name", undefined],
    dept: ["departments", { tenant_id: "000000", dept_category: "1" }, "dept_name", "full_name"],
    post: ["posts", { tenant_id: "000000", category: "1" }, "post_name", "post_code"],
    role: ["roles", { tenant_id: "000000" }, "role_name", "role_alias"],
    partner: ["partners", {}, "partner_name", "partner_name_en"],
    sale_region: ["sale_regions", {}, "region_name", undefined],
    slaughterhouse: ["slaughterhouses", {}, "house_name", "house_code"],
    sale_field: ["sale_fields", {}, "field_name", "field_code"],
    service_department: ["service_departments", {}, "department_name", undefined],
    dict: ["dictionaries", { code: "sex" }, "dict_value", undefined],
    param: ["parameters", {}, "param_name", "param_key"],
    article: ["articles", {}, "title", "title_en"],
    work_order: [
      "work_orders",
      { tenant_id: tenant, created_by: place.account, type: "after_sales" },
      "title",
      "number",
    ],
    contract: [
      "contracts",
      { tenant_id: tenant, template_id: template, created_by: place.account, kind: "service" },
      "title",
      "number",
    ],
    device: [
      "devices",
      { tenant_id: tenant, kind: "environment", farm_id: place.farm, bound_at: "2026-01-01" },
      "name",
      "serial_number",
    ],
  } as const satisfies Record<string, readonly [string, Record<string, string>, string, string | undefined]>;
  const ofOwner = new Set(["farm", "pig_house", "unit", "medicine", "device"]);
  for (const [kind, [table, given, title, code]] of Object.entries(rowOf)) {
    for (const [at, [name, whole, firsts]] of names.entries()) {
      const whatever = `PL-${table}-${at}`.toUpperCase();
      const values: Record<string, string> = {
        ...given,
        id: app.nextId(),
        [title]: name,
        ...(code && { [code]: whatever }),
      };
      await insert(table, values, at);
      planted.push({
        kind,
        name,
        by: [name, name.slice(0, 2), whole, firsts, ...(code ? [whatever, whatever.toLowerCase()] : [])],
        of: ofOwner.has(kind) ? "owner" : "admin",
      });
    }
  }
  // People and customers, who are written over several tables.
  for (const [at, [name, whole, firsts]] of names.entries()) {
    const [account, membership] = [app.nextId(), app.nextId()];
    await pool.query(
      "insert into accounts (id, account, account_key, type, password_hash, real_name) values ($1, $2, $2, 'personal', 'x', $3)",
      [account, `planted${at}`, name],
    );
    await pool.query("insert into memberships (id, account_id, tenant_id) values ($1, $2, $3)", [
      membership,
      account,
      tenant,
    ]);
    planted.push({ kind: "user", name, by: [name, whole, firsts, `planted${at}`], of: "owner" });
    await pool.query("insert into tenants (tenant_id, name, type) values ($1, $2, 'enterprise')", [
      `7000${10 + at}`,
      `${name}牧业`,
    ]);
    // A customer without members is a cancelled one, which the list of customers leaves out.
    await pool.query("insert into memberships (id, account_id, tenant_id) values ($1, $2, $3)", [
      app.nextId(),
      account,
      `7000${10 + at}`,
    ]);
    planted.push({ kind: "customer", name: `${name}牧业`, by: [name, whole, firsts, `7000${10 + at}`], of: "admin" });
  }
}

/** Inserts a row with the least that its table asks for. */
async function insert(table: string, values: Record<string, string>, at: number): Promise<void> {
  const { pool } = app.test.database;
  const { rows: columns } = await pool.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_nullable = 'NO' and column_default is null and is_generated = 'NEVER'
        and is_identity = 'NO'`,
    [table],
  );
  const sample = (name: string, type: string): string => {
    if (/timestamp|date/.test(type)) return "2026-01-01";
    if (/int|numeric|double/.test(type)) return name.endsWith("_by") ? "1" : String(at + 1);
    if (type === "bytea") return `\\x${Buffer.from(`${table}${at}`).toString("hex")}`;
    if (type === "jsonb") return "{}";
    return samples[`${table}.${name}`] ?? `s${at}-${app.nextId().slice(-6)}`;
  };
  const whole = { ...Object.fromEntries(columns.map(({ name, type }) => [name, sample(name, type)])), ...values };
  const keys = Object.keys(whole);
  await pool.query(
    `insert into "${table}" (${keys.map((key) => `"${key}"`).join()}) values (${keys.map((_, index) => `$${index + 1}`).join()})`,
    Object.values(whole),
  );
}
/** Values of columns that allow some only. */
const samples: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  app = await createTestApp();
  admin = await app.logIn("admin");
  owner = await app.logIn("farm");
  await plant();
});
afterAll(() => app.close());

describe("things are found by name, code, pinyin and first letters", () => {
  test("200 planted ones", async () => {
    expect(planted).toHaveLength(200);
    const missed: string[] = [];
    for (const { kind, name, by, of } of planted)
      for (const q of by) {
        const kinds = await find(q, of === "admin" ? admin : owner);
        if (!thingsOf(kinds, kind).some((thing) => thing.name === name)) missed.push(`${kind} ${name} by ${q}`);
      }
    expect(missed).toEqual([]);
  }, 300_000);

  test("names of several readings by each of them", async () => {
    for (const q of ["zhongyangpo", "chongyangpo", "zyp", "cyp"])
      expect([q, thingsOf(await find(q, owner), "farm").map(({ name }) => name)]).toEqual([q, ["重阳坡"]]);
  });

  test("names by their English, in words of the glossary and of kept translations", async () => {
    for (const [q, kind, name] of [
      ["Zhoujiaying", "farm", "周家营商品场"],
      ["finishing house", "pig_house", "1 号育肥舍"],
      ["Zhoujiaying finishing", "pig_house", "1 号育肥舍"],
    ] as const)
      expect([q, thingsOf(await find(q, owner), kind).map((thing) => thing.name)]).toEqual([
        q,
        expect.arrayContaining([name]),
      ]);
  });

  test("units by words of farm and house, and where they stand", async () => {
    const [unit] = thingsOf(await find("周家营 2 号育肥舍 3 单元", owner), "unit");
    expect(unit).toMatchObject({ name: "3 单元", code: "ZJY-02-03", within: ["周家营商品场", "2 号育肥舍"] });
    const [split] = thingsOf(await find("yfs1", owner), "pig_house");
    expect(split?.name).toBe("1 号育肥舍");
  });

  test("numbers of trade by a part of them", async () => {
    const { rows } = await app.test.database.pool.query<{ id: string }>("select min(id)::text as id from sale_fields");
    const field = rows[0]?.id ?? "";
    const more = {
      tenant_id: "000000",
      field,
      mode: "fixed",
      state: "published",
      from_kg: "100",
      to_kg: "120",
      heads: "90",
    };
    for (const number of ["JH-300101-001", "JH-300101-002"])
      await insert("sale_plans", { ...more, id: app.nextId(), number }, 0);
    for (const q of ["JH-300101-001", "jh-300101-001", "300101-001"])
      expect([q, thingsOf(await find(q, admin), "sale_plan").map(({ name }) => name)]).toEqual([q, ["JH-300101-001"]]);
    expect(thingsOf(await find("JH-300101", admin), "sale_plan")).toHaveLength(2);
  });

  test("what is renamed, moved or removed is found as it is now", async () => {
    const { pool } = app.test.database;
    await pool.query("update farms set name = '望月台' where name = '青石岭'");
    expect(thingsOf(await find("wangyuetai", owner), "farm")).toHaveLength(1);
    expect(thingsOf(await find("qingshiling", owner), "farm")).toEqual([]);
    await pool.query("delete from medicines where name = '银杏湾'");
    expect(thingsOf(await find("yinxingwan", owner), "medicine")).toEqual([]);
    await pool.query("update farms set name = '青石岭' where name = '望月台'");
  });

  test("the best match is first, and signs mean themselves", async () => {
    const kinds = await find("ENV-ZJY-01", owner);
    expect(thingsOf(kinds, "device")[0]?.code).toBe("ENV-ZJY-01");
    for (const q of ["%", "_", "\\", "'", "''", "#device", "=周家营商品场", "@1", "^zho", "a'b", "  ", "\u0001"])
      await find(q, owner);
    expect(await find("%", owner)).toEqual([]);
    expect(await find("#device", owner)).toEqual([]);
  });
});

describe("what was opened before", () => {
  const kept = async (things: string, token: string) =>
    (await app.get<FoundKind[]>(`/api/muyuan-desk/find/kept?${new URLSearchParams({ things })}`, token)).body.data;

  test("is told with the name that it has now, to those whose lists have it", async () => {
    const device = thingsOf(await find("ENV-ZJY-01", owner), "device")[0];
    const thing = `device:${device?.key}`;
    await app.test.database.pool.query("update devices set name = '换了名' where serial_number = 'ENV-ZJY-01'");
    expect(thingsOf(await kept(`${thing},farm:1,nothing:2`, owner), "device").map(({ name }) => name)).toEqual([
      "换了名",
    ]);
    expect(await kept(thing, await app.logIn("heqing"))).toEqual([]);
  });
});

test("every resource with names or numbers says how it is found, or is of no use to anybody who looks for something", () => {
  const without = resources.filter((of) => !("find" in of && of.find)).map(({ name }) => name);
  expect(without.toSorted()).toEqual([
    "abnormal_order",
    "access_request",
    "api_scope",
    "bank_line",
    "data_scope",
    "maintenance",
    "menu",
    "price_term",
    "scale_ticket",
    "site_form",
    "topmenu",
    "treatment",
    "webhook",
  ]);
});
