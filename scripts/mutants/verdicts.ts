/** Each makes a value look better than it is, or a range another one than that of its verdict. */
import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const kinds = "packages/device-kinds/src";
const kind = "apps/web/app/centre/kind";
const verdict: Tests = { files: [`${kinds}/verdict.test.ts`] };
const pages: Tests = { files: ["tests/verdicts.test.ts"] };
const judging: Tests = { files: [`${kind}/judge.test.ts`] };
const check: Tests = { files: ["tests/verdict-comparisons.test.ts"] };

export const verdictMutants: Mutant[] = [
  ...faultsIn(`${kinds}/verdict.ts`, verdict, [
    [
      "verdicts: an old reading is fine",
      'const isOld = freshness === "stale" &&',
      'const isOld = freshness === "offline" &&',
    ],
    [
      "verdicts: a limit counts whatever the rest of its rule says",
      "if (!guards.every((guard) => ruleHolds(kind, guard, lookup, context) === true)) continue;",
      "",
    ],
    [
      "verdicts: a comfort lies beyond a limit",
      "[Math.max(from, low), Math.min(to, high)] : undefined",
      "[from, to] : undefined",
    ],
    [
      "verdicts: the farm's rules are not asked",
      "comparingOf(kind, context.rules ?? kind.alarmRules)",
      "comparingOf(kind, kind.alarmRules)",
    ],
    [
      "verdicts: a value outside of its comfort is fine",
      "if (edge === undefined) return",
      "if (edge !== 0) return",
      pages,
    ],
    ["verdicts: an empty unit is comfortable", "context.headCount === 0", "context.headCount === -1"],
    [
      "verdicts: a text is a number's value",
      'channel?.type === "number" && typeof told !== "number"',
      'channel?.type === "text" && typeof told !== "string"',
    ],
    [
      "verdicts: a rejected reading is one that did not come",
      'context.rejected?.[key] === undefined ? "unknown" : "rejected"',
      '"unknown"',
    ],
    [
      "verdicts: what must not be is at its limit where it is not",
      "const isAtHigh = high !== 0 && isAt(high);",
      "const isAtHigh = isAt(high);",
    ],
    [
      "verdicts: rules that a farm wrote judge no values of their own",
      "[...new Set([...first, ...compared.keys()])]",
      "[...new Set(kind.judging?.keys ?? [...first, ...compared.keys()])]",
      judging,
    ],
    [
      "verdicts: masked is fine",
      'if (isMasked) return { ...found, standing: "masked"',
      'if (isMasked) return { ...found, standing: "fine"',
    ],
  ]),
  ...faultsIn(`${kinds}/conditions.ts`, verdict, [
    [
      "verdicts: a rule speaks of its first value alone",
      'if (condition.type === "any") return condition.of.flatMap((part) => ruleBounds({ condition: part }));',
      "",
    ],
  ]),
  ...faultsIn(`${kind}/verdict-mark.tsx`, pages, [
    ["verdicts: off comfort has a green mark", '"off-comfort": aside', '"off-comfort": stateMarks.ok'],
    [
      "verdicts: outside of its comfort looks like an alarm",
      '"outside-comfort": aside',
      '"outside-comfort": stateMarks.minor',
    ],
    ["verdicts: masked has a green mark", "masked: stateMarks.empty", "masked: stateMarks.ok"],
  ]),
  ...faultsIn("packages/device-kinds/src/range-words.ts", pages, [
    ["verdicts: the printed limit is not that of the verdict", "`上限 ${shown(high)}`", "`上限 ${shown(high * 2)}`"],
  ]),
  ...faultsIn("apps/web/app/centre/environment/unit-vitals.tsx", pages, [
    [
      "verdicts: a tile has a mark of the rules beside the range of its comfort",
      "{reference && <VerdictMark verdict={reference} />}",
      '{verdict?.state === "ok" && <span className="state ok">在限内</span>}',
    ],
  ]),
  ...faultsIn("packages/device-kinds/src/judge.ts", judging, [
    [
      "verdicts: a page judges by the declared rules",
      "const rules = rulesMade.get(by) ?? farmRules(kind, by);",
      "const rules = kind.alarmRules;",
    ],
    ["verdicts: rules of one's own do not know the time of day", "isMasked, minuteOfDay };", "isMasked };"],
    [
      "verdicts: a masking that is over masks",
      "startsMs <= nowMs && nowMs < endsMs",
      "startsMs <= nowMs && endsMs > 0",
    ],
  ]),
  ...faultsIn("apps/server/src/modules/devices/device.service.ts", { files: ["tests/api/judged-by.test.ts"] }, [
    [
      "verdicts: overviews are not told what a farm changed",
      "return by ? { ...device, judgedBy: by } : device;",
      "return device;",
    ],
  ]),
  ...faultsIn("apps/server/src/modules/alarms/rule-book.service.ts", { files: ["tests/api/judged-by.test.ts"] }, [
    [
      "verdicts: pages are not told what a farm wrote",
      "return differs ? { rules, written, masked, parameters }",
      "return differs ? { rules, written: [], masked, parameters }",
    ],
  ]),
  ...faultsIn("scripts/verdict-comparisons.ts", check, [
    ["verdicts: names do not carry readings", "for (const name of namesIn(node.name)) named.add(name);", ""],
  ]),
];
