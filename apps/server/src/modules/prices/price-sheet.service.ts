import {
  mostPriceRows,
  plainText,
  priceBreeds,
  pricedProvinces,
  priceRange,
  type priceSheet,
  type ReplyOf,
  ruleReasons,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { reasons } from "../../http/reasons.ts";
import { fenOf, headingOf, makeSheetFile } from "../../resources/index.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { BackgroundJobDefinition, BackgroundJobService } from "../background-jobs/index.ts";
import type { FileService } from "../files/index.ts";
import { readSheet, type SheetColumn } from "../sheets/index.ts";
import type { PriceRepository } from "./price.repository.ts";

type Read = ReplyOf<typeof priceSheet>;

const provinceHeader = "省份";
const exportKind = "price.export";
/** Province names end in different words; what tells them apart is their beginning. */
const endings = /(省|市|壮族自治区|回族自治区|维吾尔自治区|自治区)$/;

const headings = [provinceHeader, ...priceBreeds.map(([, name]) => name)].map((name) => ({
  ...headingOf(name, name),
  key: name === provinceHeader,
}));
const columns: readonly SheetColumn[] = [
  { key: "province", header: provinceHeader, width: 14 },
  ...priceBreeds.map(([breed, name]) => ({ key: breed, header: name, type: "number" as const, width: 12 })),
];

export interface PriceSheetDependencies {
  repository: Pick<PriceRepository, "entries">;
  jobs: Pick<BackgroundJobService, "submit">;
  files: Pick<FileService, "make" | "withDraft" | "withLocalCopy">;
}

/** Prices of one day on a sheet: a row for each province, a column for each breed. */
export function createPriceSheet({ repository, jobs, files }: PriceSheetDependencies) {
  const run: BackgroundJobDefinition<{ day: string }>["run"] = async ({ day }, of) => {
    const entries = await repository.entries(day);
    async function* rows() {
      for (const { code, name } of pricedProvinces) {
        const held = entries.filter(({ regionCode }) => regionCode === code);
        yield {
          province: name,
          ...Object.fromEntries(
            held.flatMap(({ breed, fen }) => (fen === null ? [] : [[breed, (fen / 100).toFixed(2)]])),
          ),
        };
      }
    }
    return makeSheetFile(files, of, { name: `${day}.xlsx`, columns, rows: rows() });
  };

  return {
    job: { kind: exportKind, retries: 1, timeoutS: 120, run } as const,

    export: async (scope: TenantScope, day: string): Promise<{ jobId: string }> => ({
      jobId: await jobs.submit(scope, exportKind, "导出每日价格", { day }),
    }),

    /** Reads a sheet and writes nothing: its prices stand in the desk's table, where they are looked at and saved. */
    read: (scope: TenantScope, attachId: string): Promise<Read> =>
      files.withLocalCopy(scope, attachId, async (path) => {
        await using sheet = await readSheet(path, { maxRows: mostPriceRows, headings });
        if (!sheet.columns.some(({ name }) => name === provinceHeader))
          throw refuse("import.no_key", { values: { label: provinceHeader } });
        const codeOf = new Map(pricedProvinces.map(({ code, name }) => [name, code]));
        const read: Read = { entries: [], problems: [] };
        const rowOf = new Map<string, number>();
        for await (const { rowNumber, cells, faults } of sheet.rows) {
          const written = plainText(cells[provinceHeader] ?? "");
          const code = codeOf.get(written) ?? codeOf.get(written.replace(endings, ""));
          const tell = (column: string, text: string, values: Read["problems"][number]["values"] = {}): void =>
            void read.problems.push({ row: rowNumber, column, text, values });
          if (code === undefined) {
            tell(provinceHeader, "没有“{name}”这个省份", { name: written });
            continue;
          }
          const earlier = rowOf.get(code);
          if (earlier !== undefined) {
            tell(provinceHeader, "和第 {row} 行重复", { row: earlier });
            continue;
          }
          rowOf.set(code, rowNumber);
          for (const [breed, name] of priceBreeds) {
            const text = (cells[name] ?? "").trim();
            if (text === "") continue;
            const fault = faults[name];
            if (fault !== undefined) {
              tell(name, ruleReasons[`field.${fault}`].zh, { label: name, value: text });
              continue;
            }
            const fen = fenOf(text) ?? Number.NaN;
            if (fen >= priceRange.min && fen <= priceRange.max) read.entries.push({ regionCode: code, breed, fen });
            else
              tell(name, reasons["price.out_of_range"].zh, {
                min: (priceRange.min / 100).toFixed(2),
                max: (priceRange.max / 100).toFixed(2),
              });
          }
        }
        return read;
      }),
  };
}
export type PriceSheet = ReturnType<typeof createPriceSheet>;
