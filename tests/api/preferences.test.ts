import { preferenceLimits } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const submit = (token: string, body: unknown) =>
  app.call({ method: "POST", path: "/api/muyuan-system/preference/submit", body, token });
const listOf = async (token: string): Promise<Record<string, string>> => {
  const { body } = await app.get<{ key: string; value: string }[]>("/api/muyuan-system/preference/list", token);
  return Object.fromEntries(body.data.map(({ key, value }) => [key, value]));
};

test("a choice follows its account to another session, and nobody else", async () => {
  const [one, two, other] = [await app.logIn("farm"), await app.logIn("farm"), await app.logIn("chenxiao")];
  expect((await submit(one, { key: "list.dept", value: '{"density":"compact"}' })).status).toBe(200);
  expect(await listOf(two)).toEqual({ "list.dept": '{"density":"compact"}' });
  expect(await listOf(other)).toEqual({});
  await submit(other, { key: "list.dept", value: '{"density":"regular"}' });
  await submit(two, { key: "list.dept", value: '{"density":"barn"}' });
  expect(await listOf(one)).toEqual({ "list.dept": '{"density":"barn"}' });
  expect(await listOf(other)).toEqual({ "list.dept": '{"density":"regular"}' });
  await submit(one, { key: "list.dept", value: "" });
  expect(await listOf(two)).toEqual({});
});

test("what is no JSON, too large or under a strange key is refused and kept nowhere", async () => {
  const token = await app.logIn("liuyang");
  const refused = [
    { key: "list.dept", value: "{broken" },
    { key: "list.dept", value: JSON.stringify("x".repeat(preferenceLimits.valueBytes)) },
    // Fewer characters than the bound, more bytes.
    { key: "list.dept", value: JSON.stringify("猪".repeat(preferenceLimits.valueBytes / 2)) },
    { key: "../etc", value: "1" },
    { key: "", value: "1" },
    { value: "1" },
  ];
  for (const body of refused) expect((await submit(token, body)).status, JSON.stringify(body).slice(0, 60)).toBe(400);
  expect(await listOf(token)).toEqual({});
});

test("an account keeps at most 200 keys, however they arrive", async () => {
  const token = await app.logIn("wangzq");
  const keys = Array.from({ length: preferenceLimits.keys + 20 }, (_, index) => `list.r${index}`);
  const answers = await Promise.all(keys.map((key) => submit(token, { key, value: "1" })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(preferenceLimits.keys);
  expect(Object.keys(await listOf(token))).toHaveLength(preferenceLimits.keys);
  // One that is held may still change.
  const [held] = Object.keys(await listOf(token));
  expect((await submit(token, { key: held, value: "2" })).status).toBe(200);
});
