import {
  regionDetail,
  regionExport,
  regionImport,
  regionLazyList,
  regionLazyTree,
  regionNames,
  regionPage,
  regionRemove,
  regionSelect,
  regionSubmit,
  regionTemplate,
  regionUndoImport,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import { headingsOf, sentRows, sheetAnswer } from "../../sheet-answers.ts";
import type { FileService } from "../files/index.ts";
import type { RegionService } from "./region.service.ts";

const columns = [
  { key: "code", header: "区划编号", width: 16 },
  { key: "parentCode", header: "上级编号", width: 16 },
  { key: "name", header: "区划名称", width: 24 },
  { key: "sort", header: "排序", type: "number" },
  { key: "remark", header: "备注", width: 30 },
] as const;
const title = "行政区划数据表";
const maxRows = 50_000;
const maxBytes = 20 * 1024 * 1024;

export function regionRoutes(
  router: Router,
  regions: RegionService,
  files: Pick<FileService, "withDraft" | "withReceived">,
): void {
  router.on(regionLazyTree, ({ query }) => regions.nodes(query));
  router.on(regionLazyList, ({ query }) => regions.list(query));
  router.on(regionSelect, ({ query }) => regions.choices(query.code));
  router.on(regionPage, ({ query }) => regions.page(query));
  router.on(regionDetail, ({ query }) => regions.detail(query.code));
  router.on(regionNames, ({ query }) => regions.names(query.codes));
  router.on(regionSubmit, ({ scope, body }) => regions.submit(scope, body));
  router.on(regionRemove, async ({ scope, query, body }) => {
    await regions.remove(scope, query.id ?? body.id);
    return {};
  });
  router.upload(regionImport, maxBytes, async ({ scope, query }, file) =>
    regions.import(
      scope,
      await sentRows(files, file, { headings: headingsOf(columns, "code"), maxRows }),
      query.isCovered === 1,
      query.isTry === 1,
    ),
  );
  router.on(regionUndoImport, async ({ scope, body }) => {
    await regions.undoImport(scope, body.importId);
    return {};
  });
  router.file(regionExport, async () =>
    sheetAnswer(files, {
      name: "行政区划",
      title,
      columns,
      rows: (await regions.rows()).map(({ code, parentCode, name, sort, remark }) => ({
        code,
        parentCode,
        name,
        sort,
        remark,
      })),
    }),
  );
  router.file(regionTemplate, () => sheetAnswer(files, { name: "行政区划模板", title, columns, rows: [] }));
}
