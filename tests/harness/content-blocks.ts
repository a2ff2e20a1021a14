import type { Locator, Page } from "playwright-core";

/** What an editor writes in one language. */
export interface Words {
  /** Names of the body, as the screen calls it. */
  body: string;
  paragraph: string;
  scene: string;
  curve: { head: readonly [string, string]; rows: readonly (readonly [string, string])[]; caption: string };
  story: { title: string; words: string; rows: readonly (readonly [string, string, string])[] };
}

/** The same body in two languages. */
export const chinese: Words = {
  body: "中文正文",
  paragraph: "冬天少换气，氨就高。",
  scene: "进风口和湿帘在两侧",
  curve: {
    head: ["钟点", "氨 ppm"],
    rows: [
      ["0 时", "18.5"],
      ["6 时", "21"],
      ["12 时", "9.5"],
    ],
    caption: "测试猪场 2026 年 11 月 3 日实测",
  },
  story: {
    title: "测试猪场：换了最小通风",
    words: "三周里一头没换，只改了风机的台数。",
    rows: [["氨，日均", "19 ppm", "11 ppm"]],
  },
};
export const english: Words = {
  body: "英文正文",
  paragraph: "Less air in winter means more ammonia.",
  scene: "Inlets and pads on both sides",
  curve: {
    head: ["Clock", "Ammonia ppm"],
    rows: [
      ["0:00", "18.5"],
      ["6:00", "21"],
      ["12:00", "9.5"],
    ],
    caption: "Measured at the test farm on 3 November 2026",
  },
  story: {
    title: "Test farm: another minimum ventilation",
    words: "In three weeks only the number of fans was changed.",
    rows: [["Ammonia, daily mean", "19 ppm", "11 ppm"]],
  },
};

/** Writes cells one after the other, as Tab goes through a table. */
async function typeCells(page: Page, first: Locator, rows: readonly (readonly string[])[]): Promise<void> {
  await first.click();
  const cells = rows.flat();
  for (const [at, cell] of cells.entries()) {
    await page.keyboard.insertText(cell);
    if (at < cells.length - 1) await page.keyboard.press("Tab");
  }
}

/** Writes a paragraph, a scene, a curve and a case into a body of an editor. @param name of the body's text box */
export async function write(page: Page, words: Words, name = words.body): Promise<void> {
  const body = page.getByRole("textbox", { name, exact: true });
  const tools = page.getByRole("toolbar", { name: `${name}的格式` });
  const insert = async (kind: string): Promise<void> => {
    await tools.getByRole("button", { name: "版块" }).click();
    await page.getByRole("menuitem", { name: kind, exact: true }).click();
  };
  await body.click();
  await page.keyboard.insertText(words.paragraph);
  await insert("场景图");
  await page.keyboard.insertText(words.scene);
  await body.getByRole("combobox", { name: "哪一张图" }).selectOption({ label: "通风的猪舍" });
  await insert("曲线");
  await page.keyboard.insertText(words.curve.caption);
  const curve = body.locator("table").first();
  for (const [at, name] of words.curve.head.entries()) {
    await curve.locator("th").nth(at).click({ clickCount: 3 });
    await page.keyboard.insertText(name);
  }
  await typeCells(page, curve.locator("td").first(), words.curve.rows);
  await insert("客户案例");
  await page.keyboard.insertText(words.story.title);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.insertText(words.story.words);
  await typeCells(page, body.locator("table").nth(1).locator("td").first(), words.story.rows);
}
