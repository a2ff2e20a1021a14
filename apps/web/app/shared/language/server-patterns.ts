import { fill } from "./fill.ts";

/** Texts of the server with something of the moment in them, as the dictionary has them. */
export const serverPatterns: readonly string[] = [
  "当前用户 [{name}] 已存在!",
  "缺少必要的请求参数: {field}",
  "请求参数类型错误: {field}",
  "参数校验失败: {field}",
  "服务器异常 ({number})",
  "{field}不能为空",
  "{name} 的农场",
  "不能按此列排序，可用的列：{columns}",
  "一次最多订阅 {count} 台设备",
  "回调地址不正确：{address}",
  "回调地址必须是 https 地址（本机调试可用 http），且不含 # 和 *：{address}",
  "未知的授权范围：{scope}",
  "{name} 申请开通“{menu}”（{code}）。同意的话，请在其角色中勾选这个菜单，或换一个角色。",
];

const escaped = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, "\\$&");

const expressions = serverPatterns.map((pattern) => ({
  pattern,
  expression: new RegExp(`^${escaped(pattern).replace(/\{(\w+)\}/g, "(?<$1>.+?)")}$`, "s"),
}));

/** The translation of a text that was made from one of the patterns; what stands in it is looked up as well. */
export function translatePattern(dictionary: Readonly<Record<string, string>>, text: string): string | undefined {
  for (const { pattern, expression } of expressions) {
    const translated = dictionary[pattern];
    const found = translated === undefined ? null : expression.exec(text);
    if (translated === undefined || !found?.groups) continue;
    const values = Object.entries(found.groups).map(([name, value]) => [name, dictionary[value] ?? value]);
    return fill(translated, Object.fromEntries(values) as Record<string, string>);
  }
  return undefined;
}
