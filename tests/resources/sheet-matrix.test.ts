import type { ImportRow, Page } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Reason, reasons } from "../../apps/server/src/http/reasons.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { upload } from "../harness/upload.ts";
import { type OddSheet, oddSheets, type Table } from "./odd-sheets.ts";
import { sheetCalls } from "./sheets.ts";

vi.mock("../../apps/server/src/modules/sheets/raw-reader.ts", async (original) =>
  (await import("./reading-in-process.ts")).readingInProcess(original),
);

/** What an importer said to a sheet. */
interface Said {
  refused?: string;
  /** Row number and heading of each problem. */
  problems: string[];
  /** Rows that were read and are good, where the importer tells. */
  good?: number;
}
interface Importer {
  what: string;
  table: Table;
  /** Column of the number, and of what rows are found by. */
  at: number;
  key: number;
  send(bytes: Buffer, name: string): Promise<Said>;
  /** Reason where the sheet has not the headings. */
  noKey: Reason;
}

let app: TestApp;
let admin: string;
let importers: Importer[];

const refusedBy = (reason: string): Said => ({ refused: reason, problems: [] });
/** The reason of a refusal that a job keeps as a sentence. */
const reasonOf = (said: string): string => {
  const pattern = (zh: string) => new RegExp(`^${zh.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, ".*")}$`);
  const known = Object.entries(reasons).filter(([reason]) => /^(sheet|import|contract)\./.test(reason));
  return known.find(([, { zh }]) => pattern(zh).test(said))?.[0] ?? said;
};
/** Uploads a sheet. @returns its id, or why it was refused */
const uploaded = async (bytes: Buffer, name: string) => {
  const { status, body } = await upload(app, admin, bytes, name, { query: { visibility: "private" } });
  const data = body.data as { attachId: string; reason?: string };
  return status === 200 ? { attachId: data.attachId } : { reason: data.reason ?? String(status) };
};

/** An importer of the resource kit, with its pre-check. */
const resourceImporter = (what: string, base: string, table: Table, at: number, key: number): Importer => ({
  what,
  table,
  at,
  key,
  noKey: "import.no_key",
  async send(bytes, name) {
    const file = await uploaded(bytes, name);
    if (file.reason !== undefined) return refusedBy(file.reason);
    const calls = sheetCalls(app, base, admin);
    const begun = await calls.post("import/begin", { attachId: file.attachId });
    const checked = await calls.settled(begun.data.id, "checking");
    if (checked.state === "failed") return refusedBy(reasonOf(checked.failure));
    const { records } = await calls.get<Page<ImportRow>>(`${base}/import/rows`, { id: checked.id, size: "50" });
    const fieldOf = new Map(checked.columns.map(({ field, header }) => [field, header]));
    return {
      problems: records.flatMap(({ rowNumber, problems }) =>
        problems.map(({ field }) => `${rowNumber} ${fieldOf.get(field) ?? field}`),
      ),
      good: checked.good,
    };
  },
});

beforeAll(async () => {
  app = await createTestApp();
  admin = await app.logIn("admin");
  const farm = await app.logIn("farm");
  const exported = (await sheetCalls(app, "/api/muyuan-farm/structure", farm).exported({})).rows;
  const [first = {}, second = {}] = exported.filter(
    (row, _at, all) =>
      row["单元：单元编号"] && row["猪舍：猪舍编号"] === all.find((one) => one["单元：单元编号"])?.["猪舍：猪舍编号"],
  );
  const headings = Object.keys(first);
  const structure = [
    headings,
    ...[first, second].map((row) =>
      headings.map((heading) => (heading === "单元：设计存栏" ? "900" : (row[heading] ?? ""))),
    ),
  ];
  const asFarm = async (path: string, body: object) => app.call({ method: "POST", path, body, token: farm });
  importers = [
    resourceImporter(
      "a resource",
      "/api/muyuan-trade/slaughterhouse",
      [
        ["编号", "屠宰场名称", "所在地区", "联系人", "日屠宰量", "状态"],
        ["OX-1", "甲屠宰场", "411325", "王强", "800", "启用"],
        ["OX-2", "乙屠宰场", "河南省南阳市内乡县", "李四", "800", "启用"],
      ],
      4,
      0,
    ),
    resourceImporter(
      "a tree",
      "/api/muyuan-system/dept",
      [
        ["机构名称", "机构全称", "机构类型", "排序"],
        ["甲公司", "甲公司", "公司", "7"],
        ["乙公司", "乙公司", "公司", "7"],
      ],
      3,
      0,
    ),
    {
      what: "the structure of a farm",
      table: structure,
      at: headings.indexOf("单元：设计存栏"),
      key: 0,
      noKey: "import.no_key",
      async send(bytes, name) {
        const { status, body } = await upload(app, farm, bytes, name, { query: { visibility: "private" } });
        const file = body.data as { attachId: string; reason?: string };
        if (status !== 200) return refusedBy(file.reason ?? "");
        const answer = await asFarm("/api/muyuan-farm/structure/import", { attachId: file.attachId });
        const data = answer.body.data as { reason?: string; problems: { row: number; column: string }[] };
        if (answer.status !== 200) return refusedBy(data.reason ?? "");
        return { problems: data.problems.map(({ row, column }) => `${row} ${column}`) };
      },
    },
    {
      what: "prices of a day",
      table: [
        ["省份", "外三元", "内三元"],
        ["河南", "15.80", "15.20"],
        ["山东省", "15.80", "15.10"],
      ],
      at: 1,
      key: 0,
      noKey: "import.no_key",
      async send(bytes, name) {
        const file = await uploaded(bytes, name);
        if (file.reason !== undefined) return refusedBy(file.reason);
        const path = "/api/muyuan-trade/day-price/sheet";
        const answer = await app.call({ method: "POST", path, body: { attachId: file.attachId }, token: admin });
        const data = answer.body.data as {
          reason?: string;
          entries: { regionCode: string; fen: number }[];
          problems: { row: number; column: string }[];
        };
        if (answer.status !== 200) return refusedBy(data.reason ?? "");
        const whole = Map.groupBy(data.entries, ({ regionCode }) => regionCode);
        return {
          problems: data.problems.map(({ row, column }) => `${row} ${column}`),
          good: [...whole.values()].filter((entries) => entries.length === 2).length,
        };
      },
    },
    await batchImporter(),
  ];
});
afterAll(() => app.close());

/** Contracts from a sheet: a job that drafts all or none, and answers the sheet with what is wrong in it. */
async function batchImporter(): Promise<Importer> {
  const post = (path: string, body: object) =>
    app.call({ method: "POST", path: `/api/muyuan-contract${path}`, body, token: admin });
  await post("/template/submit", { templateName: "维保", kind: "maintenance", enabled: true });
  const { rows } = await app.test.database.pool.query("select id::text as id from contract_templates limit 1");
  const templateId = String(rows[0]?.id ?? "");
  const field = { role: "", required: true, options: [] };
  const form = {
    title: "维保合同",
    titleEn: "Maintenance",
    fields: [
      { ...field, key: "amount", type: "money", role: "amount", name: "合同金额", nameEn: "Amount" },
      { ...field, key: "from", type: "date", role: "from", name: "开始日期", nameEn: "From" },
      { ...field, key: "until", type: "date", role: "until", name: "结束日期", nameEn: "Until" },
      { ...field, key: "goods", type: "text", required: false, name: "设备与数量", nameEn: "Goods" },
    ],
    clauses: [{ heading: "费用", headingEn: "Fees", body: "合计 {{amount}}。", bodyEn: "{{amount}}." }],
  };
  expect((await post("/template/save-words", { id: templateId, versionNumber: 0, form })).status).toBe(200);
  const made = await post("/desk/batch-sheet", { templateId });
  const calls = sheetCalls(app, "/api/muyuan-contract/desk", admin);
  const { headers } = await calls.read((made.body.data as { attachmentId: string }).attachmentId);
  const values: Readonly<Record<string, string>> = {
    客户: "中原牧业有限公司",
    合同金额: "86420.00",
    开始日期: "2027-01-01",
    结束日期: "2027-12-31",
    设备与数量: "清单见附件一",
  };
  const line = headers.map((heading) => values[heading] ?? "");
  const amount = "合同金额";
  const at = headers.indexOf(amount);
  return {
    what: "contracts of a batch",
    table: [headers, line, line],
    at,
    key: 0,
    noKey: "contract.sheet_column",
    async send(bytes, name) {
      const file = await uploaded(bytes, name);
      if (file.reason !== undefined) return refusedBy(file.reason);
      const body = { templateId, attachmentId: file.attachId, signDays: 7 };
      const begun = await post("/desk/batch-draft", body);
      const job = await vi.waitFor(
        async () => {
          const { rows: found } = await app.test.database.pool.query(
            "select state, reason, result from background_jobs where id = $1",
            [(begun.body.data as { jobId: string }).jobId],
          );
          expect(["succeeded", "failed"]).toContain(found[0].state);
          return found[0] as { state: string; reason: string; result: Record<string, string> };
        },
        { timeout: 15_000, interval: 10 },
      );
      if (job.state === "failed") return refusedBy(reasonOf(job.reason));
      if (job.result.problems === "0") return { problems: [], good: Number(job.result.drafted) };
      const marked = await calls.read(job.result.attachmentId);
      return {
        problems: marked.rows.flatMap((row, index) =>
          row.问题?.includes(amount) ? [`${index + 2} ${amount}`] : row.问题 ? [`${index + 2} ${row.问题}`] : [],
        ),
      };
    },
  };
}

/** What must be said to a sheet. */
function wanted({ answer }: OddSheet, { table, at, noKey }: Importer): Said {
  switch (answer) {
    case "good":
      return { problems: [], good: 2 };
    case "first":
      return { problems: [], good: 1 };
    case "problem":
      return { problems: [`2 ${table[0]?.[at]}`], good: 1 };
    case "import.no_key":
      return refusedBy(noKey);
    default:
      return refusedBy(answer);
  }
}

test("there are sixty sheets at least, each of its own kind", () => {
  expect(new Set(oddSheets.map(({ what }) => what)).size).toBe(oddSheets.length);
  expect(oddSheets.length).toBeGreaterThanOrEqual(60);
});

describe("every importer reads each cell of a sheet, or says at which cell it does not", () => {
  test.each(oddSheets.map((odd) => [odd.what, odd] as const))("%s", async (_what, odd) => {
    const said = await Promise.all(
      importers.map(async (importer) => {
        const bytes = await odd.make(importer.table, importer.at, importer.key);
        return [importer.what, await importer.send(bytes, odd.name ?? "a.xlsx")] as const;
      }),
    );
    const expected = importers.map((importer, at) => {
      const { good, ...rest } = wanted(odd, importer);
      return [importer.what, said[at]?.[1].good === undefined ? rest : { ...rest, good }];
    });
    expect(said).toEqual(expected);
    // Each sheet costs what a person may send in some seconds.
    await app.pass(60);
  });
});
