import { resource, text } from "@herdwise/contract/resource";
import { expect, test } from "vitest";
import { writePersonal } from "../http/personal.ts";
import type { StoredRow } from "./resource.repository.ts";
import { changedValues, readValues } from "./resource-values.ts";

const kept = resource({
  name: "kept",
  table: "kept",
  path: "/api/muyuan-test/kept",
  scope: "group",
  words: { one: "人", many: "人" },
  title: "realName",
  menu: { parent: "archives", icon: "list", path: "/kept", type: "admin", roles: [] },
  // A field without a rule that would refuse the mask.
  fields: { realName: text("姓名", { max: 20, personal: "mask-name" }), remark: text("备注", { max: 20 }) },
});

test("a mask that a form sends back is no change, and another name is", () => {
  const held = { realName: "欧阳修远", remark: "" } as Partial<StoredRow> as StoredRow & { realName: string };
  const mask = writePersonal("mask-name", held.realName);
  expect(mask).not.toBe(held.realName);
  expect(changedValues(kept, held, { realName: mask, remark: "" })).toEqual({});
  expect(changedValues(kept, held, { realName: "欧阳**", remark: mask })).toEqual({ realName: "欧阳**", remark: mask });
  expect(changedValues(kept, held, { realName: held.realName })).toEqual({});
  expect(changedValues(kept, held, { realName: "王五" })).toEqual({ realName: "王五" });
});

test("a text of before that comes back as it is stored is no change; typed anew it is one", () => {
  const held = { realName: "王五", remark: "一\u200b二 " } as Partial<StoredRow> as StoredRow;
  const changed = (sent: object) => changedValues(kept, held, readValues(kept, { ...sent }), { ...sent });
  expect(changed({ realName: "王五", remark: "一\u200b二 " })).toEqual({});
  expect(changed({ remark: "一二" })).toEqual({ remark: "一二" });
  expect(changed({ remark: "一\u200b三" })).toEqual({ remark: "一三" });
});
