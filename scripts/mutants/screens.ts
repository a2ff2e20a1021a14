import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const kind = "apps/web/app/centre/kind";
const judging: Tests = { files: [`${kind}/judge.test.ts`] };
const formats: Tests = { files: ["apps/web/app/shared/language/format.test.ts"] };

export const screenMutants: Mutant[] = [
  ...faultsIn("packages/device-kinds/src/judge.ts", judging, [
    ["screens: units that nobody heard are good", "heard === units.length && attention === 0", "attention === 0"],
    ["screens: a farm without units is good", '?? "bare";', '?? "ok";'],
  ]),
  ...faultsIn("packages/contract/src/plain-number.ts", formats, [
    ["screens: thousands are not told apart", String.raw`.replace(/\B(?=(?:\d{3})+$)/g, ",")`, ""],
  ]),
];
