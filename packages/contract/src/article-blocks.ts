import { articleCovers } from "./article-covers.ts";
import { textOfHtml } from "./html-text.ts";

/**
 * Content blocks of an article's body, each a `figure` with a caption: a drawing of the product's set, a curve and figures, which stand in
 * a table, and a customer's case in words with its figures before and after.
 */
export const articleBlockKinds = [
  ["scene", "场景图"],
  ["curve", "曲线"],
  ["figures", "关键数字"],
  ["case", "客户案例"],
] as const;
export type ArticleBlockKind = (typeof articleBlockKinds)[number][0];

/** Most curves in one block, which the colours and a phone's width tell apart. */
export const blockSeriesMax = 2;
/** Fewest and most points of a curve. */
export const blockPoints = { least: 2, most: 60 } as const;
/** Most figures in one block. */
export const blockFiguresMax = 6;

export interface ArticleBlock {
  kind: ArticleBlockKind;
  /** One of `articleCovers`; "" for the other kinds. */
  scene: string;
  /** Without markup. */
  caption: string;
  /** HTML of the caption. */
  captionHtml: string;
  /** HTML behind the caption, without empty rows of its table. */
  rest: string;
  /** Cells of its table without markup, the heading row first. */
  rows: readonly (readonly string[])[];
}

/** What is missing of a block before it can be published. */
export type BlockProblem = "caption" | "scene" | "points" | "series" | "number" | "figures" | "words";

/** Whether blocks of that name exist. */
export const isBlockKind = (kind: string): kind is ArticleBlockKind =>
  articleBlockKinds.some(([known]) => known === kind);
/** Whether a drawing of that name ships with the product. */
export const isScene = (name: string): boolean => articleCovers.some(([known]) => known === name);

const plain = (html: string): string => textOfHtml(html).replace(/\s+/g, " ");

const attributeOf = (tag: string, name: string): string => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
const figure = /<figure\b([^>]*)>([\s\S]*?)<\/figure>/g;

function blockOf(attributes: string, content: string): ArticleBlock | undefined {
  const kind = attributeOf(attributes, "data-block");
  if (!isBlockKind(kind)) return undefined;
  const [caption = "", captionHtml = ""] = /<figcaption\b[^>]*>([\s\S]*?)<\/figcaption>/.exec(content) ?? [];
  const rest = content
    .replace(caption, "")
    .replace(/<tr\b[^>]*>[\s\S]*?<\/tr>/g, (row) => (plain(row) === "" ? "" : row))
    .trim();
  return {
    kind,
    scene: kind === "scene" ? attributeOf(attributes, "data-scene") : "",
    caption: plain(captionHtml),
    captionHtml,
    rest,
    rows: [...rest.matchAll(/<tr\b[^>]*>([\s\S]*?)<\/tr>/g)].map(([, row = ""]) =>
      [...row.matchAll(/<t[hd]\b[^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = ""]) => plain(cell)),
    ),
  };
}

/** The blocks of a body in their order. @param html as the allow-list or the editor wrote it */
export const blocksIn = (html: string): ArticleBlock[] =>
  [...html.matchAll(figure)].flatMap(([, attributes = "", content = ""]) => blockOf(attributes, content) ?? []);

/** Whether nothing is written in a body: an editor writes an empty paragraph there. */
export const isEmptyBody = (html: string): boolean => plain(html) === "" && blocksIn(html).length === 0;

/** A body with its blocks put in another way. @param drawn HTML for a block */
export const withBlocks = (html: string, drawn: (block: ArticleBlock) => string): string =>
  html.replace(figure, (whole, attributes: string, content: string) => {
    const block = blockOf(attributes, content);
    return block === undefined ? whole : drawn(block);
  });

/** A number as people type it, with a minus of typography or commas between thousands; undefined for anything else. */
function numberIn(cell: string): number | undefined {
  const text = cell.replace("−", "-").replace(/(?<=\d),(?=\d{3}(?!\d))/g, "");
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

/** A curve's numbers out of its table: the first column names the points, each further one is a curve; an empty cell is a gap. */
export interface BlockCurve {
  points: readonly string[];
  series: readonly { name: string; values: readonly (number | undefined)[] }[];
}
export function curveOf({ rows: [head = [], ...rows] }: Pick<ArticleBlock, "rows">): BlockCurve {
  return {
    points: rows.map(([point = ""]) => point),
    series: head.slice(1).map((name, at) => ({ name, values: rows.map((row) => numberIn(row[at + 1] ?? "")) })),
  };
}

/** The figures of a block, each with its name, value and condition. */
export const figuresOf = ({
  rows: [, ...rows],
}: Pick<ArticleBlock, "rows">): { name: string; value: string; condition: string }[] =>
  rows
    .map(([name = "", value = "", condition = ""]) => ({ name, value, condition }))
    .filter(({ name, value, condition }) => `${name}${value}${condition}` !== "");

/**
 * What a block lacks before visitors may see it.
 * @returns undefined for a whole block; `cell` is what is no number
 */
export function blockProblem(block: ArticleBlock): { problem: BlockProblem; cell?: string } | undefined {
  if (block.caption === "") return { problem: "caption" };
  if (block.kind === "scene") return isScene(block.scene) ? undefined : { problem: "scene" };
  if (block.kind === "case") return plain(block.rest) === "" ? { problem: "words" } : undefined;
  if (block.kind === "figures") {
    const figures = figuresOf(block);
    return figures.length === 0 ||
      figures.length > blockFiguresMax ||
      figures.some(({ name, value }) => name === "" || value === "")
      ? { problem: "figures" }
      : undefined;
  }
  const cells = block.rows.slice(1).flatMap((row) => row.slice(1));
  const cell = cells.find((text) => text !== "" && numberIn(text) === undefined);
  if (cell !== undefined) return { problem: "number", cell };
  const { points, series } = curveOf(block);
  if (series.length === 0 || series.length > blockSeriesMax) return { problem: "series" };
  const isDrawn = series.every(
    ({ values }) => values.filter((value) => value !== undefined).length >= blockPoints.least,
  );
  return isDrawn && points.length <= blockPoints.most ? undefined : { problem: "points" };
}
