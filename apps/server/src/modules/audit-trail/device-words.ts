import type { AuditLookUps } from "@herdwise/contract/audit-sentence";
import { type CommandField, deviceKinds, type LocalText, localUnit } from "@herdwise/device-kinds";

interface Word {
  name: LocalText;
  unit: string;
  choices: ReadonlyMap<string, LocalText>;
}

const choicesOf = (of: { choices?: readonly { value: string; name: LocalText }[] }): ReadonlyMap<string, LocalText> =>
  new Map(of.choices?.map(({ value, name }) => [value, name]));
const wordOf = ({ name, unit, ...of }: Pick<CommandField, "name" | "unit" | "choices">): Word => ({
  name,
  unit,
  choices: choicesOf(of),
});

const kinds = Object.values(deviceKinds);
const words = new Map<string, Word>(
  kinds.flatMap(({ parameters, commands }) => [
    ...commands.flatMap(({ fields }) => fields.map((field): [string, Word] => [field.key, wordOf(field)])),
    ...parameters.map((parameter): [string, Word] => [parameter.key, wordOf(parameter)]),
  ]),
);
const commands = new Map(
  kinds.flatMap((kind) => kind.commands.map(({ method, name }): [string, LocalText] => [method, name])),
);

/** Labels and values of parameters and commands of all kinds of devices, by their keys. */
export const deviceWords: AuditLookUps["device"] = {
  field: (key) => words.get(key)?.name,
  value(key, value) {
    const word = words.get(key);
    if (word === undefined) return undefined;
    if (typeof value === "boolean") return value ? { zh: "是", en: "yes" } : { zh: "否", en: "no" };
    const chosen = word.choices.get(String(value));
    if (chosen !== undefined) return chosen;
    if (typeof value === "object") return { zh: "新的内容", en: "new content" };
    if (word.unit === "") return { zh: String(value), en: String(value) };
    const unit = localUnit(word.unit, value);
    return { zh: `${value} ${unit.zh}`, en: `${value} ${unit.en}` };
  },
  command: (method) => commands.get(method),
};
