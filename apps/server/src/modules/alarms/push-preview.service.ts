import {
  type AlarmPushPreview,
  type alarmPushPreview,
  type BodyOf,
  mostPreviewAlarms,
  mostPreviewLines,
  previewDays,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { quietUntil } from "../messages/index.ts";
import { foretell, type PastNotice } from "./notice-fate.ts";
import type { PushRepository, PushRow } from "./push.repository.ts";
import { afterChoice } from "./push.service.ts";
import type { PreviewRow, PushPreviewRepository } from "./push-preview.repository.ts";
import { type NoticeChannel, type ReceiverRepository, wakes } from "./receiver.repository.ts";
import { sentenceOf } from "./sentence.ts";
import { severityOf, severityRank } from "./severity.ts";

export interface PushPreviewDependencies {
  preview: PushPreviewRepository;
  push: Pick<PushRepository, "list" | "farms">;
  receivers: Pick<ReceiverRepository, "ownWaking">;
  now: () => number;
}

const dayMs = 86_400_000;
/** What counts as night where a channel has no quiet hours, minutes of the day: 22:00 to 06:00. */
const night = [22 * 60, 6 * 60] as const;

type Line = AlarmPushPreview["told"][number];
type Notice = PreviewRow & PastNotice;

const alarmOf = (row: PreviewRow) => ({
  id: row.alarmId,
  severity: severityOf(row.severity),
  sentence: sentenceOf(row),
  farmName: row.farmName,
  houseName: row.houseName,
  unitName: row.unitName,
  deviceName: row.deviceName,
  step: row.step,
  again: row.round > 1,
});

/** What the alarms of the last days would have told one person, by what decides real notices. Nothing is sent or written. */
export function createPushPreview({ preview, push, receivers, now }: PushPreviewDependencies) {
  /** @throws Refusal for farms that the scope does not reach */
  const rowsOf = async (scope: TenantScope, body: BodyOf<typeof alarmPushPreview>): Promise<PushRow[]> => {
    const [held, { handles }] = await Promise.all([push.list(scope), receivers.ownWaking(scope)]);
    const changed: PushRow[] = [];
    for (const { farmIds, leastSeverity, ...one } of body.settings) {
      const reached = await push.farms(scope, farmIds);
      if (reached.length !== new Set(farmIds).size) throw refuse("push.farms", { field: "farmIds" });
      changed.push({
        ...one,
        id: "0",
        addressEncrypted: "",
        farmIds: reached,
        leastSeverity: severityRank(leastSeverity),
      });
    }
    return afterChoice(held, handles, changed, () => "0");
  };

  return async (scope: TenantScope, body: BodyOf<typeof alarmPushPreview>): Promise<AlarmPushPreview> => {
    const nowMs = now();
    const since = new Date(nowMs - previewDays * dayMs);
    const rows = await rowsOf(scope, body);
    const [found, known, { alarms }] = await Promise.all([
      preview.notices(scope, rows, since),
      preview.knownTimes(scope, since),
      preview.figures(scope, since),
    ]);
    const knownOf = Map.groupBy(known, ({ alarmId }) => alarmId);
    const quietOf = (channel: NoticeChannel): readonly [number, number] => {
      const row = rows.find((one) => one.channel === channel);
      return row ? [row.quietFrom, row.quietTo] : [0, 0];
    };
    const isNight = (channel: NoticeChannel, atMs: number): boolean => {
      const [from, to] = quietOf(channel);
      return quietUntil(atMs, ...(from === to ? night : ([from, to] as const))) !== undefined;
    };
    const told: Line[] = [];
    const untold: AlarmPushPreview["untold"] = [];
    for (const [channel, of] of Map.groupBy(
      found.filter(({ masked }) => !masked),
      (row) => row.channel,
    )) {
      const [quietFrom, quietTo] = quietOf(channel);
      const notices = of.map(
        (row): Notice => ({
          ...row,
          quietFrom,
          quietTo,
          knownTimes: (knownOf.get(row.alarmId) ?? []).map(({ fromMs, toMs }) => [fromMs, toMs]),
        }),
      );
      const future = foretell(notices, nowMs);
      for (const { atMs, notices: together } of future.told) {
        const earliest = Math.min(...together.map(({ dueMs }) => dueMs));
        told.push({
          atMs,
          channel,
          count: together.length,
          alarms: together.slice(0, mostPreviewAlarms).map(alarmOf),
          night: isNight(channel, atMs),
          ...(quietUntil(earliest, quietFrom, quietTo) === atMs && { heldFromMs: earliest }),
        });
      }
      for (const { notice, atMs, why } of future.dropped) untold.push({ ...alarmOf(notice), channel, atMs, why });
    }
    for (const row of found.filter(({ masked }) => masked))
      untold.push({ ...alarmOf(row), channel: row.channel, atMs: row.dueMs, why: "masked" });
    const newest = <One extends { atMs: number }>(all: One[]): One[] =>
      all.toSorted((a, b) => b.atMs - a.atMs).slice(0, mostPreviewLines);
    const channels = Map.groupBy(told, ({ channel }) => channel);
    return {
      alarms,
      channels: [...channels].map(([channel, lines]) => ({
        channel,
        messages: lines.length,
        night: lines.filter((line) => line.night).length,
        held: lines.filter(({ heldFromMs }) => heldFromMs !== undefined).length,
      })),
      nights: told.filter((line) => line.night && wakes(line.channel)).length,
      told: newest(told),
      untoldCount: untold.length,
      untold: newest(untold),
    };
  };
}
export type PushPreview = ReturnType<typeof createPushPreview>;
