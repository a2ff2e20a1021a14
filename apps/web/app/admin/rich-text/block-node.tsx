import { articleCovers } from "@herdwise/contract";
import {
  type ArticleBlock,
  type ArticleBlockKind,
  blocksIn,
  curveOf,
  isBlockKind,
  isScene,
} from "@herdwise/contract/article-blocks";
import { Fragment } from "@tiptap/pm/model";
import {
  type Editor,
  getHTMLFromFragment,
  type JSONContent,
  Node,
  NodeViewContent,
  type NodeViewProps,
  NodeViewWrapper,
  ReactNodeViewRenderer,
} from "@tiptap/react";
import { blockCurve, blockCurveSizes } from "../../shared/drawings/block-curve.ts";
import { type SolutionName, solutionScene, solutionViewBox } from "../../shared/drawings/solution-scenes.ts";
import { Select } from "../../shared/forms/select.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { blockLack, blockNames, captionHints } from "./block-words.ts";
import styles from "./rich-text.module.css";

/** What visitors will see of a scene or a curve. */
function Drawing({ block }: { block: ArticleBlock }) {
  if (block.kind === "scene")
    return isScene(block.scene) ? (
      <svg
        className="drawing"
        viewBox={solutionViewBox}
        aria-hidden="true"
        dangerouslySetInnerHTML={{ __html: solutionScene(block.scene as SolutionName) }}
      />
    ) : null;
  const { width, height } = blockCurveSizes.narrow;
  const curve = block.kind === "curve" ? blockCurve(curveOf(block), blockCurveSizes.narrow) : "";
  return curve === "" ? null : (
    <svg
      className={styles.curve}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
      // Names of points are escaped where the curve is drawn.
      dangerouslySetInnerHTML={{ __html: curve }}
    />
  );
}

/** A content block in a body: what it will look like, what it lacks, and its words and table to write in. */
function Block({ node, editor, updateAttributes, deleteNode, selected }: NodeViewProps) {
  const t = useTranslate();
  const lang = useLanguage() === "zh" ? "zh-CN" : "en";
  const [block] = blocksIn(getHTMLFromFragment(Fragment.from(node), editor.schema));
  if (block === undefined) return <NodeViewWrapper />;
  const lack = blockLack(block);
  return (
    <NodeViewWrapper className={styles.block} data-selected={selected || undefined}>
      <div className={styles.blockHead} contentEditable={false} lang={lang}>
        <b>{t(blockNames[block.kind])}</b>
        {block.kind === "scene" && (
          <Select
            aria-label={t("哪一张图")}
            value={block.scene}
            disabled={!editor.isEditable}
            options={[["", "请选择"], ...articleCovers]}
            onChange={(scene) => updateAttributes({ scene })}
          />
        )}
        <span className={`state ${lack ? "critical" : "ok"}`}>
          <Mark name={lack ? "critical" : "ok"} />
          {lack ? t(lack.text, lack.values) : t("写完了")}
        </span>
        {editor.isEditable && (
          <Button small onPress={deleteNode}>
            {t("删除版块")}
          </Button>
        )}
      </div>
      <div contentEditable={false} lang={lang}>
        <Drawing block={block} />
        <small className="mut">{t(captionHints[block.kind])}</small>
      </div>
      <NodeViewContent />
    </NodeViewWrapper>
  );
}

/** The caption of a block, which each block begins with. */
export const CaptionNode = Node.create({
  name: "caption",
  content: "inline*",
  defining: true,
  parseHTML: () => [{ tag: "figcaption" }],
  renderHTML: () => ["figcaption", 0],
});

/** Blocks of a body stand beside its paragraphs, never inside of lists, tables or other blocks. */
export const BlockNode = Node.create({
  name: "contentBlock",
  group: "contentBlock",
  content: "caption (paragraph | bulletList | orderedList | table)*",
  isolating: true,
  defining: true,
  addAttributes: () => ({
    kind: {
      default: "case",
      parseHTML: (element: HTMLElement) => element.getAttribute("data-block"),
      renderHTML: ({ kind }: { kind?: string }) => ({ "data-block": kind }),
    },
    scene: {
      default: "",
      parseHTML: (element: HTMLElement) => element.getAttribute("data-scene") ?? "",
      renderHTML: ({ scene }: { scene?: string }) => (scene ? { "data-scene": scene } : {}),
    },
  }),
  parseHTML: () => [
    {
      tag: "figure[data-block]",
      getAttrs: (element) => (isBlockKind(element.getAttribute("data-block") ?? "") ? null : false),
    },
  ],
  renderHTML: ({ HTMLAttributes }) => ["figure", HTMLAttributes, 0],
  addNodeView: () =>
    ReactNodeViewRenderer(Block, {
      // What is chosen in the head is the head's own business.
      stopEvent: ({ event }) => event.target instanceof HTMLElement && event.target.closest("select, button") !== null,
    }),
});

/** A body: paragraphs, lists, tables and pictures, and blocks between them. */
export const BodyNode = Node.create({ name: "doc", topNode: true, content: "(block | contentBlock)+" });

/** Heads of the tables that a block begins with, in the language of the body. */
const heads: Readonly<Record<"curve" | "figures" | "case", Record<"zh-CN" | "en", readonly string[]>>> = {
  curve: { "zh-CN": ["时间", "数值"], en: ["Time", "Value"] },
  figures: { "zh-CN": ["指标", "数值", "条件"], en: ["Figure", "Value", "Condition"] },
  case: { "zh-CN": ["指标", "以前", "现在"], en: ["Figure", "Before", "Now"] },
};
const beginsWithRows = 3;

const cellOf = (type: "tableHeader" | "tableCell", text = ""): JSONContent => ({
  type,
  content: [{ type: "paragraph", ...(text !== "" && { content: [{ type: "text", text }] }) }],
});
const tableOf = (head: readonly string[]): JSONContent => ({
  type: "table",
  content: [
    { type: "tableRow", content: head.map((name) => cellOf("tableHeader", name)) },
    ...Array.from({ length: beginsWithRows }, () => ({
      type: "tableRow",
      content: head.map(() => cellOf("tableCell")),
    })),
  ],
});

/** Puts an empty block behind the paragraph, list or table that is written in, ready for its caption. */
export function insertBlock(editor: Editor, kind: ArticleBlockKind, lang: "zh-CN" | "en"): void {
  const { $to, to } = editor.state.selection;
  const at = $to.depth === 0 ? to : $to.after(1);
  editor
    .chain()
    .insertContentAt(at, {
      type: BlockNode.name,
      attrs: { kind, scene: "" },
      content: [
        { type: CaptionNode.name },
        ...(kind === "case" ? [{ type: "paragraph" }] : []),
        ...(kind === "scene" ? [] : [tableOf(heads[kind][lang])]),
      ],
    })
    // The caption is the first thing in the block.
    .focus(at + 2)
    .run();
}
