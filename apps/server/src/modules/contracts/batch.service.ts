import {
  type BodyOf,
  type batchDraft,
  type ContractField,
  type ContractForm,
  contractRights,
  mostFen,
  mostInBatch,
  plainText,
  ruleReasons,
} from "@herdwise/contract";
import { filled, Refusal, refuse } from "../../http/errors.ts";
import { reasons } from "../../http/reasons.ts";
import { dayOf, fenOf, headingOf, reachedScopeOf, sheetNamed } from "../../resources/index.ts";
import { reachOf, type TenantReach, type TenantScope } from "../../tenant-scope.ts";
import type { BackgroundJobDefinition, BackgroundJobService } from "../background-jobs/index.ts";
import type { FileService } from "../files/index.ts";
import {
  type Heading,
  readSheet,
  type SheetProblemMark,
  type SheetRow,
  writeMarkedSheet,
  writeTemplate,
} from "../sheets/index.ts";
import type { DeskDependencies, DeskService } from "./desk.service.ts";
import { undrawableParty, valueProblems } from "./words.service.ts";

const draftKind = "contract.batch-draft";
const sendKind = "contract.batch-send";
const customerHeader = "客户";

export interface BatchDependencies extends Pick<DeskDependencies, "contracts" | "inOne" | "nextId"> {
  desk: DeskService;
  jobs: Pick<BackgroundJobService, "submit">;
  files: Pick<FileService, "make" | "withDraft" | "withLocalCopy" | "detail">;
}

/** What people write into a cell, as the value is kept: money in yuan becomes fen. @returns undefined for what is no such value */
function cellValue(field: ContractField, cell: string): string | undefined {
  const text = plainText(cell);
  if (text === "") return "";
  if (field.type === "money") {
    const fen = fenOf(text);
    // A contract of nothing is a cell that was filled in by mistake.
    return fen === undefined || fen <= 0 || fen > mostFen ? undefined : String(fen);
  }
  if (field.type === "choice")
    return field.options.find(({ zh, en }) => [zh, en].some((name) => name.toLowerCase() === text.toLowerCase()))?.zh;
  return field.type === "date" ? dayOf(text) : text;
}

const notes: Readonly<Record<ContractField["type"], readonly [note: string, example: string]>> = {
  text: ["最多 500 个字", "清单见附件一"],
  money: ["元，最多两位小数", "86420.00"],
  date: ["yyyy-MM-dd", "2026-07-01"],
  party: ["姓名或单位名称", "内乡示例牧业有限公司"],
  number: ["数字，最多三位小数", "58"],
  choice: ["从列出的里面选", ""],
};

/** Contracts for many customers at once, from a sheet. */
export function createBatchService({ desk, contracts, inOne, jobs, files, nextId }: BatchDependencies) {
  const headingsIn = (form: ContractForm): Heading[] => [
    { ...headingOf(customerHeader, customerHeader), key: true },
    ...form.fields.map(({ key, name, nameEn }) => ({ name, words: [name, nameEn, key].filter((word) => word !== "") })),
  ];

  /** A row as a draft, with everything that is wrong in it by the heading it stands under. */
  const readRow = (form: ContractForm, row: SheetRow, customers: ReadonlyMap<string, string>) => {
    const problems: { header: string; text: string }[] = [];
    const values: Record<string, string> = {};
    const unread = new Set<string>();
    for (const field of form.fields) {
      const cell = row.cells[field.name] ?? "";
      const fault = row.faults[field.name];
      const value = fault === undefined ? cellValue(field, cell) : undefined;
      values[field.key] = value ?? "";
      if (value !== undefined) continue;
      unread.add(field.key);
      const text =
        fault === undefined
          ? filled(reasons["contract.value"].zh, { name: field.name })
          : filled(ruleReasons[`field.${fault}`].zh, { label: field.name, value: cell.slice(0, 40) });
      problems.push({ header: field.name, text });
    }
    for (const { field, text, values: named = {} } of valueProblems(form, values)) {
      const about = form.fields.find(({ key }) => field === `values.${key}`);
      if (about && unread.has(about.key)) continue;
      problems.push({ header: about?.name ?? customerHeader, text: filled(text, named as Record<string, string>) });
    }
    const customer = plainText(row.cells[customerHeader] ?? "");
    const tenantId = customers.get(customer);
    const wrongCustomer = tenantId === undefined ? refuse("contract.customer") : undrawableParty(customer);
    if (wrongCustomer) problems.unshift({ header: customerHeader, text: wrongCustomer.message });
    return { rowNumber: row.rowNumber, tenantId: tenantId ?? "", values, problems };
  };

  type DraftOrder = BodyOf<typeof batchDraft> & { scope: TenantReach };
  const draftAll: BackgroundJobDefinition<DraftOrder>["run"] = async (
    { scope: reach, templateId, attachmentId, signDays },
    { owner, signal, progress },
  ) => {
    const scope = reachedScopeOf(reach);
    const template = await desk.draftable(scope, templateId);
    return files.withLocalCopy(owner, attachmentId, async (path, { originalName }) => {
      const headings = headingsIn(template.form);
      await using sheet = await readSheet(path, { maxRows: mostInBatch, headings });
      const columnOf = new Map(sheet.columns.map(({ name, column }) => [name, column]));
      const missing = headings.find(({ name }) => !columnOf.has(name));
      if (missing !== undefined) throw refuse("contract.sheet_column", { values: { name: missing.name } });
      const rows: SheetRow[] = [];
      for await (const row of sheet.rows) rows.push(row);
      if (rows.length === 0) throw refuse("contract.sheet_empty");
      await progress(0, rows.length);
      const names = [...new Set(rows.map(({ cells }) => plainText(cells[customerHeader] ?? "")))];
      const found = await contracts.customers(scope, { names }, contractRights.sign, mostInBatch * 2);
      // A name that two customers have names neither.
      const twice = new Set(found.map(({ customer }) => customer).filter((name, at, all) => all.indexOf(name) !== at));
      const customers = new Map(
        found.filter(({ customer }) => !twice.has(customer)).map(({ customer, tenantId }) => [customer, tenantId]),
      );
      const read = rows.map((row) => readRow(template.form, row, customers));
      const problems = read.flatMap(({ rowNumber, problems: wrong }) =>
        wrong.map(({ header, text }): SheetProblemMark => {
          const column = columnOf.get(header);
          return { rowNumber, text, ...(column !== undefined && { column }) };
        }),
      );
      if (problems.length > 0) {
        const markedId = await files.withDraft(async (draft) => {
          await writeMarkedSheet(path, draft, template.templateName.slice(0, 30), problems, sheet);
          const kept = sheetNamed(`${originalName.replace(/\.[a-z]{2,4}$/i, "")} 标出问题.xlsx`);
          return files.make(owner, { path: draft, ...kept });
        });
        return { attachmentId: markedId, drafted: "0", problems: String(problems.length) };
      }
      const batchId = nextId();
      // All of them or none: half a batch would have to be told apart by hand.
      await inOne(async (parts) => {
        for (const { tenantId, values } of read) {
          signal.throwIfAborted();
          await desk.write(parts, scope, template, { tenantId, values, signDays, batchId });
        }
      });
      await progress(rows.length, rows.length);
      return { batchId, drafted: String(read.length), problems: "0" };
    });
  };

  const sendAll: BackgroundJobDefinition<{ batchId: string; scope: TenantReach }>["run"] = async (
    { scope: reach, batchId },
    { signal, progress },
  ) => {
    const scope = reachedScopeOf(reach);
    const drafts = await contracts.batchDrafts(scope, batchId);
    let [sent, left] = [0, 0];
    for (const [at, draft] of drafts.entries()) {
      signal.throwIfAborted();
      await progress(at, drafts.length);
      try {
        await desk.send(scope, draft);
        sent += 1;
      } catch (error) {
        // One that can't be sent, because nobody may sign it or somebody changed it, stays a draft.
        if (!(error instanceof Refusal)) throw error;
        left += 1;
      }
    }
    return { batchId, sent: String(sent), left: String(left) };
  };

  return {
    draftJob: { kind: draftKind, retries: 0, timeoutS: 600, run: draftAll },
    sendJob: { kind: sendKind, retries: 2, timeoutS: 3600, run: sendAll },

    /** The sheet to fill in. */
    async sheet(scope: TenantScope, templateId: string): Promise<{ attachmentId: string }> {
      const { form, templateName } = await desk.draftable(scope, templateId);
      const attachmentId = await files.withDraft(async (path) => {
        await writeTemplate(path, templateName.slice(0, 30), [
          {
            header: customerHeader,
            required: true,
            note: "客户的全称，与客户列表一致",
            example: "内乡示例牧业有限公司",
          },
          ...form.fields.map(({ name, required, type, options }) => ({
            header: name,
            required,
            note: notes[type][0],
            example: type === "choice" ? (options[0]?.zh ?? "") : notes[type][1],
            ...(type === "choice" && { choices: options.map(({ zh }) => zh) }),
          })),
        ]);
        return files.make(scope, { path, ...sheetNamed(`${templateName} 批量起草.xlsx`) });
      });
      return { attachmentId };
    },

    /** @throws {Refusal} 400 for a template that is none, 404 for a sheet of somebody else */
    async beginDraft(scope: TenantScope, order: BodyOf<typeof batchDraft>): Promise<{ jobId: string }> {
      await desk.draftable(scope, order.templateId);
      await files.detail(scope, order.attachmentId);
      return { jobId: await jobs.submit(scope, draftKind, "批量起草合同", { ...order, scope: reachOf(scope) }) };
    },

    async beginSend(scope: TenantScope, batchId: string): Promise<{ jobId: string }> {
      if ((await contracts.batchDrafts(scope, batchId)).length === 0) throw refuse("contract.nothing_to_send");
      return { jobId: await jobs.submit(scope, sendKind, "批量发出合同", { batchId, scope: reachOf(scope) }) };
    },
  };
}
export type BatchService = ReturnType<typeof createBatchService>;
