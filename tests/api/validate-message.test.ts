import type { SmsSent } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { md5 } from "../harness/session.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const endpoint = "/api/muyuan-resource/sms/endpoint";
const good = md5("Barn-doors 7");

test.each([
  [`${endpoint}/validate-message`, "13911121001"],
  [`${endpoint}/skip-secure/validate-message`, "13911121002"],
])("%s says whether a code is right, by query and by form, and leaves it usable", async (path, phone) => {
  const sent = await app.call({
    method: "POST",
    path: `${endpoint}/skip-secure/send-validate`,
    query: { mobilePhone: phone },
    headers: await app.captcha(),
  });
  const { id } = sent.body.data as SmsSent;
  const value = /\d{6}/.exec((await app.sms(phone))[0] ?? "")?.[0] ?? "";
  const answer = await app.call({ method: "POST", path, query: { phone, id, value } });
  expect([answer.status, answer.body]).toEqual([200, { code: 200, success: true, data: {}, msg: "短信校验成功" }]);
  const form = await app.http.inject({
    method: "POST",
    url: path,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams({ phone, id, value: value === "000000" ? "000001" : "000000" }).toString(),
  });
  expect([form.statusCode, form.json()]).toEqual([
    400,
    { code: 400, success: false, data: expect.objectContaining({ reason: "verification.check" }), msg: "短信校验失败" },
  ]);
  expect((await app.call({ method: "POST", path })).body.msg).toBe("请输入正确的手机号");
  // It was only looked at: it still registers.
  const made = await app.call({
    method: "POST",
    path: "/api/muyuan-system/cms-user/skip-secure/register",
    headers: { "captcha-key": id, "captcha-code": value },
    body: { username: `checked-${phone}`, mobilePhone: phone, password: good, confirmPassword: good },
  });
  expect(made.status).toBe(200);
});
