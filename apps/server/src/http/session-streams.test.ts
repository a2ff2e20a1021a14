import { afterEach, expect, test, vi } from "vitest";
import { sessionNamed } from "../../../../tests/harness/streams.ts";
import { memoryBus } from "../providers/bus.ts";
import type { EventStream } from "./event-stream.ts";
import { reachText } from "./session.ts";
import { createSessionCheck } from "./session-streams.ts";

afterEach(() => void vi.useRealTimers());

/** A stream that runs until it is ended. */
function opened() {
  const ending = new AbortController();
  const stream: EventStream = {
    send: async () => undefined,
    end: () => ending.abort(),
    signal: ending.signal,
  };
  const served = new Promise<void>((resolve) => ending.signal.addEventListener("abort", () => resolve()));
  return { stream, serve: () => served };
}

test("the check of sessions ends the streams of ended ones and of those that reach other rows, and none that opened while it asked", async () => {
  vi.useFakeTimers();
  const asked: { sessions: readonly string[]; answer: (living: ReadonlyMap<string, string>) => void }[] = [];
  const check = createSessionCheck({
    bus: memoryBus(),
    versionsOfSessions: async (sessions) => new Map(sessions.map((id) => [id, "1"])),
    reachOfSessions: (sessions) => new Promise((answer) => asked.push({ sessions, answer })),
  });
  const [ended, living, narrowed, late] = [opened(), opened(), opened(), opened()];
  const wide = sessionNamed("narrowed");
  void check.watch(sessionNamed("ended"), ended.stream, ended.serve);
  void check.watch(sessionNamed("living"), living.stream, living.serve);
  void check.watch(wide, narrowed.stream, narrowed.serve);
  await vi.advanceTimersByTimeAsync(3000);
  expect(asked.map(({ sessions }) => sessions)).toEqual([["ended", "living", "narrowed"]]);
  void check.watch(sessionNamed("late"), late.stream, late.serve);
  const own = { ...wide, rows: { all: false, departmentIds: [], own: true } };
  asked[0]?.answer(new Map([sessionNamed("living"), own].map((session) => [session.id, reachText(session)])));
  await vi.advanceTimersByTimeAsync(1);
  expect([ended, living, narrowed, late].map(({ stream }) => stream.signal.aborted)).toEqual([
    true,
    false,
    true,
    false,
  ]);
  check.stop();
});

test("a change between the opening and the first check, or while that asks, ends the stream", async () => {
  vi.useFakeTimers();
  let version = "1";
  let reaches: "wide" | "own" = "wide";
  const wide = sessionNamed("s");
  const reachOf = { wide, own: { ...wide, rows: { all: false, departmentIds: [], own: true } } };
  let meanwhile = (): void => undefined;
  const check = createSessionCheck({
    bus: memoryBus(),
    versionsOfSessions: async () => new Map([["s", version]]),
    reachOfSessions: async () => {
      const read = new Map([["s", reachText(reachOf[reaches])]]);
      meanwhile();
      return read;
    },
  });
  const [before, during] = [opened(), opened()];
  void check.watch(wide, before.stream, before.serve);
  reaches = "own";
  version = "2";
  await vi.advanceTimersByTimeAsync(3000);
  expect(before.stream.signal.aborted).toBe(true);
  reaches = "wide";
  void check.watch(wide, during.stream, during.serve);
  meanwhile = () => {
    reaches = "own";
    version = "3";
  };
  await vi.advanceTimersByTimeAsync(3000);
  expect(during.stream.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(3000);
  expect(during.stream.signal.aborted).toBe(true);
  check.stop();
});
