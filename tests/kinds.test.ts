import * as contract from "@herdwise/contract";
import * as kinds from "@herdwise/device-kinds";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { expect, expectTypeOf, test } from "vitest";

const pages = kindList.flatMap((listed) => listed.pages ?? []);

test("the contract's ids of kinds are those of the declarations", () => {
  expectTypeOf<contract.DeviceKindId>().toEqualTypeOf<kinds.DeviceKindId>();
  expectTypeOf<(typeof contract.deviceKindIds)[number]>().toEqualTypeOf<keyof typeof kinds.deviceKinds>();
  expect(contract.deviceKindIds).toEqual(Object.keys(kinds.deviceKinds));
  expect(kindList.map(({ kind }) => kind)).toEqual(Object.keys(kinds.deviceKinds));
});

test("kinds with pages differ in what addresses and menu rows are made of", () => {
  expect(pages.length).toBeGreaterThan(1);
  for (const key of ["path", "code"] as const) {
    expect(new Set(pages.map((page) => page[key])).size, key).toBe(pages.length);
  }
});

test("the figures of an overview are declared values, the first of them a number", () => {
  for (const kind of Object.values(kinds.deviceKinds)) {
    const declared = [...kind.channels, ...kind.derived];
    for (const [at, figure] of (kind.pages?.figures ?? []).entries()) {
      const found = declared.find(({ key }) => key === figure);
      expect(found, `${kind.kind}: ${figure}`).toBeDefined();
      if (at === 0) expect("type" in (found ?? {}) ? (found as kinds.Channel).type : "number").toBe("number");
    }
  }
});

test("every unit in Chinese words has English ones", () => {
  for (const kind of Object.values(kinds.deviceKinds)) {
    const events = kind.events.flatMap(({ fields }) => fields);
    const commands = kind.commands.flatMap(({ fields }) => fields);
    const shown = [...kind.channels, ...kind.derived, ...kind.parameters, ...kind.analytics, ...events, ...commands];
    for (const { unit } of shown) {
      expect(kinds.localUnit(unit).en, unit).not.toMatch(/\p{Script=Han}/u);
    }
  }
});
