import {
  alarmRuleTry,
  ownAlarmRuleHistory,
  ownAlarmRuleList,
  ownAlarmRuleRemove,
  ownAlarmRuleSubmit,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { OwnRules } from "./own-rule.service.ts";
import type { RuleTrials } from "./rule-trial.service.ts";

export function ownRuleRoutes(router: Router, rules: OwnRules, trials: RuleTrials): void {
  router.on(ownAlarmRuleList, ({ scope }) => rules.list(scope));
  router.on(ownAlarmRuleHistory, ({ scope, query }) => rules.history(scope, query.ruleId));
  router.on(ownAlarmRuleSubmit, ({ scope, body }) => rules.submit(scope, body));
  router.on(ownAlarmRuleRemove, async ({ scope, body }) => {
    await rules.remove(scope, body.previousId);
    return {};
  });
  router.on(alarmRuleTry, ({ scope, body }) => trials.run(scope, body));
}
