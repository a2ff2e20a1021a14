import type { Job } from "@herdwise/contract";
import { expect, test } from "vitest";
import { withoutSteppingBack } from "./job-words.ts";

const job = (id: string, state: Job["state"], done = 0) => ({ id, state, done }) as Job;

test("a list that was read before a job ended does not take its end back; running ones are as the list has them", () => {
  const held = [job("1", "succeeded"), job("2", "running", 40)];
  const read = [job("3", "queued"), job("1", "running"), job("2", "running", 50)];
  expect(withoutSteppingBack(held, read)).toEqual([read[0], held[0], read[2]]);
});
