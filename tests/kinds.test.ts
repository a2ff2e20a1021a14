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

test("every kind has pages, at the addresses of the specification where it names them", () => {
  expect(pages.length).toBe(kindList.length);
  const addresses = pages.flatMap((of) => kinds.pagesOf(of).map((page) => kinds.pageAddress(of, page)));
  const biosafety = [
    "bathRoomEquipment",
    "bathRoomEquipmentDetail",
    "athAnalysis",
    "alarmAnalysisPerson",
    "waterDisinfect",
    "waterDisinfectDetail",
    "waterDispensingMonitor",
  ];
  for (const last of biosafety) expect(addresses).toContain(`/selfCenter/biosafety/${last}`);
});

test("cards and analytics of pages are made of what the kind declares", () => {
  for (const { kind, pages: of, channels, events, analytics, parameters } of Object.values(kinds.deviceKinds)) {
    const keys = new Set(channels.map(({ key }) => key));
    for (const id of of?.keyAnalytics ?? [])
      expect(
        analytics.map((analytic) => analytic.id),
        kind,
      ).toContain(id);
    for (const part of of?.parts ?? []) {
      if (part.type === "tanks") {
        for (const { level, amount = level, daysLeft = level } of part.tanks) {
          for (const key of [level, amount, daysLeft]) expect(keys, `${kind}: ${key}`).toContain(key);
        }
      } else if (part.type === "strip") {
        const channel = channels.find(({ key }) => key === part.of);
        expect(channel?.type, `${kind}: ${part.of}`).not.toBe("number");
        for (const word of part.bad ?? [])
          expect(
            channel?.words?.map(({ value }) => value),
            kind,
          ).toContain(word);
      } else if (part.type === "grid") {
        expect(
          analytics.map(({ id }) => id),
          kind,
        ).toContain(part.analytic);
      } else if (part.type === "stays") {
        const fields = events.find(({ type }) => type === part.event)?.fields ?? [];
        for (const field of [part.from, part.to, part.partFrom, part.partS, part.of, part.good.field])
          expect(
            fields.map(({ key }) => key),
            `${kind}: ${part.event}`,
          ).toContain(field);
        expect(parameters.map(({ key }) => key)).toContain(part.leastS);
      } else {
        const fields = events.find(({ type }) => type === part.event)?.fields ?? [];
        const named = [...part.columns, part.good?.field, part.within?.field, part.least?.field];
        for (const field of named)
          if (field)
            expect(
              fields.map(({ key }) => key),
              `${kind}: ${part.event}`,
            ).toContain(field);
        const words = fields.find(({ key }) => key === part.good?.field)?.words?.map(({ value }) => value);
        for (const word of part.good?.words ?? []) expect(words, kind).toContain(word);
      }
    }
  }
});

test("kinds with pages differ in what addresses and menu rows are made of", () => {
  expect(pages.length).toBeGreaterThan(1);
  expect(new Set(pages.map(({ code }) => code)).size).toBe(pages.length);
  const addresses = pages.flatMap((of) => kinds.pagesOf(of).map((page) => kinds.pageAddress(of, page)));
  expect(addresses).not.toContain(undefined);
  expect(new Set(addresses).size).toBe(addresses.length);
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
