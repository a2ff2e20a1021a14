import { deviceKinds } from "@herdwise/device-kinds";
import { repeat } from "../../repeat.ts";
import type { AlarmLogRepository } from "./alarm-log.repository.ts";
import { offlineRule } from "./follower.service.ts";
import type { Journal, Step } from "./journal.service.ts";
import type { RuleBook } from "./rule-book.service.ts";

/** Interval in ms at which devices that stopped reporting are looked for. */
const lookMs = 2000;
/** From this number on, devices of one house that stop together are one loss of connection with one notice. */
const togetherLeast = 3;
/** From this number on, devices behind a disconnected gateway are the loss of that gateway. */
const behindGatewayLeast = 2;

export interface ClockRuleDependencies {
  repository: Pick<AlarmLogRepository, "offlineChanges">;
  ruleBook: Pick<RuleBook, "rulesOf" | "maskedAt">;
  journal: Pick<Journal, "writeByClock">;
  nextId: () => string;
  now: () => number;
}

/**
 * Raises the alarm of devices that don't report, by the same table that decides which devices are offline, so that after a
 * downtime of the server every device gets its full interval first.
 * Any server may do it; there is one open alarm for each device and rule.
 */
export function createClockRules({ repository, ruleBook, journal, nextId, now }: ClockRuleDependencies) {
  let end: (() => Promise<void>) | undefined;

  const look = async (): Promise<void> => {
    const atMs = now();
    const devices = await repository.offlineChanges(offlineRule, new Date(atMs));
    const steps: Step[] = [];
    const lost: { id: string; place: string; least: number; isGateway: boolean }[] = [];
    const groups: { id: string; causeId: string }[] = [];
    for (const { open, silentMs, gatewayId, isGateway, gatewayAway, gatewayAlarmId, ...device } of devices) {
      const deviceId = device.id;
      if (open) {
        steps.push({ type: "end", deviceId, ruleId: offlineRule, atMs });
        continue;
      }
      const rule = ruleBook.rulesOf(device).find(({ id }) => id === offlineRule);
      const { offlineAfterS } = deviceKinds[device.kind];
      if (rule === undefined || rule.condition.type !== "detector" || rule.condition.detector !== "silence") continue;
      const raisedMs = silentMs + (rule.condition.parameters.after_s - offlineAfterS) * 1000;
      if (raisedMs > atMs) continue;
      const suppressed =
        (device.mode !== null && device.mode !== "normal") || ruleBook.maskedAt(device, offlineRule, atMs);
      const id = nextId();
      steps.push({
        type: "raise",
        id,
        deviceId,
        ruleId: offlineRule,
        severity: rule.severity,
        sinceMs: silentMs - offlineAfterS * 1000,
        atMs: raisedMs,
        suppressed,
        late: false,
        quiet: false,
        figure: undefined,
      });
      if (suppressed) continue;
      if (gatewayId === null || !gatewayAway)
        lost.push({ id, place: device.houseId ?? device.farmId ?? device.id, least: togetherLeast, isGateway });
      // Kinds have different intervals, so devices that follow later belong to the same loss.
      else if (gatewayAlarmId !== null) groups.push({ id, causeId: gatewayAlarmId });
      else lost.push({ id, place: `${gatewayId}/${device.tenantId}`, least: behindGatewayLeast, isGateway });
    }
    for (const of of Map.groupBy(lost, ({ place }) => place).values()) {
      // The gateway's own alarm describes the loss best.
      const first = of.find(({ isGateway }) => isGateway) ?? of[0];
      if (first === undefined || of.length < first.least) continue;
      groups.push(...of.filter((one) => one !== first).map(({ id }) => ({ id, causeId: first.id })));
    }
    await journal.writeByClock(steps, groups);
  };

  return {
    /** Looks once; after `start` it runs every 2 s. */
    look,
    start(onError: (error: unknown) => void): void {
      end = repeat(look, lookMs, onError);
    },
    stop: async (): Promise<void> => end?.(),
  };
}
