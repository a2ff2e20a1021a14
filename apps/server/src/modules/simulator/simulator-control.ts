import { severities } from "@herdwise/device-kinds";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";

/** What the simulator says of a scenario and a device (apps/simulator/src/control.ts), as far as it is read here. */
const Words = Type.Object({ zh: Type.String(), en: Type.String() });
const Catalogue = Type.Array(
  Type.Object({
    name: Type.String(),
    title: Words,
    summary: Words,
    kinds: Type.Array(Type.String()),
    lastsS: Type.Integer(),
    hastens: Type.Boolean(),
    minutes: Type.Record(Type.String(), Type.Record(Type.String(), Type.Number())),
    alarms: Type.Array(
      Type.Object({
        rule: Type.String(),
        severity: Type.Optional(Type.Enum(severities)),
        under: Type.Optional(Type.String()),
        suppressed: Type.Optional(Type.Boolean()),
      }),
    ),
  }),
);
const Status = Type.Object({
  devices: Type.Array(
    Type.Object({
      serialNumber: Type.String(),
      kind: Type.String(),
      running: Type.Array(
        Type.Object({
          scenario: Type.String(),
          speed: Type.Number(),
          startedAtMs: Type.Number(),
          endsAtMs: Type.Union([Type.Number(), Type.Null()]),
        }),
      ),
    }),
  ),
});
const Line = Type.Object({
  catalogue: Type.Optional(Catalogue),
  status: Type.Optional(Status),
  answer: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  problem: Type.Optional(Type.String()),
});

/** A simulator that does not answer within this time is taken for gone. */
const answerMs = 5000;

/**
 * Speaks with the simulator that this server started: a line of JSON each way, over its standard input and output. What it says
 * of itself is kept, so that nobody has to ask.
 */
export function createSimulatorControl() {
  let send: ((line: string) => void) | undefined;
  let catalogue: Static<typeof Catalogue> = [];
  let devices: Static<typeof Status>["devices"] = [];
  let lastId = 0;
  const waiting = new Map<number, (problem: string | undefined) => void>();

  const forget = (): void => {
    send = undefined;
    catalogue = [];
    devices = [];
    for (const tell of waiting.values()) tell("the simulator has ended");
    waiting.clear();
  };

  return {
    /** A simulator was started. @param write takes a line to it */
    attach(write: (line: string) => void): void {
      forget();
      send = write;
    },
    detach: forget,

    /** Takes a line of its output. @returns whether it was meant for this, and for no log */
    take(line: string): boolean {
      if (!line.startsWith("{")) return false;
      let said: unknown;
      try {
        said = JSON.parse(line);
      } catch {
        return false;
      }
      if (!Value.Check(Line, said)) return false;
      if (said.catalogue) catalogue = said.catalogue;
      if (said.status) devices = said.status.devices;
      if (typeof said.answer === "number") {
        waiting.get(said.answer)?.(said.problem);
        waiting.delete(said.answer);
      }
      return true;
    },

    running: (): boolean => send !== undefined && catalogue.length > 0,
    catalogue: () => catalogue,
    devices: () => devices,

    /** @returns what the simulator has against it; undefined when it is done */
    ask(what: "start" | "stop", serialNumber: string, scenario: string, speed = 1): Promise<string | undefined> {
      if (send === undefined) return Promise.resolve("the simulator does not run");
      lastId += 1;
      const id = lastId;
      const answered = new Promise<string | undefined>((resolve) => {
        const timer = setTimeout(() => {
          waiting.delete(id);
          resolve("the simulator does not answer");
        }, answerMs);
        waiting.set(id, (problem) => {
          clearTimeout(timer);
          resolve(problem);
        });
      });
      send(JSON.stringify({ id, do: what, serialNumber, scenario, speed }));
      return answered;
    },
  };
}
export type SimulatorControl = ReturnType<typeof createSimulatorControl>;
