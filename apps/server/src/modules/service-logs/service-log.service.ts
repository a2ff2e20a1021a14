import type { apiLogPage, errorLogPage, QueryOf, usualLogPage } from "@herdwise/contract";
import { shanghaiMoment } from "@herdwise/contract/shanghai";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { systemScope, type TenantScope } from "../../tenant-scope.ts";
import type { SettingsService } from "../settings/index.ts";
import type { LogEntry, LogKind } from "./log-entry.ts";
import { operationWords } from "./operation-words.ts";
import type { LogFilter, LogRow, ServiceLogRepository } from "./service-log.repository.ts";

export interface ServiceLogDependencies {
  repository: ServiceLogRepository;
  settings: Pick<SettingsService, "numbers">;
  now: () => number;
  /** Where a batch could not be written. */
  onError: (error: unknown) => void;
}

/** Milliseconds for which entries are gathered. */
const gatherMs = 500;
/** Entries that wait at most; what comes beyond is counted and left out, so that a database that is away fills no memory. */
const mostWaiting = 10_000;
const atOnce = 1000;
const dayMs = 86_400_000;

const kinds = ["usual", "api", "error"] as const satisfies readonly LogKind[];
const recorded = systemScope("the server notes what it answered, whoever asked");
const swept = systemScope("entries are removed by their age");

type Query = QueryOf<typeof usualLogPage> & QueryOf<typeof apiLogPage> & QueryOf<typeof errorLogPage>;

/** The end of a range includes its last day, or its last second. */
function boundOf(text: string | undefined, isEnd: boolean): Date | undefined {
  if (!text) return undefined;
  const at = shanghaiMoment(text.length === 10 ? `${text} 00:00:00` : text);
  if (Number.isNaN(at)) throw refuse("row.condition_value", { values: { name: "createTime" } });
  return new Date(at + (isEnd ? (text.length === 10 ? dayMs : 1000) : 0));
}

const filterOf = (query: Query): LogFilter => ({
  equal: {
    request_id: query.requestId,
    service_id: query.serviceId,
    method: query.method,
    log_level: query.logLevel,
    exception_name: query.exceptionName,
  },
  like: {
    request_uri: query.requestUri,
    operation: query.methodName,
    log_id: query.logId,
    title: query.title,
    message: query.message,
  },
  outcome: query.outcome,
  account: query.createBy,
  from: boundOf(query.createTime_datege, false),
  to: boundOf(query.createTime_datele, true),
});

/** What the service did: written in batches beside the calls, read by the group's staff, removed by age. */
export function createServiceLogService({ repository, settings, now, onError }: ServiceLogDependencies) {
  const waiting: Record<LogKind, LogEntry[]> = { usual: [], api: [], error: [] };
  let count = 0;
  let lost = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const writeAll = async (): Promise<void> => {
    if (lost > 0) onError(new Error(`${lost} entries came while ${mostWaiting} waited`));
    lost = 0;
    for (const kind of kinds) {
      while (waiting[kind].length > 0) {
        const batch = waiting[kind].splice(0, atOnce);
        count -= batch.length;
        // An entry that can't be written is lost: it must not hold up those after it.
        await repository.add(recorded, kind, batch).catch(onError);
      }
    }
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(writeAll);
    return writing;
  };

  const view = ({ params: _sent, ...row }: LogRow) => {
    const { zh = "", en = "" } = operationWords(row.methodName) ?? {};
    return { ...row, serverIp: "", env: "", methodClass: "", operationZh: zh, operationEn: en, params: "" };
  };
  const page = async <Kind extends LogKind>(scope: TenantScope, kind: Kind, query: Query) => {
    const request = pageRequest(query, []);
    const { rows, total } = await repository.page(scope, kind, filterOf(query), request);
    return { rows, total, request };
  };
  const find = async <Kind extends LogKind>(scope: TenantScope, kind: Kind, id: string) => {
    const row = await repository.find(scope, kind, id);
    if (row === undefined) throw refuse("service_log.not_found");
    return row;
  };

  return {
    /** Takes an entry; it neither waits nor throws. */
    take(kind: LogKind, entry: LogEntry): void {
      if (count >= mostWaiting) {
        lost += 1;
        return;
      }
      count += 1;
      waiting[kind].push(entry);
      timer ??= setTimeout(() => void flush(), gatherMs).unref();
    },

    flush,

    async usual(scope: TenantScope, query: Query) {
      const { rows, total, request } = await page(scope, "usual", query);
      return pageOfRows(
        rows.map((row) => ({ ...row, ...view(row) })),
        total,
        request,
      );
    },
    async api(scope: TenantScope, query: Query) {
      const { rows, total, request } = await page(scope, "api", query);
      return pageOfRows(
        rows.map((row) => ({ ...row, ...view(row), type: "1", time: String(row.timeMs) })),
        total,
        request,
      );
    },
    async error(scope: TenantScope, query: Query) {
      const { rows, total, request } = await page(scope, "error", query);
      return pageOfRows(
        rows.map((row) => ({ ...row, ...view(row), stackTrace: "" })),
        total,
        request,
      );
    },
    async usualDetail(scope: TenantScope, id: string) {
      const row = await find(scope, "usual", id);
      return { ...row, ...view(row), params: row.params };
    },
    async apiDetail(scope: TenantScope, id: string) {
      const row = await find(scope, "api", id);
      return { ...row, ...view(row), params: row.params, type: "1", time: String(row.timeMs) };
    },
    async errorDetail(scope: TenantScope, id: string) {
      const row = await find(scope, "error", id);
      return { ...row, ...view(row), params: row.params };
    },

    ofRequest: (scope: TenantScope, requestId: string) => repository.ofRequest(scope, requestId.trim()),

    /** Days for which entries of each log are kept. */
    async retention() {
      const days = await settings.numbers(["log.usualDays", "log.apiDays", "log.errorDays"]);
      return { usual: days["log.usualDays"], api: days["log.apiDays"], error: days["log.errorDays"] };
    },

    /** Removes what is older than the settings keep it. */
    async sweep(signal: AbortSignal): Promise<void> {
      const days = await settings.numbers(["log.usualDays", "log.apiDays", "log.errorDays"]);
      for (const kind of kinds) {
        const before = new Date(now() - days[`log.${kind}Days`] * dayMs);
        while (!signal.aborted && (await repository.removeBefore(swept, kind, before, atOnce * 10)) > 0);
      }
    },
  };
}
export type ServiceLogService = ReturnType<typeof createServiceLogService>;
