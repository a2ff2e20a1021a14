import {
  alarmAcknowledge,
  alarmAssign,
  alarmClear,
  alarmClose,
  alarmComment,
  alarmCounts,
  alarmDetail,
  alarmLive,
  alarmOpen,
  alarmPage,
  alarmPeople,
  alarmStatistics,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { AlarmService } from "./alarm.service.ts";
import type { AlarmLive } from "./alarm-live.service.ts";

export function alarmRoutes(router: Router, alarms: AlarmService, live: AlarmLive): void {
  router.on(alarmPage, ({ scope, query }) => alarms.page(scope, query));
  router.on(alarmOpen, ({ scope, query }) => alarms.open(scope, query));
  router.on(alarmCounts, ({ scope }) => alarms.counts(scope));
  router.on(alarmDetail, ({ scope, query }) => alarms.detail(scope, query.id));
  router.on(alarmPeople, ({ scope }) => alarms.people(scope));
  router.on(alarmStatistics, ({ scope, query }) => alarms.statistics(scope, query));
  router.on(alarmAcknowledge, async ({ scope, query, body }) => {
    await alarms.acknowledge(scope, query.ids ?? body.ids);
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
        live.serve(session.id, scope, stream),
  );
}
