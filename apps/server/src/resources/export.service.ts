import { type Field, fieldsOf, type ResourceDeclaration, referenceNameOf, writtenFieldsOf } from "@herdwise/contract";
import { refuse } from "../http/errors.ts";
import { wireDateTime } from "../http/present.ts";
import { readSomeIds } from "../ids.ts";
import type { BackgroundJobDefinition, BackgroundJobService } from "../modules/background-jobs/index.ts";
import type { FileService } from "../modules/files/index.ts";
import { plainHeading, type SheetColumn, type TemplateColumn, writeTemplate } from "../modules/sheets/index.ts";
import type { PersonalCipher } from "../personal-cipher.ts";
import { inTenant, reachOf, type TenantReach, type TenantScope, tenantScopeOf } from "../tenant-scope.ts";
import { englishOf } from "../ui-texts.ts";
import { chunkRows, type ImportCheck } from "./import-check.ts";
import { countyNames } from "./region-names.ts";
import type { ResourceRepository, StoredRow } from "./resource.repository.ts";
import { maxAtOnce, readConditions } from "./resource-conditions.ts";
import { openRow, shownValue } from "./resource-values.ts";
import { makeSheetFile, sheetNamed } from "./sheet-file.ts";
import { cellOf, type Options, parentField, parentHeader, pathSeparator } from "./sheet-values.ts";

type Language = "zh" | "en";
const switchWords = { zh: ["是", "否"], en: ["yes", "no"] } as const;
/** Most choices of a column in a template; there are some 2,900 counties. */
const mostChoices = 5000;
/** Text of a cell in a language, where it is a word of the system; names of choices are already translated. */
const inLanguage = (cell: string | number, field: Field, language: Language): string | number =>
  field.kind !== "switch" || cell === "" ? cell : switchWords[language][cell === switchWords.zh[0] ? 0 : 1];
/** Number of row ids that an export reads ahead. */
const idsAtOnce = 2000;

export interface ExportDependencies {
  rows: ResourceRepository;
  checks: Pick<ImportCheck, "optionsOf">;
  cipher: PersonalCipher;
  jobs: Pick<BackgroundJobService, "submit">;
  files: Pick<FileService, "make" | "withDraft">;
}

/** Sheets made from a resource's rows: exports, and templates to fill in. */
export function createExportService(
  of: ResourceDeclaration,
  { rows, checks, cipher, jobs, files }: ExportDependencies,
) {
  const kind = `${of.name}.export`;
  const fields = fieldsOf(of);
  const { optionsOf } = checks;

  /** Writes the rows that conditions select to a sheet. */
  const runExport: BackgroundJobDefinition<{
    scope: TenantReach;
    ids?: string;
    where?: Record<string, unknown>;
    columns?: string[];
    language?: "zh" | "en";
  }>["run"] = async (payload, job) => {
    const { progress, signal } = job;
    const scope = tenantScopeOf(payload.scope);
    const within = inTenant(scope, typeof payload.where?.tenantId === "string" ? payload.where.tenantId : undefined);
    const conditions = readConditions(of, payload.ids ? { ids: payload.ids } : (payload.where ?? {}));
    const total = await rows.count(within, conditions);
    const language = payload.language ?? "zh";
    return makeSheetFile(files, job, {
      name: `${of.words.many}.xlsx`,
      columns: sheetColumns(payload.columns, language),
      rows: exported(within, conditions, language, signal, (done) => progress(done, total)),
    });
  };

  /**
   * Headers in a language. A label whose English is shared by two columns stays Chinese, so that an import can tell the columns
   * apart.
   */
  const headersIn = (language: Language): ((label: string) => string) => {
    if (language === "zh") return (label) => label;
    const labels = [...(of.tree ? [parentHeader] : []), ...fields.map(([, { label }]) => label)];
    const uses = Map.groupBy(labels, (label) => plainHeading(englishOf(label) ?? label));
    return (label) => {
      const english = englishOf(label) ?? label;
      return (uses.get(plainHeading(english))?.length ?? 0) > 1 ? label : english;
    };
  };

  const sheetColumns = (chosen: readonly string[] | undefined, language: Language): SheetColumn[] => {
    const headerOf = headersIn(language);
    const all: SheetColumn[] = [
      ...(of.tree ? [{ key: parentField, header: headerOf(parentHeader), width: 24 }] : []),
      ...fields.map(
        ([name, field]): SheetColumn => ({
          key: name,
          header: headerOf(field.label),
          type: columnType(field),
          width: field.kind === "text" && field.max > 40 ? 36 : 18,
        }),
      ),
      { key: "updateTime", header: headerOf("更新时间"), type: "dateTime", width: 20 },
    ];
    return chosen === undefined ? all : all.filter((column) => chosen.includes(column.key));
  };
  const columnType = (field: Field): "text" | "number" | "date" | "dateTime" =>
    field.kind === "moment" ? "dateTime" : field.kind === "number" || field.kind === "date" ? field.kind : "text";

  async function* exported(
    scope: TenantScope,
    conditions: Parameters<ResourceRepository["idsAfter"]>[1],
    language: Language,
    signal: AbortSignal,
    tell: (done: number) => Promise<void>,
  ) {
    const options = await optionsIn(scope, language);
    let done = 0;
    for (let after: string | undefined = "0"; after !== undefined; ) {
      const ids = await rows.idsAfter(scope, conditions, after, idsAtOnce);
      for (let at = 0; at < ids.length; at += chunkRows) {
        signal.throwIfAborted();
        const part = await rows.among(scope, conditions, ids.slice(at, at + chunkRows));
        const paths = of.tree
          ? await rows.paths(
              scope,
              part.map(({ id }) => id),
            )
          : undefined;
        for (const row of part) {
          const opened = openRow(of, row, cipher);
          yield {
            ...Object.fromEntries(
              fields.map(([name, field]) => [
                name,
                inLanguage(exportCell(name, field, opened, options[name]), field, language),
              ]),
            ),
            ...(paths && { [parentField]: (paths.get(row.id) ?? []).slice(0, -1).join(pathSeparator) }),
            updateTime: wireDateTime(row.updateTime),
          };
        }
        done += part.length;
        await tell(done);
      }
      after = ids.length < idsAtOnce ? undefined : ids.at(-1);
    }
  }
  const exportCell = (name: string, field: Field, row: StoredRow, options: Options | undefined): string | number =>
    field.kind === "reference"
      ? String(row[`${name}SheetName`] ?? row[referenceNameOf(name)] ?? "")
      : field.kind === "moment"
        ? row[name] instanceof Date
          ? wireDateTime(row[name])
          : ""
        : cellOf(field, field.kind === "number" ? row[name] : shownValue(field, row[name]), options);

  return {
    job: { kind, retries: 1, timeoutS: 1800, run: runExport } as const,

    async export(
      scope: TenantScope,
      input: {
        ids?: string | undefined;
        where?: Readonly<Record<string, unknown>> | undefined;
        columns?: readonly string[] | undefined;
        language?: string | undefined;
      },
    ) {
      // Refused at once instead of by a failing job.
      if (input.ids) {
        const ids = readSomeIds(input.ids, "rows.none_chosen", maxAtOnce);
        if ((await rows.byIds(scope, ids)).length !== ids.length) throw refuse("row.not_found");
      }
      readConditions(of, input.ids ? { ids: input.ids } : (input.where ?? {}));
      const jobId = await jobs.submit(scope, kind, `导出${of.words.many}`, { ...input, scope: reachOf(scope) });
      return { jobId };
    },

    /**
     * A sheet to fill in.
     * @param filled whether it contains the existing rows
     */
    async template(scope: TenantScope, { filled, language }: { filled: boolean; language: Language }) {
      const options = await optionsIn(scope, language);
      const inWords = (text: string): string => (language === "en" ? (englishOf(text) ?? text) : text);
      const columns: TemplateColumn[] = [];
      const written = new Map(writtenFieldsOf(of));
      for (const { key, header, type = "text" } of sheetColumns(undefined, language)) {
        const field = written.get(key);
        if (field) {
          const choices = await choicesOf(scope, key, field, options[key], language);
          columns.push({
            key,
            header,
            type,
            required: field.required ?? false,
            note: inWords(field.hint ?? ""),
            example: exampleOf(key, field, options[key], language),
            ...(choices && { choices: choices.slice(0, mostChoices) }),
            open: field.kind === "text" || field.kind === "reference",
          });
        } else if (key === parentField) {
          const paths = [...(await rows.idsByPath(scope, pathSeparator)).keys()].toSorted();
          const note = inWords("上级的完整路径，用 / 隔开；最上级不填");
          columns.push({
            key,
            header,
            required: false,
            note,
            example: "",
            open: true,
            choices: paths.slice(0, mostChoices),
          });
        }
      }
      return files.withDraft(async (path) => {
        const named = inWords(of.words.many);
        await writeTemplate(path, named.slice(0, 30), columns, {
          language,
          ...(filled && {
            // Imports write only to the caller's own tenant.
            rows: exported(
              inTenant(scope, scope.tenantId),
              [],
              language,
              AbortSignal.timeout(60_000),
              async () => undefined,
            ),
          }),
        });
        const kept = sheetNamed(language === "en" ? `${named} template.xlsx` : `${named}导入模板.xlsx`);
        return { attachId: await files.make(scope, { path, ...kept }) };
      });
    },
  };

  /** Choices by their names in a language. */
  async function optionsIn(scope: TenantScope, language: Language): Promise<Record<string, Options>> {
    const options = await optionsOf(scope);
    if (language === "zh") return options;
    return Object.fromEntries(
      Object.entries(options).map(([name, { byName, names }]) => [
        name,
        { byName, names: new Map([...names].map(([key, text]) => [key, englishOf(text) ?? text])) },
      ]),
    );
  }

  /** Values that a spreadsheet program offers in the cells of a column. */
  async function choicesOf(
    scope: TenantScope,
    name: string,
    field: Field,
    options: Options | undefined,
    language: Language,
  ): Promise<readonly string[] | undefined> {
    switch (field.kind) {
      case "switch":
        return switchWords[language];
      case "choice":
        return [...(options?.names.values() ?? [])];
      case "reference":
        return rows.referenceTitles(scope, name, mostChoices);
      case "text":
        return field.rule === "region" ? countyNames() : undefined;
      default:
        return undefined;
    }
  }
}

/** An example value for a column. */
function exampleOf(name: string, field: Field, options: Options | undefined, language: Language): string {
  switch (field.kind) {
    case "number":
      return String(field.min);
    case "choice":
    case "choices":
      return [...(options?.names.values() ?? [])][0] ?? "";
    case "date":
      return "2026-01-31";
    case "switch":
      return switchWords[language][1];
    case "text":
      if (field.rule === "region") return countyNames()[0] ?? "";
      return field.rule === "phone" || field.rule === "mobile" ? "13800000000" : (field.default ?? name);
    default:
      return "";
  }
}
