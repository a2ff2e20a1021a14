import type { AlarmRuleTrial, alarmRuleTry, BodyOf } from "@herdwise/contract";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import {
  type AlarmRule,
  alarmRuleOf,
  createEvaluator,
  type DeviceKind,
  deviceKinds,
  type Evaluator,
  kindOfGroup,
  withThresholds,
} from "@herdwise/device-kinds";
import { createBreather } from "../../breather.ts";
import { refuse } from "../../http/errors.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { RecentRepository } from "../telemetry/index.ts";
import type { AlarmLogRepository, FollowedDevice } from "./alarm-log.repository.ts";
import { contextOf, inputOf, judgeInput, offlineRule } from "./follower.service.ts";
import { groupRows } from "./group-rules.service.ts";
import type { OwnRuleRepository } from "./own-rule.repository.ts";
import { requireJudgeable } from "./own-rule.service.ts";
import type { RuleBook } from "./rule-book.service.ts";

export interface RuleTrialDependencies {
  repository: Pick<OwnRuleRepository, "devicesAt" | "beside">;
  log: Pick<AlarmLogRepository, "followed">;
  recent: Pick<RecentRepository, "between">;
  ruleBook: Pick<RuleBook, "rulesOf">;
  now: () => number;
}

const dayMs = 86_400_000;
/** Span of stored data in ms that is read at a time. */
const stretchMs = 6 * 3_600_000;
/** Most devices in a trial and its time limit, because a person waits for the answer. */
const mostDevices = 20;
const longestMs = 10_000;
const mostEpisodes = 50;
/** Most simultaneous trials on a server. */
const mostTogether = 2;

interface Episode {
  deviceId: string;
  deviceName: string;
  fromMs: number;
  toMs?: number;
}

/** Runs a rule over stored data as if it had been in force, with the same evaluation as for live data. */
export function createRuleTrials({ repository, log, recent, ruleBook, now }: RuleTrialDependencies) {
  let running = 0;

  /**
   * The rule to try, and the kind's rule as it is set now.
   * @param kind the kind with the values of all devices that the rule reads
   */
  const rulesOf = (
    body: BodyOf<typeof alarmRuleTry>,
    device: FollowedDevice,
    kind: DeviceKind,
  ): { rule: AlarmRule; held?: AlarmRule } => {
    const { raiseAfterS } = body;
    if (body.rule !== undefined) {
      const words = {
        id: "own-trial",
        name: "",
        severity: "MINOR",
        clearAfterS: 60,
        raiseAfterS: raiseAfterS ?? 0,
      } as const;
      return { rule: alarmRuleOf(kind, { ...body.rule, ...words }) };
    }
    const declared = kind.alarmRules.find(({ id }) => id === body.ruleId);
    if (declared === undefined) throw refuse("alarm_rule.unknown");
    const held = ruleBook.rulesOf(device).find(({ id }) => id === declared.id);
    return {
      rule: { ...withThresholds(declared, body.thresholds ?? {}), ...(raiseAfterS !== undefined && { raiseAfterS }) },
      ...(held !== undefined && { held }),
    };
  };

  /** Messages of devices in a span of time, in order. */
  const sentBy = async (deviceId: string, otherIds: readonly string[], fromMs: number, toMs: number) => {
    const rows = await Promise.all([deviceId, ...otherIds].map((id) => recent.between(id, fromMs, toMs)));
    return otherIds.length === 0 ? rows.flat() : groupRows(rows.flat(), deviceId);
  };

  async function judge(
    body: BodyOf<typeof alarmRuleTry>,
    device: FollowedDevice,
    others: ReadonlyMap<string, DeviceKind>,
    name: string,
    fromMs: number,
    toMs: number,
    untilMs: number,
  ): Promise<{ episodes: Episode[]; timesNow: number } | undefined> {
    const kind = kindOfGroup(deviceKinds[body.kind], others);
    const { rule, held } = rulesOf(body, device, kind);
    const context = contextOf(device);
    const episodes: Episode[] = [];
    let timesNow = 0;
    const tried = createEvaluator(kind, { rules: [rule] });
    const present = held && createEvaluator(kind, { rules: [held] });
    const note = (changes: ReturnType<Evaluator["take"]>): void => {
      for (const { type, atMs, suppressed } of changes) {
        if (suppressed) continue;
        if (type === "raised") episodes.push({ deviceId: device.id, deviceName: name, fromMs: atMs });
        else Object.assign(episodes.at(-1) ?? {}, { toMs: atMs });
      }
    };
    const count = (changes: ReturnType<Evaluator["take"]>): void => {
      timesNow += changes.filter(({ type, suppressed }) => type === "raised" && !suppressed).length;
    };
    const breathe = createBreather();
    for (let at = fromMs; at < toMs; at += stretchMs) {
      if (now() > untilMs) return undefined;
      for (const row of await sentBy(device.id, [...others.keys()], at, Math.min(at + stretchMs, toMs))) {
        const input = inputOf(row);
        note(judgeInput(tried, input, context));
        if (present) count(judgeInput(present, input, context));
        const turn = breathe();
        if (turn !== undefined) await turn;
      }
    }
    note(tried.take({ type: "due" }, toMs, context));
    if (present) count(present.take({ type: "due" }, toMs, context));
    return { episodes, timesNow };
  }

  return {
    async run(scope: TenantScope, body: BodyOf<typeof alarmRuleTry>): Promise<AlarmRuleTrial> {
      if ((body.rule === undefined) === (body.ruleId === undefined)) throw refuse("alarm_rule.one");
      const others =
        body.rule === undefined
          ? new Map<string, DeviceKind>()
          : await requireJudgeable(repository, scope, { ...body, rule: body.rule });
      // The clock raises this rule, and stored data does not tell when a device was silent by the server's clock.
      if (body.ruleId === offlineRule) throw refuse("alarm_rule.not_tried");
      if (running >= mostTogether) throw refuse("alarm_rule.busy");
      running += 1;
      try {
        const toMs = now();
        const fromMs = toMs - body.days * dayMs;
        const { devices, count } = await repository.devicesAt(scope, body.kind, body.scope, body.scopeId, mostDevices);
        const followed = new Map(
          (await log.followed(devices.map(({ id }) => id))).map((device) => [device.id, device]),
        );
        const episodes: Episode[] = [];
        let [tried, timesNow] = [0, 0];
        for (const { id, name } of devices) {
          const device = followed.get(id);
          const judged = device && (await judge(body, device, others, name, fromMs, toMs, toMs + longestMs));
          if (judged === undefined) break;
          episodes.push(...judged.episodes);
          timesNow += judged.timesNow;
          tried += 1;
        }
        episodes.sort((a, b) => b.fromMs - a.fromMs);
        const lengthMs = episodes.reduce((sum, { fromMs: from, toMs: to = toMs }) => sum + to - from, 0);
        const days = Map.groupBy(episodes, ({ fromMs: from }) => shanghaiDay(from));
        return {
          fromMs,
          toMs,
          devices: count,
          tried,
          times: episodes.length,
          minutes: Math.round(lengthMs / 60_000),
          ...(body.ruleId !== undefined && { timesNow }),
          days: [...days].map(([day, of]) => ({ day, times: of.length })).sort((a, b) => (a.day < b.day ? -1 : 1)),
          episodes: episodes.slice(0, mostEpisodes),
        };
      } finally {
        running -= 1;
      }
    },
  };
}
export type RuleTrials = ReturnType<typeof createRuleTrials>;
