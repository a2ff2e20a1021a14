import { expect, test } from "vitest";
import { askTogether } from "./ask-together.ts";

test("questions that come while one is asked are asked as one afterwards, and a failure is theirs alone", async () => {
  const asked: (readonly number[])[] = [];
  const answers: PromiseWithResolvers<string>[] = [];
  const question = askTogether((questions: readonly number[]) => {
    asked.push(questions);
    const answer = Promise.withResolvers<string>();
    answers.push(answer);
    return answer.promise;
  });
  const first = [question(1), question(2)];
  await expect.poll(() => asked).toEqual([[1, 2]]);
  const later = [question(3), question(4)].map((one) => one.catch((error: Error) => error.message));
  expect(asked).toHaveLength(1);
  answers[0]?.resolve("first");
  expect(await Promise.all(first)).toEqual(["first", "first"]);
  await expect
    .poll(() => asked)
    .toEqual([
      [1, 2],
      [3, 4],
    ]);
  answers[1]?.reject(new Error("away"));
  expect(await Promise.all(later)).toEqual(["away", "away"]);
  const last = question(5);
  await expect.poll(() => asked).toHaveLength(3);
  answers[2]?.resolve("last");
  expect(await last).toBe("last");
});
