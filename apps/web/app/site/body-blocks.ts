import { type ArticleBlock, curveOf, figuresOf, isScene, withBlocks } from "@herdwise/contract/article-blocks";
import { htmlOfText } from "@herdwise/contract/html-text";
import { blockCurve, blockCurveSizes } from "../shared/drawings/block-curve.ts";
import { type SolutionName, solutionScene, solutionViewBox } from "../shared/drawings/solution-scenes.ts";
import { element } from "../shared/drawings/svg.ts";

type Translate = (text: string) => string;

const figure = (kind: ArticleBlock["kind"], ...content: readonly string[]): string =>
  element("figure", { class: `block-part ${kind}` }, content.join(""));

function drawn(block: ArticleBlock, t: Translate): string {
  const { kind, scene, caption, captionHtml, rest } = block;
  const told = element("figcaption", {}, captionHtml || " ");
  switch (kind) {
    case "scene":
      return isScene(scene)
        ? figure(
            kind,
            element(
              "svg",
              { class: "drawing cover", viewBox: solutionViewBox, role: "img", "aria-label": htmlOfText(caption) },
              solutionScene(scene as SolutionName),
            ),
            told,
          )
        : "";
    case "curve": {
      const curve = curveOf(block);
      const legend = curve.series.map(({ name }, at) =>
        element("li", { class: `s${at + 1}` }, `<i aria-hidden="true"></i>${htmlOfText(name)}`),
      );
      const charts = Object.entries(blockCurveSizes).map(([name, size]) =>
        element(
          "svg",
          { class: `block-chart ${name}`, viewBox: `0 0 ${size.width} ${size.height}`, "aria-hidden": "true" },
          blockCurve(curve, size),
        ),
      );
      return figure(
        kind,
        element("ul", { class: "legend" }, legend.join("")),
        ...charts,
        element("details", {}, `<summary>${htmlOfText(t("看表格"))}</summary>${rest}`),
        told,
      );
    }
    case "figures": {
      const items = figuresOf(block).map(
        ({ name, value, condition }) =>
          `<div><dt>${htmlOfText(name)}</dt><dd>${htmlOfText(value)}</dd>${condition === "" ? "" : `<dd class="note">${htmlOfText(condition)}</dd>`}</div>`,
      );
      return figure(kind, told, element("dl", {}, items.join("")));
    }
    case "case":
      return figure(
        kind,
        element("figcaption", {}, `<small>${htmlOfText(t("客户案例"))}</small> ${captionHtml}`),
        rest,
      );
  }
}

/**
 * A body with its content blocks drawn, by the server alone: scenes and curves reach a browser as pictures, without their code.
 * @param html as the server's allow-list wrote it
 */
export const drawnBody = (html: string, t: Translate): string =>
  import.meta.env.SSR ? withBlocks(html, (block) => drawn(block, t)) : html;
