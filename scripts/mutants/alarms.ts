import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const folder = "apps/server/src/modules/alarms";
const group: Tests = { files: [`${folder}/group-rules.test.ts`, `${folder}/alarm-parts.test.ts`] };
const follower: Tests = { files: [`${folder}/follower.test.ts`], names: "stays when" };
const api: Tests = { files: ["tests/api/own-alarm-rules.test.ts"] };

const notices: Tests = { files: [`${folder}/notice.test.ts`] };
const roster: Tests = { files: ["tests/api/alarm-roster.test.ts"] };

export const alarmMutants: Mutant[] = [
  ...faultsIn(`${folder}/group-rules.service.ts`, group, [
    [
      "group rules: what came too late is judged",
      "!tooLate?.has(`${deviceId}/${atMs}`)",
      'atMs > 0 && deviceId !== ""',
    ],
    [
      "group rules: nobody says what late data would have raised",
      "if (would.length > 0) dependencies.tellLate(",
      "if (would.length > 1e6) dependencies.tellLate(",
    ],
    [
      "group rules: devices of other owners are read",
      "devices.every(({ tenantId }) => tenantId === rule.tenantId)",
      "devices.length > 0",
    ],
    [
      "group rules: a state is kept before what is in time is there",
      "nowMs - lateAfterOf(rule) - 1000)",
      "nowMs - 1000)",
    ],
  ]),
  ...faultsIn(`${folder}/follower.service.ts`, follower, [
    [
      "alarms: what the clock or an event raised is withdrawn when its device is taken up anew",
      "const rememberedMs = judgedMsOf({ newestMs: afterMs, evaluator });",
      "const rememberedMs = afterMs;",
    ],
  ]),
  ...faultsIn(`${folder}/receiver.repository.ts`, notices, [
    ["who is woken: accounts that are switched off", "p.id = m.account_id and p.status = 1", "p.id = m.account_id"],
    ["who is woken: no call follows a chosen SMS", "and has_phone and severity = 4 and step >= 2", "and step > 3"],
    ["who is woken: phones that nobody proved", "where channel <> 'sms' or has_phone", "where true"],
    [
      "who is woken: farms of other tenants are counted",
      'where ${inReach(scope, "f")} and ${hasDevices}',
      "where ${hasDevices}",
      roster,
    ],
  ]),
  ...faultsIn(`${folder}/push.service.ts`, roster, [
    [
      "alarm push: less is chosen without a question",
      "if (before.handles && !confirmed) {",
      "if (before.handles && confirmed) {",
    ],
    [
      "alarm push: another channel turns the SMS off",
      "if (before.handles && rows.length === 0)",
      "if (rows.length < 0)",
    ],
  ]),
  ...faultsIn(`${folder}/notice.service.ts`, notices, [
    ["notices: English readers are told in Chinese", '...(first.language === "en" && {', "...(false && {"],
  ]),
  ...faultsIn("apps/server/src/modules/outbox/index.ts", roster, [
    ["services: nobody notes that the money is used up", "if (error instanceof OutOfMoney)", "if (false)"],
    ["services: money that came back is not seen", "await money.forget(channel)", "await Promise.resolve()"],
  ]),
  ...faultsIn(`${folder}/own-rule.repository.ts`, api, [
    [
      "group rules: a device of another unit is taken",
      'join.onRef("a.unitId", "=", "d.unitId")',
      'join.onRef("a.tenantId", "=", "d.tenantId")',
    ],
  ]),
];
