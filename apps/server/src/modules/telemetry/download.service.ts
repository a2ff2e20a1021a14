import {
  type DownloadResolution,
  downloadLimits,
  historyFormats,
  isId,
  longestDownloadDays,
  type QueryOf,
  type telemetryDownload,
} from "@herdwise/contract";
import { deviceKinds, localUnit } from "@herdwise/device-kinds";
import { createBreather } from "../../breather.ts";
import { refuse } from "../../http/errors.ts";
import type { Download } from "../../http/sent-file.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { HistoryRepository } from "./history.repository.ts";
import { type HistoryCells, type HistoryColumn, type HistoryColumnType, historyPieces } from "./history-files.ts";
import { readOrder } from "./ordered-history.ts";
import { valuesOf } from "./packing.ts";
import { dayOfHour, firstHourOf, hourMs } from "./roll-up.ts";
import type { SeriesService } from "./series.service.ts";

const dayMs = 86_400_000;
/** Raw rows in memory at a time. */
const rowsAtOnce = 5000;
/** Downloads at a time of one account, and of a server: each keeps one connection to the database busy now and then. */
const mostAtOnce = { account: 4, server: 8 } as const;

const words = {
  zh: { device: "设备", deviceId: "设备编号", serialNumber: "序列号", time: "时间 (UTC)" },
  en: { device: "Device", deviceId: "Device id", serialNumber: "Serial number", time: "Time (UTC)" },
} as const;
const buckets = {
  zh: { min: "最小", avg: "平均", max: "最大" },
  en: { min: "min", avg: "mean", max: "max" },
} as const;
const bucketParts = ["min", "avg", "max"] as const;
const fixedNames = ["deviceId", "device", "serialNumber", "time"] as const;

/** Days of a bucketed window, so that 100 keys stay below what one reading of series may have. */
const windowDays = { minute: 1, hour: 31, day: 366 } as const;

type Query = QueryOf<typeof telemetryDownload>;
type Ordered = Awaited<ReturnType<typeof readOrder>>;

const list = (text: string): string[] => [...new Set(text.split(",").filter((item) => item !== ""))];

/** The type that all devices with a key declare for it; of other keys it is not known what devices send. */
function typeOf({ reached, devices }: Ordered, key: string): HistoryColumnType {
  const types = new Set(
    devices
      .filter(({ id }) => reached.get(id)?.keys.includes(key))
      .map(({ kind }) => deviceKinds[kind].channels.find((channel) => channel.key === key)?.type ?? "json"),
  );
  const [type = "json"] = types;
  return types.size > 1 ? "json" : type;
}

/** Columns of a download, those of devices and time first; a key with the name of one of these gets a prefix. */
function columnsOf(
  ordered: Ordered,
  resolution: DownloadResolution,
  language: "zh" | "en" | undefined,
): HistoryColumn[] {
  const taken = new Set<string>(fixedNames);
  const nameOf = (key: string): string => {
    let name = key;
    while (taken.has(name)) name = `value_${name}`;
    taken.add(name);
    return name;
  };
  const fixed = fixedNames.map(
    (name): HistoryColumn => ({
      name,
      type: name === "time" ? "time" : "text",
      required: true,
      ...(language && { header: words[language][name] }),
    }),
  );
  const headerOf = (key: string): string | undefined => {
    if (language === undefined) return undefined;
    const channel = ordered.channels.get(key);
    if (channel === undefined) return key;
    const unit = localUnit(channel.unit)[language];
    return unit === "" ? channel.name[language] : `${channel.name[language]} (${unit})`;
  };
  const ofKeys = ordered.keys.flatMap((key): HistoryColumn[] => {
    const header = headerOf(key);
    if (resolution === "raw")
      return [{ name: nameOf(key), type: typeOf(ordered, key), ...(header !== undefined && { header }) }];
    return bucketParts.map((part) => ({
      name: nameOf(`${key}_${part}`),
      type: "number",
      ...(language && header !== undefined && { header: `${header} ${buckets[language][part]}` }),
    }));
  });
  return [...fixed, ...ofKeys];
}

/** A value as its column holds it; null for one of another type, which no accepted reading has. */
const typed = (value: unknown, type: HistoryColumnType): unknown =>
  type === "json" || typeof value === (type === "text" ? "string" : type) ? value : null;

/** Windows of a span, each a whole number of buckets but for what the span cuts. */
function* windowsOf(start: number, end: number, resolution: keyof typeof windowDays): Generator<[number, number]> {
  // Days begin at midnight in Asia/Shanghai, and so do windows.
  let day = dayOfHour(Math.floor(start / hourMs));
  for (let from = start; from < end; ) {
    day += windowDays[resolution];
    const to = Math.min(end, firstHourOf(day) * hourMs);
    yield [from, to];
    from = to;
  }
}

export interface HistoryDownloadDependencies {
  history: Pick<HistoryRepository, "reached" | "rawRows" | "deviceNames">;
  read: SeriesService["read"];
}

/** Sends history of devices while it is read; what a download keeps in memory does not grow with its length. */
export function createHistoryDownloads({ history, read }: HistoryDownloadDependencies) {
  const open = new Map<string, number>();
  let openAll = 0;

  /** Takes a place, and gives it back when the reader is gone or all was sent. @throws {Refusal} 429 where none is free */
  const takePlace = (accountId: string, signal: AbortSignal): (() => void) => {
    const own = open.get(accountId) ?? 0;
    if (own >= mostAtOnce.account) throw refuse("history.downloads_open", { values: { count: own } });
    if (openAll >= mostAtOnce.server) throw refuse("history.downloads_open", { values: { count: openAll } });
    open.set(accountId, own + 1);
    openAll += 1;
    let given = false;
    const giveBack = (): void => {
      if (given) return;
      given = true;
      openAll -= 1;
      const left = (open.get(accountId) ?? 1) - 1;
      if (left > 0) open.set(accountId, left);
      else open.delete(accountId);
    };
    if (signal.aborted) giveBack();
    else signal.addEventListener("abort", giveBack, { once: true });
    return giveBack;
  };

  async function* rawCells(
    scope: TenantScope,
    ordered: Ordered,
    columns: readonly HistoryColumn[],
    { start, end }: Query,
    signal: AbortSignal,
  ): AsyncGenerator<HistoryCells> {
    const breathe = createBreather();
    const places = new Map(ordered.keys.map((key, at) => [key, fixedNames.length + at]));
    for (const { id, name, serialNumber } of ordered.devices) {
      const known = ordered.reached.get(id)?.keys ?? [];
      for (let afterUs: number | undefined; ; ) {
        const page = await history.rawRows(scope, id, { fromMs: start, toMs: end, afterUs }, rowsAtOnce, signal);
        for (const row of page) {
          const cells: HistoryCells = new Array(columns.length).fill(null);
          let has = false;
          valuesOf(row, known, (key, value) => {
            const at = places.get(key);
            if (at === undefined) return;
            const held = typed(value, columns[at]?.type ?? "json");
            if (held === null) return;
            cells[at] = held;
            has = true;
          });
          if (!has) continue;
          cells[0] = id;
          cells[1] = name;
          cells[2] = serialNumber;
          cells[3] = row.at;
          yield cells;
          const turn = breathe();
          if (turn) await turn;
        }
        if (page.length < rowsAtOnce) break;
        afterUs = page.at(-1)?.us;
      }
      // A device that went to somebody else meanwhile gave no more rows, so that what was sent is not whole.
      if (!(await history.reached(scope, [id])).has(id)) throw refuse("device.not_found");
    }
  }

  async function* bucketCells(
    scope: TenantScope,
    { devices, keys }: Ordered,
    columns: readonly HistoryColumn[],
    { start, end }: Query,
    resolution: keyof typeof windowDays,
    signal: AbortSignal,
  ): AsyncGenerator<HistoryCells> {
    for (const { id, name, serialNumber } of devices) {
      for (const [from, to] of windowsOf(start, end, resolution)) {
        signal.throwIfAborted();
        const { series } = await read(scope, { ids: [id], keys, start: from, end: to, resolution });
        const rows = new Map<number, HistoryCells>();
        for (const [at, { points }] of series.entries()) {
          for (const [ts, ...values] of points) {
            let cells = rows.get(ts);
            if (cells === undefined) {
              cells = new Array(columns.length).fill(null);
              cells.splice(0, fixedNames.length, id, name, serialNumber, ts);
              rows.set(ts, cells);
            }
            cells.splice(fixedNames.length + at * bucketParts.length, bucketParts.length, ...values);
          }
        }
        for (const [, cells] of [...rows].sort(([a], [b]) => a - b)) yield cells;
      }
    }
  }

  return {
    /**
     * Begins a download of accepted readings, by device and time.
     * @param signal aborted when its reader is gone; the running statement is cancelled then, and no other follows
     * @throws {Refusal} 404 when the scope does not reach one of the devices; 400 for what is too much; 429 while too many run
     */
    async begin(scope: TenantScope, query: Query, signal: AbortSignal): Promise<Download> {
      const { start, end, resolution = "raw", format, language } = query;
      const ids = list(query.ids).filter(isId);
      const named = query.keys === undefined ? undefined : list(query.keys);
      const { devices: mostDevices, keys: mostKeys } = downloadLimits;
      if (ids.length === 0 || ids.length > mostDevices || (named && (named.length === 0 || named.length > mostKeys)))
        throw refuse("history.download_keys", { values: downloadLimits });
      const ordered = await readOrder(history, scope, { ids, keys: named }, mostKeys);
      if (end <= start) throw refuse("history.empty_range");
      if (end - start > longestDownloadDays[resolution] * dayMs) throw refuse("history.range_too_long");
      const columns = columnsOf(ordered, resolution, language);
      const giveBack = takePlace(scope.accountId, signal);
      const rows =
        resolution === "raw"
          ? rawCells(scope, ordered, columns, query, signal)
          : bucketCells(scope, ordered, columns, query, resolution, signal);
      async function* content(): AsyncGenerator<Buffer | string> {
        try {
          yield* historyPieces[format]({ columns, rows });
        } finally {
          giveBack();
        }
      }
      return {
        name: `history-${new Date(start).toISOString().slice(0, 10)}-${resolution}.${format}`,
        contentType: `${historyFormats[format]}${format === "parquet" ? "" : "; charset=utf-8"}`,
        content: content(),
      };
    },
  };
}
export type HistoryDownloads = ReturnType<typeof createHistoryDownloads>;
