import { deviceKinds } from "@herdwise/device-kinds";
import type { AlarmLogRepository } from "./alarm-log.repository.ts";
import { offlineRule } from "./follower.service.ts";
import type { Journal, Step } from "./journal.service.ts";
import type { RuleBook } from "./rule-book.service.ts";

/** Devices that fell silent are looked for this often, ms. */
const lookMs = 2000;
/** So many devices of one house that fall silent together are one loss of the connection, told once. */
const togetherLeast = 3;

export interface ClockRuleDependencies {
  repository: Pick<AlarmLogRepository, "offlineChanges">;
  ruleBook: Pick<RuleBook, "rulesOf" | "maskedAt">;
  journal: Pick<Journal, "writeByClock">;
  nextId: () => string;
  now: () => number;
}

/**
 * Raises the alarm of devices that do not report, by the same table that decides what counts as offline: a server that was away
 * gives every device its full interval first. Any server may do it; of a device and rule one alarm is open.
 */
export function createClockRules({ repository, ruleBook, journal, nextId, now }: ClockRuleDependencies) {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const look = async (): Promise<void> => {
    const atMs = now();
    const devices = await repository.offlineChanges(offlineRule, new Date(atMs));
    const steps: Step[] = [];
    const lost: { id: string; place: string }[] = [];
    for (const { open, silentMs, ...device } of devices) {
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
      if (!suppressed) lost.push({ id, place: device.houseId ?? device.farmId ?? device.id });
    }
    const groups = [...Map.groupBy(lost, ({ place }) => place).values()]
      .filter((of) => of.length >= togetherLeast)
      .flatMap(([first, ...others]) =>
        first === undefined ? [] : others.map(({ id }) => ({ id, causeId: first.id })),
      );
    await journal.writeByClock(steps, groups);
  };

  return {
    /** Looks once; it happens by itself every 2 s after `start`. */
    look,
    start(onError: (error: unknown) => void): void {
      const again = () => {
        if (!stopped) timer = setTimeout(() => void look().catch(onError).finally(again), lookMs);
      };
      again();
    },
    stop(): void {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
