import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const folder = "apps/server/src/modules/alarms";
const group: Tests = { files: [`${folder}/group-rules.test.ts`, `${folder}/alarm-parts.test.ts`] };
const follower: Tests = { files: [`${folder}/follower.test.ts`], names: "stays when" };
const api: Tests = { files: ["tests/api/own-alarm-rules.test.ts"] };

const notices: Tests = { files: [`${folder}/notice.test.ts`] };
const known: Tests = { files: ["tests/api/known-alarms.test.ts"] };
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
  ...faultsIn(`${folder}/alarm-log.repository.ts`, known, [
    ["known alarms: the time is never over", "where k.worse or k.known_until <= ${now}", "where k.worse"],
    ["known alarms: what gets worse does not ask", "where k.worse or k.known_until", "where k.known_until"],
    ["known alarms: what comes back worse is known", "where a.id = f.id and not f.worse", "where a.id = f.id"],
    [
      "known alarms: what was worse is known afterwards",
      "set known_until = null from found f",
      "set known_until = p.known_until from found f",
    ],
    [
      "known alarms: what comes back after its time is known",
      "and p.known_until > now() and p.id <> a.id",
      "and p.known_until is not null and p.id <> a.id",
    ],
    [
      "known alarms: another unit is the same cause",
      "and (p.farm_id, p.house_id, p.unit_id) is not distinct from (a.farm_id, a.house_id, a.unit_id)",
      "",
    ],
    [
      "known alarms: a second device of the unit is the same cause",
      "d.unit_id = p.unit_id and d.bound_at is not null",
      "false",
    ],
    [
      "known alarms: a closed alarm hands on",
      "and p.ended_by is null and p.closed_at is null",
      "and p.ended_by is null",
    ],
    [
      "known alarms: what is left of a cause that ended stays silent",
      "known_until = case when a.known_through is null then a.known_until end",
      "known_until = a.known_until",
    ],
  ]),
  ...faultsIn(`${folder}/alarm.repository.ts`, known, [
    [
      "known alarms: a cause silences what is more severe",
      "sql<SqlBool>`a.severity <= c.severity`",
      "sql<SqlBool>`true`",
    ],
  ]),
  ...faultsIn(`${folder}/notice.service.ts`, known, [
    [
      "known alarms: values worked out from readings get worse unseen",
      "return isWorse(",
      "return value === null && isWorse(",
    ],
  ]),
  ...faultsIn(`${folder}/alarm.service.ts`, known, [
    [
      "known alarms: a phone's acknowledgement of before holds",
      "(alarm.askedAgainAt?.getTime() ?? 0) > fromMs",
      "fromMs < 0",
    ],
  ]),
  ...faultsIn("packages/contract/src/alarm-asking.ts", known, [
    [
      "known alarms: longer than the severity allows",
      "Math.min(chosen ?? usual, most)",
      "chosen ?? Math.min(usual, most)",
    ],
  ]),
  ...faultsIn("apps/server/src/database/conditions.ts", known, [
    [
      "known alarms: lists go on calling them known",
      "> ${at}, false)",
      "is not null, false) or coalesce(${at} is null, false)",
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
      "handles && held.length === 0 && changed.length > 0",
      "held.length < 0",
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
