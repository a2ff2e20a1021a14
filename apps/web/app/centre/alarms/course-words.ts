import type { AlarmCourse, AlarmResolution } from "@herdwise/contract";
import { useDuration } from "../../shared/language/use-duration.ts";
import { useTranslate } from "../../shared/language/use-language.ts";

export const resolutionNames = {
  resolved: "已处理",
  "false-alarm": "误报",
  expected: "已知情况",
  other: "其他",
} as const;

export const stateNames = {
  open: "未恢复",
  suppressed: "已屏蔽",
  cleared: "已恢复",
  closed: "已关闭",
  late: "迟到数据",
  withdrawn: "已撤回",
} as const;

const actionNames = {
  raise: "告警发生",
  end: "已恢复",
  acknowledge: "确认",
  assign: "指派给 {body}",
  comment: "{body}",
  clear: "手动清除",
  close: "关闭：{body}",
  escalate: "升级到第 {body} 步",
  call: "打给 {body}",
  ask: "再次提醒",
} as const;

/** Why it asks again. */
const askWords = { time: "已知的时间到了，再次提醒", worse: "变严重了，再次提醒" } as const;

/** Says what happened to an alarm, without who did it. */
export function useCourseText(): (line: Pick<AlarmCourse, "action" | "body">) => string {
  const t = useTranslate();
  const duration = useDuration();
  const words = (body: string): string => {
    const [first = "", ...rest] = body.split(": ");
    const name = resolutionNames[first as AlarmResolution];
    return name === undefined ? body : [t(name), ...rest].join("：");
  };
  return ({ action, body }) => {
    if (action === "ask") return t(askWords[body as keyof typeof askWords] ?? actionNames.ask);
    if (action === "acknowledge" && body !== "")
      return t("确认，{time}内不再提醒", { time: duration(Number(body) * 60_000) });
    return t(actionNames[action], { body: action === "close" ? words(body) : body });
  };
}
