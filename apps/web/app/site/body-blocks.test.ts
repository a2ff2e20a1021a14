import { expect, test } from "vitest";
import { drawnBody } from "./body-blocks.ts";

const same = (text: string): string => text;
const row = (...cells: readonly string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
const curve = (...rows: readonly string[]) =>
  `<figure data-block="curve"><figcaption>来源</figcaption><table><tbody>${rows.join("")}</tbody></table></figure>`;
/** Paths of the first drawing. */
const linesOf = (html: string): string[] =>
  [...(html.split("</svg>")[0] ?? "").matchAll(/class="line s\d" d="([^"]*)"/g)].map(([, path = ""]) => path);

test("a curve breaks where its table has no number, and a point alone is a dot", () => {
  const html = drawnBody(
    curve(
      row("x", "a"),
      row("1", "5"),
      row("2", "6"),
      row("3", ""),
      row("4", "7"),
      row("5", ""),
      row("6", "2"),
      row("7", "3"),
    ),
    same,
  );
  expect(linesOf(html).map((path) => path.match(/[ML]/g)?.length)).toEqual([2, 2]);
  expect(html.split("</svg>")[0]?.match(/<circle/g)).toHaveLength(1);
});

test("higher values stand higher, on a scale that holds them all", () => {
  const [line = ""] = linesOf(drawnBody(curve(row("x", "a"), row("1", "−4"), row("2", "1,250")), same));
  const [low = 0, high = 0] = [...line.matchAll(/,(\d+(?:\.\d+)?)/g)].map(([, y]) => Number(y));
  expect(low).toBeGreaterThan(high);
  expect(low).toBeLessThanOrEqual(214);
  expect(high).toBeGreaterThanOrEqual(10);
});

test("what people wrote is text in drawings and names, not markup", () => {
  const wicked = "&lt;img src=x onerror=y()&gt;";
  const html = drawnBody(
    `${curve(row("x", wicked), row(wicked, "1"), row("2", "2"))}<figure data-block="scene" data-scene="environment"><figcaption>"&gt;${wicked}</figcaption></figure><figure data-block="figures"><figcaption>数</figcaption><table><tbody>${row("a", "b", "c")}${row(wicked, wicked, wicked)}</tbody></table></figure>`,
    same,
  );
  expect(html).not.toContain("<img");
  expect(html).toContain('aria-label="&quot;&gt;&lt;img');
});

test("figures and a case keep their words; another figure stays as it is", () => {
  const html = drawnBody(
    `<figure><p>别的</p></figure><figure data-block="figures"><figcaption>数</figcaption><table><tbody>${row("名", "值", "条件")}${row("除氨", "92 %", "")}</tbody></table></figure><figure data-block="case"><figcaption>某场</figcaption><p>做法</p></figure>`,
    same,
  );
  expect(html).toContain("<figure><p>别的</p></figure>");
  expect(html).toContain("<dl><div><dt>除氨</dt><dd>92 %</dd></div></dl>");
  expect(html).toContain("<figcaption><small>客户案例</small> 某场</figcaption><p>做法</p>");
});
