import {
  type ArticleBlock,
  articleBlockKinds,
  type BlockProblem,
  blockProblem,
} from "@herdwise/contract/article-blocks";

/** What each kind of block is called. */
export const blockNames = Object.fromEntries(articleBlockKinds) as Readonly<Record<ArticleBlock["kind"], string>>;

/** What the caption of each kind is to say. */
export const captionHints: Readonly<Record<ArticleBlock["kind"], string>> = {
  scene: "说明：图里是什么",
  curve: "说明：测的是什么，哪天哪里测的",
  figures: "说明：数字从哪里来",
  case: "标题：哪家客户，做了什么",
};

const problemWords: Readonly<Record<BlockProblem, string>> = {
  caption: "说明还没写",
  scene: "还没选图",
  points: "每条曲线要有 2 到 60 个点",
  series: "名称那一列右边要有一到两列数值",
  number: "“{cell}”不是数字",
  figures: "要有 1 到 6 个数字，每个都有名称和数值",
  words: "还没写做法和结果",
};

/** What a block lacks before it can be published, as a text with its values; undefined for a whole one. */
export function blockLack(block: ArticleBlock): { text: string; values: { cell: string } } | undefined {
  const found = blockProblem(block);
  return found && { text: problemWords[found.problem], values: { cell: found.cell ?? "" } };
}
