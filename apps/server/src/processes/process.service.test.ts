import { process } from "@herdwise/contract/process";
import { expect, test } from "vitest";
import { refuse } from "../http/errors.ts";
import { systemScope } from "../tenant-scope.ts";
import { createProcess, type StepParts, tellBy } from "./index.ts";

// A process of its own under a name whose refusals have texts.
const lamp = process({
  name: "cancellation",
  kinds: ["red", "green"],
  parties: ["person", "clock"],
  receivers: ["owner", "neighbour"],
  start: "off",
  states: { off: "open", on: "open", broken: "over" },
  events: {
    turn_on: { by: "person", from: "off", to: "on", tells: { owner: "亮了", neighbour: ["小心", "有光"] } },
    turn_off: { by: "person", from: "on", to: "off" },
    hit: { by: "person", kinds: "red", from: ["off", "on"], to: "broken" },
    burn: { by: "clock", from: "on", to: "broken" },
  },
});
interface Lamp {
  id: string;
  tenantId: string;
  state: "off" | "on" | "broken";
  version: number;
  color: "red" | "green";
  locked: boolean;
}

const by = systemScope("a test of the kit");
const standing: Lamp = { id: "7", tenantId: "100001", state: "off", version: 3, color: "red", locked: false };

interface Parts extends StepParts {
  isNight: boolean;
}

/** The lamp's steps, with all that they do in order. */
function lampWith(row: Lamp | undefined) {
  const done: string[] = [];
  let ids = 0;
  const nextId = () => {
    ids += 1;
    return String(ids);
  };
  const steps = createProcess(lamp, {
    async find(_parts: Parts, _by, id: string) {
      done.push(`find ${id}`);
      return row;
    },
    visible: ({ id }: Lamp, party) => party === "clock" || id !== "hidden",
    versionOf: ({ version }, party) => (party === "clock" ? version * 100 : version),
    kindOf: (one) => one.color,
    title: ({ color }) => `${color} lamp`,
    content: ({ color }) => `the ${color} one`,
    changed: () => refuse("cancellation.changed"),
    guards: {
      turn_on: ({ locked }, { isNight }: { isNight: boolean }) =>
        locked || !isNight ? refuse("cancellation.blocked") : undefined,
    },
    async move(_parts, { state, event, party }, change: { bright: boolean } | undefined) {
      done.push(`move ${event} ${party} ${state} ${change?.bright}`);
    },
    async note(_parts, { event }, lineId, change) {
      done.push(`note ${lineId} ${event} ${change?.bright}`);
    },
    receivers: {
      owner: { of: async () => ["1", "1", null], link: ({ id }) => `/lamp?id=${id}` },
      neighbour: { of: () => ["2"], link: () => "" },
    },
    nextId,
  });
  const parts = {
    isNight: true,
    tell: tellBy(
      {
        async insert({ accountId }, { kind, title, content, link }) {
          done.push(`tell ${accountId} ${kind} ${title} ${content} ${link}`);
        },
      },
      { scope: by, kind: "service", nextId },
    ),
    audit: {
      async append(chain: string, _by: unknown, records: readonly { rowTitle: string; changes: readonly object[] }[]) {
        done.push(`audit ${chain} ${records.map(({ rowTitle, changes }) => rowTitle + JSON.stringify(changes))}`);
      },
    },
  };
  return { steps, parts, done };
}
const person = { by, party: "person", row: "7" } as const;

test("a step holds the row, changes it, writes its history, tells people once each, and writes the trail last", async () => {
  const { steps, parts, done } = lampWith(standing);
  const answer = await steps.act(parts, {
    ...person,
    event: "turn_on",
    version: 3,
    take(row) {
      done.push(`take ${row.id}`);
      return { change: { bright: true } };
    },
  });
  expect(answer).toEqual({ row: standing, event: "turn_on", state: "on" });
  expect(done).toEqual([
    "find 7",
    "take 7",
    "move turn_on person on true",
    "note 1 turn_on true",
    "tell 1 service 亮了 the red one /lamp?id=7",
    "tell 2 service 小心 有光 ",
    'audit 100001 red lamp[{"field":"event","before":null,"after":"turn_on"},{"field":"state","before":"off","after":"on"}]',
  ]);
});

test("a row that is held already is not looked for again; event and party may follow from it; a message may say something else", async () => {
  const { steps, parts, done } = lampWith(undefined);
  await steps.act(parts, {
    by,
    row: standing,
    party: ({ locked }) => (locked ? "clock" : "person"),
    event: ({ state }) => (state === "off" ? "turn_on" : "turn_off"),
    take: () => ({ said: { to: ["9"], content: "just so" } }),
  });
  expect(done.filter((line) => /^(find|tell)/.test(line))).toEqual([
    "tell 9 service 亮了 just so /lamp?id=7",
    "tell 9 service 小心 just so ",
  ]);
});

test.each([
  ["what is not there", undefined, {}, "cancellation.not_found"],
  ["what is not there for them", { ...standing, id: "hidden" }, { version: 2 }, "cancellation.not_found"],
  ["what changed since their own party was shown it", standing, { version: 300 }, "cancellation.changed"],
  ["what changed, before its state", { ...standing, state: "broken" as const }, { version: 2 }, "cancellation.changed"],
  [
    "what the table has not, before the guard",
    { ...standing, state: "on" as const, locked: true },
    {},
    "cancellation.state",
  ],
  ["what a guard holds off", { ...standing, locked: true }, {}, "cancellation.blocked"],
  [
    "what the rest of the step refuses",
    standing,
    { take: () => Promise.reject(refuse("cancellation.own")) },
    "cancellation.own",
  ],
])("%s is refused, and nothing is written", async (_what, row, more, reason) => {
  const { steps, parts, done } = lampWith(row);
  await expect(steps.act(parts, { ...person, event: "turn_on", ...more })).rejects.toMatchObject({ reason });
  expect(done).toEqual(["find 7"]);
});

test("what somebody may do is the table's events for the row's kind without those that a guard holds off", async () => {
  const { steps, parts } = lampWith(undefined);
  expect(await steps.may(parts, by, standing, "person")).toEqual(["turn_on", "hit"]);
  expect(await steps.may({ isNight: false }, by, standing, "person")).toEqual(["hit"]);
  expect(await steps.may(parts, by, { ...standing, color: "green", locked: true }, "person")).toEqual([]);
  expect(await steps.may(parts, by, { ...standing, state: "on" }, "clock")).toEqual(["burn"]);
});
