import { fill } from "./fill.ts";

/** Texts of the server with something of the moment in them, as the dictionary has them. */
export const serverPatterns: readonly string[] = [
  "{number}：{heads} 头",
  // What alarms say: alarmSentences of device-kinds, the most particular first.
  "{rule}：{span}升了 {value}（限 {limit}）",
  "{rule}：{span}降了 {value}（限 {limit}）",
  "{rule}：{what}的读数无法识别（{text}）",
  "{rule}：{what}的读数超出量程（{text}）",
  "{rule}：{what}的读数跳变（{text}）",
  "{rule}：{what}一直是 {value}",
  "{rule}：没有收到{what}的读数",
  "{rule}：{what} {value}（限 {limit}）",
  "服务器异常 ({number})",
  "{field}不能为空",
  "由{name}更新",
  "{brand}：验证邮箱",
  "{brand}：邮箱已更换",
  "{brand}：注销",
  "{brand}资讯与动态",
  "{name} 的农场",
  "导出{name}",
  "{name} 申请开通“{menu}”（{code}）。同意的话，请在其角色中勾选这个菜单，或换一个角色。",
  "没有参数“{key}”",
  "“{device}”收到指令：{command}。",
  "“{unit}”已切换为{mode}，到 {time} 自动结束，期间不告警。",
  "“{unit}”已切换为{mode}，期间不告警。",
  "“{unit}”的冲洗已到时，恢复为{mode}，照常告警。",
  "“{unit}”的冲洗已到时，恢复为{mode}，仍不告警。",
  "【测试】{unit} 的测试告警，不是真的。收到请点开消息确认，或把验证码 {code} 告诉现场的人",
  "{area} · {breed}：{day} 报 {price} 元/kg，{side}您设的 {threshold} 元/kg",
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
