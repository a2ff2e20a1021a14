import {
  alarmAcknowledge,
  alarmAssign,
  alarmCall,
  alarmClear,
  alarmClose,
  alarmComment,
  alarmCounts,
  alarmDetail,
  alarmExport,
  alarmLive,
  alarmMaskingList,
  alarmMaskingRemove,
  alarmMaskingSubmit,
  alarmOpen,
  alarmPage,
  alarmPeople,
  alarmPushList,
  alarmPushPreview,
  alarmPushSubmit,
  alarmPushTest,
  alarmRoster,
  alarmRuleHistory,
  alarmRuleList,
  alarmRuleRemove,
  alarmRuleSubmit,
  alarmStatistics,
  alarmUnwoken,
  fieldActionSubmit,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { AlarmService } from "./alarm.service.ts";
import type { AlarmExport } from "./alarm-export.service.ts";
import type { AlarmLive } from "./alarm-live.service.ts";
import type { PushService } from "./push.service.ts";
import type { PushPreview } from "./push-preview.service.ts";
import type { Roster } from "./roster.service.ts";
import type { RuleChanges } from "./rule-change.service.ts";

export interface AlarmRouteServices {
  alarms: AlarmService;
  live: AlarmLive;
  push: PushService;
  preview: PushPreview;
  roster: Roster;
  rules: RuleChanges;
  exports: AlarmExport;
}

export function alarmRoutes(
  router: Router,
  { alarms, live, push, preview, roster, rules, exports }: AlarmRouteServices,
): void {
  router.on(fieldActionSubmit, ({ scope, body }) => alarms.fromField(scope, body));
  router.on(alarmRuleList, ({ scope, query }) => rules.list(scope, query.kind));
  router.on(alarmRuleHistory, ({ scope, query }) => rules.history(scope, query.kind, query.ruleId));
  router.on(alarmRuleSubmit, async ({ scope, body }) => {
    await rules.submit(scope, body);
    return {};
  });
  router.on(alarmRuleRemove, async ({ scope, body }) => {
    await rules.remove(scope, body);
    return {};
  });
  router.on(alarmMaskingList, ({ scope }) => rules.maskings(scope));
  router.on(alarmMaskingSubmit, async ({ scope, body }) => {
    await rules.mask(scope, body);
    return {};
  });
  router.on(alarmMaskingRemove, async ({ scope, body }) => {
    await rules.unmask(scope, body.id);
    return {};
  });
  router.on(alarmPushList, ({ scope }) => push.list(scope));
  router.on(alarmPushSubmit, async ({ scope, body }) => {
    await push.submit(scope, body);
    return {};
  });
  router.on(alarmPushPreview, ({ scope, body }) => preview(scope, body));
  router.on(alarmPushTest, ({ scope, body }) => push.test(scope, body.channel));
  router.on(alarmRoster, ({ scope, query }) => roster.ofFarm(scope, query.farmId));
  router.on(alarmUnwoken, ({ scope }) => roster.unwoken(scope));
  router.on(alarmExport, ({ scope, body }) => exports.export(scope, body));
  router.on(alarmPage, ({ scope, query }) => alarms.page(scope, query));
  router.on(alarmOpen, ({ scope, query }) => alarms.open(scope, query));
  router.on(alarmCounts, ({ scope }) => alarms.counts(scope));
  router.on(alarmDetail, ({ scope, query }) => alarms.detail(scope, query.id));
  router.on(alarmPeople, ({ scope }) => alarms.people(scope));
  router.on(alarmStatistics, ({ scope, query }) => alarms.statistics(scope, query));
  router.on(alarmAcknowledge, async ({ scope, query, body }) => {
    await alarms.acknowledge(scope, query.ids ?? body.ids, body.minutes);
    return {};
  });
  router.on(alarmAssign, async ({ scope, body }) => {
    await alarms.assign(scope, body);
    return {};
  });
  router.on(alarmComment, async ({ scope, body }) => {
    await alarms.comment(scope, body.id, body.text);
    return {};
  });
  router.on(alarmCall, ({ scope, body }) => alarms.call(scope, body.id));
  router.on(alarmClear, async ({ scope, query, body }) => {
    await alarms.clear(scope, query.ids ?? body.ids);
    return {};
  });
  router.on(alarmClose, async ({ scope, body }) => {
    await alarms.close(scope, body);
    return {};
  });
  router.stream(
    alarmLive,
    async ({ session, scope }) =>
      (stream) =>
        live.serve(session, scope, stream),
  );
}
