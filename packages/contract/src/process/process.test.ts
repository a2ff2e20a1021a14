import { describe, expect, test } from "vitest";
import { bankCardProcess } from "../bank-card-rules.ts";
import { cancellationProcess } from "../cancellation-states.ts";
import { contractProcess } from "../contract-states.ts";
import { realNameProcess, remittanceProcess } from "../real-name-states.ts";
import { workOrderProcess } from "../work-order-states.ts";
import {
  eventsFor,
  eventsOf,
  nextState,
  type ProcessDeclaration,
  process,
  processResource,
  statesOf,
} from "./index.ts";

const lamps = process({
  name: "lamp",
  kinds: ["red", "green"],
  parties: ["person", "clock"],
  start: "off",
  states: { off: "open", on: "open", broken: "over" },
  events: {
    turn_on: { by: "person", from: "off", to: "on" },
    look: { by: ["person", "clock"], from: ["off", "on", "broken"], to: "same" },
    press: {
      by: "person",
      moves: [
        { kinds: "red", from: "on", to: "off" },
        { kinds: "green", from: "on", to: "broken" },
      ],
    },
    burn: { by: "clock", from: "on", to: "broken" },
  },
});

describe("a process", () => {
  test("goes where its first fitting move leads, for the parties and kinds that it names", () => {
    expect(nextState(lamps, { state: "off" }, "turn_on", "person")).toBe("on");
    expect(nextState(lamps, { state: "off" }, "turn_on", "clock")).toBeUndefined();
    expect(nextState(lamps, { state: "on" }, "turn_on", "person")).toBeUndefined();
    expect(nextState(lamps, { state: "broken" }, "look", "clock")).toBe("broken");
    expect(nextState(lamps, { state: "on", kind: "red" }, "press", "person")).toBe("off");
    expect(nextState(lamps, { state: "on", kind: "green" }, "press", "person")).toBe("broken");
    // A row without a kind takes no transition that is limited to some kinds.
    expect(nextState(lamps, { state: "on" }, "press", "person")).toBeUndefined();
  });

  test("has states, events and what a party may do in the order of its declaration", () => {
    expect(statesOf(lamps)).toEqual(["off", "on", "broken"]);
    expect(eventsOf(lamps)).toEqual(["turn_on", "look", "press", "burn"]);
    expect(eventsFor(lamps, { state: "on", kind: "red" }, "person")).toEqual(["look", "press"]);
    expect(eventsFor(lamps, { state: "on", kind: "red" }, "clock")).toEqual(["look", "burn"]);
  });
});

describe("the rows of a process", () => {
  const asResource = (face: object) => () =>
    processResource(lamps, {
      fields: {},
      states: {
        off: { word: "关", mark: "off" },
        on: { word: "开", mark: "ok" },
        broken: { word: "坏", mark: "major" },
      },
      events: { turn_on: { word: "打开" }, look: { word: "看" }, press: { word: "按" } },
      lines: { begin: "装上", burn: "烧坏" },
      ...face,
    } as unknown as Parameters<
      typeof processResource<"lamp", "off" | "on" | "broken", "turn_on" | "look" | "press" | "burn">
    >[1]);

  test("are listed by state, with a view of what is open and one of what is over, and are written by events alone", () => {
    const { fields, views, replaced } = asResource({})();
    expect(fields.state).toMatchObject({
      kind: "choice",
      derived: true,
      options: [
        ["off", "关"],
        ["on", "开"],
        ["broken", "坏"],
      ],
    });
    expect(views.map(({ where }) => where.state)).toEqual(["off,on", "broken"]);
    expect(replaced).toContain("submit");
  });

  test("need words for each line, and no button for what the clock does", () => {
    expect(asResource({ lines: { begin: "装上" } })).toThrow("lamp.burn has no words");
    expect(
      asResource({
        events: { burn: { word: "烧" }, turn_on: { word: "打开" }, look: { word: "看" }, press: { word: "按" } },
      }),
    ).toThrow("lamp.burn is the clock's and has no button");
  });
});

describe("a declaration that is not in order is refused when it is loaded", () => {
  const declared = (more: object) => () =>
    process({
      name: "lamp",
      parties: ["person"],
      start: "off",
      states: { off: "open", on: "over" },
      events: { turn_on: { by: "person", from: "off", to: "on" } },
      ...more,
    } as ProcessDeclaration);

  test("and the one that the others differ from is in order", () => {
    expect(declared({})).not.toThrow();
  });

  test.each([
    ["a start that is no state", { start: "dim" }, "start names dim, which is not declared"],
    [
      "a move from a state that is none",
      { events: { turn_on: { by: "person", from: ["off", "dim"], to: "on" } } },
      "turn_on names dim, which is not declared",
    ],
    [
      "a move to a state that is none",
      { events: { turn_on: { by: "person", moves: [{ from: "off", to: "bright" }] } } },
      "turn_on names bright, which is not declared",
    ],
    [
      "a party that is none",
      { events: { turn_on: { by: ["person", "cat"], from: "off", to: "on" } } },
      "turn_on names cat, which is not declared",
    ],
    [
      "a kind that is none",
      { events: { turn_on: { by: "person", kinds: "red", from: "off", to: "on" } } },
      "turn_on names red, which is not declared",
    ],
    [
      "a state that nothing leads to",
      { states: { off: "open", on: "over", broken: "over" } },
      "nothing leads to broken",
    ],
    [
      "an open state that nothing leads out of",
      { states: { off: "open", on: "open" } },
      "nothing leads out of on, which is not over",
    ],
    [
      "an open state that only leads to itself",
      {
        states: { off: "open", on: "open" },
        events: {
          turn_on: { by: "person", from: "off", to: "on" },
          look: { by: "person", from: "on", to: "same" },
          stay: { by: "person", from: "on", to: "on" },
        },
      },
      "nothing leads out of on, which is not over",
    ],
    [
      "a deadline that the clock may not keep",
      { deadlines: { turn_on: { in: "off", days: 1 } } },
      "the clock may not do turn_on in off",
    ],
    [
      "two moves of an event for one row",
      {
        kinds: ["red", "green"],
        events: {
          turn_on: {
            by: "person",
            moves: [
              { from: "off", to: "on" },
              { kinds: "red", from: "off", to: "same" },
            ],
          },
        },
      },
      "turn_on from off of red has two moves",
    ],
    [
      "a receiver that is none",
      { events: { turn_on: { by: "person", from: "off", to: "on", tells: { cat: "亮了" } } } },
      "turn_on names cat, which is not declared",
    ],
    ["a receiver that is told nothing", { receivers: ["person"] }, "person is told nothing"],
    ["a party that may do nothing", { parties: ["person", "clock"] }, "clock may do nothing"],
  ])("%s", (_what, more, fault) => {
    expect(declared(more)).toThrow(fault);
  });
});

test.each([
  workOrderProcess,
  contractProcess,
  realNameProcess,
  remittanceProcess,
  cancellationProcess,
  bankCardProcess,
])("$name: each event may happen in some state by each party that it names", (of: ProcessDeclaration) => {
  const happens = eventsOf(of).filter((event) =>
    of.parties.some((party) =>
      statesOf(of).some((state) =>
        [undefined, ...(of.kinds ?? [])].some(
          (kind) => nextState(of, { state, ...(kind !== undefined && { kind }) }, event, party) !== undefined,
        ),
      ),
    ),
  );
  expect(happens).toEqual(eventsOf(of));
});

/** Never run: each declaration must fail to compile, because an unused @ts-expect-error is itself an error. */
export function wrongNames(): void {
  const parties = ["person"] as const;
  const states = { off: "open", on: "over" } as const;
  process({
    name: "lamp",
    parties,
    // @ts-expect-error no state
    start: "dim",
    states,
    events: { turn_on: { by: "person", from: "off", to: "on" } },
  });
  process({
    name: "lamp",
    parties,
    start: "off",
    states,
    // @ts-expect-error no state to come from
    events: { turn_on: { by: "person", from: ["off", "dim"], to: "on" } },
  });
  process({
    name: "lamp",
    parties,
    start: "off",
    states,
    // @ts-expect-error no state to go to
    events: { turn_on: { by: "person", moves: [{ from: "off", to: "bright" }] } },
  });
  process({
    name: "lamp",
    parties,
    start: "off",
    states,
    // @ts-expect-error no party
    events: { turn_on: { by: "cat", from: "off", to: "on" } },
  });
  process({
    name: "lamp",
    parties,
    start: "off",
    states,
    // @ts-expect-error a process without kinds has no move for one
    events: { turn_on: { by: "person", kinds: "red", from: "off", to: "on" } },
  });
  process({
    name: "lamp",
    parties,
    receivers: ["person"],
    start: "off",
    states,
    // @ts-expect-error no receiver
    events: { turn_on: { by: "person", from: "off", to: "on", tells: { cat: "亮了" } } },
  });
  // @ts-expect-error no state of the process
  nextState(lamps, { state: "dim" }, "look", "person");
  // @ts-expect-error no event of the process
  nextState(lamps, { state: "off" }, "throw", "person");
  // @ts-expect-error no party of the process
  nextState(lamps, { state: "off" }, "look", "cat");
  // @ts-expect-error no kind of the process
  nextState(lamps, { state: "off", kind: "blue" }, "look", "person");
}
