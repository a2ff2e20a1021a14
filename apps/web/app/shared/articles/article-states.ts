import type { ArticleState } from "@herdwise/contract";
import type { MarkName } from "../icons/mark.tsx";

/** Shape, colour and word of each state of an article. */
export const articleStateMarks: Readonly<Record<ArticleState, { mark: MarkName; tone: string; word: string }>> = {
  draft: { mark: "notice", tone: "notice", word: "草稿" },
  scheduled: { mark: "minor", tone: "minor", word: "定时" },
  published: { mark: "ok", tone: "ok", word: "已发布" },
  withdrawn: { mark: "off", tone: "off", word: "已撤下" },
};
