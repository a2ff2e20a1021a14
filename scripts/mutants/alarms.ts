import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const folder = "apps/server/src/modules/alarms";
const group: Tests = { files: [`${folder}/group-rules.test.ts`, `${folder}/alarm-parts.test.ts`] };
const follower: Tests = { files: [`${folder}/follower.test.ts`], names: "stays when" };
const api: Tests = { files: ["tests/api/own-alarm-rules.test.ts"] };

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
  ...faultsIn(`${folder}/own-rule.repository.ts`, api, [
    [
      "group rules: a device of another unit is taken",
      'join.onRef("a.unitId", "=", "d.unitId")',
      'join.onRef("a.tenantId", "=", "d.tenantId")',
    ],
  ]),
];
