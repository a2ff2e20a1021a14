import { useTranslate } from "../language/use-language.ts";
import { flatten } from "../session/access.ts";
import { useAccess } from "../session/access-context.ts";

const operations: readonly (readonly [ending: string, name: string])[] = [
  ["_view", "查看"],
  ["_edit", "编辑"],
  ["_delete", "删除"],
  ["_import", "导入"],
  ["_export", "导出"],
];

/** Returns names of menus and buttons by code; a code that is not in the person's menu is shown itself. */
export function useCodeName(): (code: string) => string {
  const t = useTranslate();
  const { menu } = useAccess();
  const names = new Map(flatten(menu).map(({ code, name }) => [code, name]));
  return (code) => {
    const whole = names.get(code);
    if (whole) return t(whole);
    const [ending, operation] = operations.find(([end]) => code.endsWith(end)) ?? ["", ""];
    const owner = names.get(code.slice(0, code.length - ending.length));
    return owner && operation ? `${t(owner)} · ${t(operation)}` : code;
  };
}
