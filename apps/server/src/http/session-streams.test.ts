import { afterEach, expect, test, vi } from "vitest";
import { memoryBus } from "../providers/bus.ts";
import type { EventStream } from "./event-stream.ts";
import { createSessionStreams } from "./session-streams.ts";

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

test("the check of sessions ends the streams of ended ones, and none that opened while it asked", async () => {
  vi.useFakeTimers();
  const asked: { sessions: string[]; answer: (living: string[]) => void }[] = [];
  const streams = createSessionStreams({
    bus: memoryBus(),
    activeSessions: (sessions) => new Promise((answer) => asked.push({ sessions, answer })),
  });
  const [ended, living, late] = [opened(), opened(), opened()];
  void streams.watch("ended", ended.stream, ended.serve);
  void streams.watch("living", living.stream, living.serve);
  await vi.advanceTimersByTimeAsync(3000);
  expect(asked.map(({ sessions }) => sessions)).toEqual([["ended", "living"]]);
  void streams.watch("late", late.stream, late.serve);
  asked[0]?.answer(["living"]);
  await vi.advanceTimersByTimeAsync(1);
  expect([ended, living, late].map(({ stream }) => stream.signal.aborted)).toEqual([true, false, false]);
  streams.stop();
});
