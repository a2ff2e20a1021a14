import type { MarkName } from "../../shared/icons/mark.tsx";

/** What each state of a planned vaccination is shown as, wherever it stands. */
export const planStates: Readonly<Record<string, { mark: MarkName; word: string }>> = {
  overdue: { mark: "major", word: "逾期未打" },
  today: { mark: "notice", word: "今天" },
  planned: { mark: "empty", word: "已计划" },
  done: { mark: "ok", word: "已打" },
  "done-late": { mark: "notice", word: "晚打" },
  unheard: { mark: "off", word: "注射器没有报" },
};
