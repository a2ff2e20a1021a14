import type { ArticleState } from "@herdwise/contract";
import type { StateFace } from "@herdwise/contract/resource";

/** Shape, colour and word of each state of an article. */
export const articleStateMarks: Readonly<Record<ArticleState, StateFace>> = {
  draft: { word: "草稿", mark: "notice" },
  scheduled: { word: "定时", mark: "minor" },
  published: { word: "已发布", mark: "ok" },
  withdrawn: { word: "已撤下", mark: "off" },
};
