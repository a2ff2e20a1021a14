import type { User } from "@herdwise/contract";
import type { MarkName } from "../icons/mark.tsx";

/** Whether somebody may sign in, and what stands in the way. */
export interface UserStanding {
  mark: MarkName;
  word: string;
}

/** The one thing about a user's log-in that matters most. */
export function standingOf({ status, locked, mustChangePassword }: User): UserStanding {
  if (status !== 1) return { mark: "off", word: "已停用" };
  if (locked) return { mark: "critical", word: "已锁定" };
  if (mustChangePassword) return { mark: "minor", word: "密码待改" };
  return { mark: "ok", word: "启用" };
}

export const sexNames: readonly (readonly [string, string])[] = [
  ["1", "男"],
  ["2", "女"],
  ["3", "未知"],
];
