import { usualPasswordRule as rule } from "@herdwise/contract";
import { expect, test } from "vitest";
import { changeOf, draftOf, problemsOf } from "./user-draft.ts";

const stored = {
  ...draftOf(undefined, "100001"),
  account: "zhu",
  phone: "138****8000",
  realName: "六个字的 名字",
  roleIds: ["1"],
};
const sent = (typed: object) => changeOf({ ...stored, ...typed }, stored, undefined, { md5: (text) => text, rule });
const problems = (typed: object) =>
  problemsOf({ ...stored, ...typed }, stored, { isNew: false, rule, t: (text) => text });

test("what changed is checked and sent as it is stored, and what was there before stays", () => {
  expect(problems({})).toEqual({});
  expect(sent({})).toEqual({ tenantId: "100001" });
  const typed = {
    realName: "买买提•吐尔逊\u00a0",
    phone: "+86 138 0013 8000",
    email: "a@b.cn\u200b",
    name: "小\u200b朱 ",
  };
  expect(problems(typed)).toEqual({});
  expect(sent(typed)).toMatchObject({ realName: "买买提·吐尔逊", phone: "13800138000", email: "a@b.cn", name: "小朱" });
  expect(Object.keys(problems({ realName: "朱\u200b" }))).toEqual(["realName"]);
  expect(Object.keys(problems({ phone: "400-800-1234" }))).toEqual(["phone"]);
});
