import { readFileSync } from "node:fs";
import { auditActions, resources } from "@herdwise/contract";
import {
  type AuditEntryContent,
  type AuditLookUps,
  auditSentence,
  plainSentence,
} from "@herdwise/contract/audit-sentence";
import { auditThing, auditThingNames } from "@herdwise/contract/audit-words";
import type { Field } from "@herdwise/contract/resource";
import { deviceKinds } from "@herdwise/device-kinds";
import { expect, test } from "vitest";
import { deviceWords } from "../apps/server/src/modules/audit-trail/device-words.ts";
import { declaredProcesses } from "./harness/audit-words.ts";

const english: Record<string, string> = JSON.parse(
  readFileSync(new URL("../apps/web/public/i18n/i18n_en.json", import.meta.url), "utf8"),
);
const look: AuditLookUps = {
  english: (zh) => english[zh],
  nameOf: (_of, id) => (id === "7000000000000000001" ? "那一行" : undefined),
  device: deviceWords,
};
const title = "那一行";
const base = { actorName: "张三", rowTitle: title };

/** A value that a field of this kind may have had. */
function sampleOf(field: Field): unknown {
  switch (field.kind) {
    case "number":
      return 12;
    case "switch":
      return true;
    case "choice":
    case "choices":
      return field.options?.[0]?.[0] ?? "7000000000000000001";
    case "reference":
      return "7000000000000000001";
    case "date":
    case "moment":
      return "2026-11-30 08:00:00";
    default:
      return "那一行";
  }
}

/** What of a sentence in English is Chinese, or in either language a key, an id or a structure. */
function faultsOf(entry: AuditEntryContent): string[] {
  const { sentence, details } = auditSentence(entry, look);
  const said = [
    ["zh", plainSentence(sentence, "zh")],
    ["en", plainSentence(sentence, "en")],
    ...details.flatMap(({ label, before, after }) =>
      [label, before, after].flatMap((text) =>
        text === undefined
          ? []
          : [["zh", text.zh] as const, ...(text.en === undefined ? [] : [["en", text.en] as const])],
      ),
    ),
  ] as const;
  return said.flatMap(([language, text]) => {
    const own = text.replaceAll("那一行", "").replaceAll("张三", "");
    const faults = [
      ...(own.trim() === "" && text.trim() === "" ? ["empty"] : []),
      ...(/\d{15,}/.test(own) ? ["an id"] : []),
      ...(/\b[a-z]+_[a-z_]+\b/.test(own) ? ["a key"] : []),
      ...(/\b[a-z]+[A-Z][A-Za-z]*\b/.test(own.replace(/\bpH\b|(?<=\d )\w+/g, "")) ? ["a field's name"] : []),
      ...(/[{}[\]]|undefined|\[object|null|NaN/.test(own) ? ["a structure"] : []),
      ...(/其他内容|其他操作|other content|other step/.test(own) ? ["no word"] : []),
      ...(language === "en" && /\p{Script=Han}/u.test(own) ? ["no English"] : []),
    ];
    return faults.map((fault) => `${entry.resource}.${entry.action}: ${fault}: ${text}`);
  });
}

const names = [...new Set([...resources.map(({ name }) => name), ...auditThingNames])];

test("each action on each field of everything that the trail is about is a sentence in both languages", () => {
  const faults = names.flatMap((resource) =>
    [...auditThing(resource).fields].flatMap(([field, of]) =>
      auditActions.flatMap((action) => {
        const after = sampleOf(of);
        return [
          { before: "", after },
          { before: after, after: "" },
        ].flatMap((change) => faultsOf({ ...base, resource, action, changes: [{ field, ...change }] }));
      }),
    ),
  );
  expect([...new Set(faults)]).toEqual([]);
});

test("each event of each process in each of its states is a sentence in both languages", () => {
  expect(declaredProcesses.length).toBeGreaterThan(18);
  const faults = declaredProcesses.flatMap((of) => {
    const states = Object.keys(of.states);
    return Object.keys(of.events).flatMap((event) =>
      states.flatMap((state, at) =>
        faultsOf({
          ...base,
          resource: of.name === "remittance" ? "real_name" : of.name,
          action: "update",
          changes: [
            { field: "event", before: null, after: event },
            ...(of.name === "remittance" ? [] : [{ field: "state", before: states[at - 1] ?? state, after: state }]),
          ],
        }),
      ),
    );
  });
  expect([...new Set(faults)]).toEqual([]);
});

/** A sentence of the trail in both languages. */
function say(entry: Partial<AuditEntryContent>): string[] {
  const { sentence } = auditSentence({ ...base, resource: "role", action: "update", changes: [], ...entry }, look);
  return [plainSentence(sentence, "zh"), plainSentence(sentence, "en")];
}

test("each number of each parameter and command of each kind of device is told with its unit in both languages", () => {
  const faults = Object.values(deviceKinds).flatMap(({ parameters, commands }) =>
    [...parameters, ...commands.flatMap(({ fields }) => fields)].flatMap(({ key }) =>
      faultsOf({
        ...base,
        resource: "device_parameter",
        action: "update",
        changes: [{ field: key, before: 1, after: 25 }],
      }),
    ),
  );
  expect([...new Set(faults)]).toEqual([]);
  expect(
    say({ resource: "device_parameter", action: "update", changes: [{ field: "max_rate", before: null, after: 25 }] }),
  ).toEqual([expect.stringMatching(/“25 针\/min”$/), expect.stringMatching(/highest rate to “25 shots\/min”$/)]);
});

test("a sentence says who, what, from what and to what", () => {
  const menuName = {
    ...look,
    nameOf: (of: string, code: string) => (of === "menu" && code === "alarm_export" ? "设备 · 导出" : undefined),
  };
  const granted = auditSentence(
    {
      ...base,
      rowTitle: "兽医",
      resource: "role",
      action: "grant",
      changes: [{ field: "menus", before: [], after: ["alarm_export"] }],
    },
    menuName,
  ).sentence;
  expect([plainSentence(granted, "zh"), plainSentence(granted, "en")]).toEqual([
    "张三让角色“兽医”可以使用“设备 · 导出”",
    `张三 let the role “兽医” use “${english.设备} · ${english.导出}”`,
  ]);
  expect(
    say({ resource: "user", action: "reset", changes: [{ field: "password", before: "", after: "link" }] })[0],
  ).toBe("张三重置了用户“那一行”的密码，链接发到本人已验证的手机");
  expect(
    say({ actorName: "", resource: "unit_mode", changes: [{ field: "mode", before: "washing", after: "normal" }] }),
  ).toEqual([
    "系统把单元“那一行”的运行模式由“冲洗”改为“正常饲养”",
    expect.stringMatching(/^The system changed the unit “那一行”: /),
  ]);
});

test("names that look like placeholders stay as they are, and unknown fields show neither their name nor their value", () => {
  const { sentence, details } = auditSentence(
    {
      ...base,
      rowTitle: "{0} {1}",
      resource: "role",
      action: "update",
      changes: [{ field: "secretKey_x", before: "a", after: "b_c" }],
    },
    look,
  );
  expect(plainSentence(sentence, "zh")).toBe("张三把角色“{0} {1}”的其他内容");
  expect(details).toEqual([]);
});
