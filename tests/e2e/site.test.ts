import type { ArticleEntry, Page as Rows } from "@herdwise/contract";
import pg from "pg";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { writePdf } from "../../apps/server/src/modules/product-documents/index.ts";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { chinese, english, write } from "../harness/content-blocks.ts";
import { openPage, usePortal } from "../harness/portal.ts";
import { basic, tokenOfDemo } from "../harness/session.ts";
import { smallTargets } from "../harness/targets.ts";
import { isInTurn } from "../harness/volume.ts";

const portal = usePortal();
const { bytes: paper } = await writePdf({
  title: "Paper P1",
  titleEn: "Paper P1",
  line: "Manual",
  version: "A",
  example: "",
  sections: [
    {
      title: "Care",
      titleEn: "Care",
      blocks: [
        { block: "text", text: "Dry the hygrometer." },
        { block: "points", points: Array.from({ length: 40 }, (_, at) => `Point ${at}`) },
      ],
    },
  ],
});
const api = "/api/muyuan-content/article";

/** Adds an article with text by the API, as the list and the editor do; the title is Latin, for other tests look for Chinese. @returns its id */
async function written(title: string, more: Record<string, unknown> = {}): Promise<string> {
  const { access_token: token } = await tokenOfDemo(portal.address, "admin");
  const headers = { Authorization: basic, "Muyuan-Auth": `bearer ${token}`, "Content-Type": "application/json" };
  const post = async (verb: string, body: object) => {
    const answer = await fetch(`${portal.address}${api}/${verb}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { data: { id: string; version: number } }).data;
  };
  const row = await post("submit", { title, channel: "news", topic: "company", summary: `Says ${title}`, ...more });
  await post("write", {
    id: row.id,
    version: row.version,
    body: "<h2>第一节</h2><p>正文在此。</p><h2>第二节</h2><p>还有。</p>",
  });
  return row.id;
}

async function newestId(channel: string): Promise<string> {
  const answer = await fetch(`${portal.address}${api}/skip-secure/page?channel=${channel}`, {
    headers: { Authorization: basic },
  });
  const { data } = (await answer.json()) as { data: Rows<ArticleEntry> };
  return data.records[0]?.id ?? "";
}

const statusOf = async (path: string): Promise<number> => (await fetch(`${portal.address}${path}`)).status;
/** Asked without cookies, so it is the page that is kept for everybody. */
const textOf = async (path: string): Promise<string> => (await fetch(`${portal.address}${path}`)).text();

const widerThanScreen = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - window.innerWidth");

describe.skipIf(foundBrowser === undefined)("the public site", () => {
  test("says what a machine wrote, in that language, and keeps it out of search engines until somebody has read it", async () => {
    const { access_token: token } = await tokenOfDemo(portal.address, "admin");
    const headers = { Authorization: basic, "Muyuan-Auth": `bearer ${token}`, "Content-Type": "application/json" };
    const post = async (verb: string, body: object) => {
      const answer = await fetch(`${portal.address}${api}/${verb}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      expect(answer.status).toBe(200);
      return ((await answer.json()) as { data: { article?: { version: number }; version: number } }).data;
    };
    const id = await written("Machine words", { titleEn: "Words of a machine", summaryEn: "Made" });
    const versionNow = async () => {
      const answer = await fetch(`${portal.address}${api}/content?id=${id}`, { headers });
      return ((await answer.json()) as { data: { version: number } }).data.version;
    };
    await post("write", { id, version: await versionNow(), bodyEn: "<p>Made by a machine.</p>" });
    const database = new pg.Client({ connectionString: portal.databaseUrl });
    await database.connect();
    await database.query("update articles set unreviewed = '{titleEn,bodyEn}', version = version + 1 where id = $1", [
      id,
    ]);
    await database.end();
    await post("publish", { id, version: await versionNow() });
    const page = `/news/detail?id=${id}`;
    const noindex = '<meta name="robots" content="noindex"';
    const [en, zh] = [await textOf(`${page}&lang=en`), await textOf(page)];
    expect(en).toContain("Made by a machine.");
    expect(en).toContain(noindex);
    expect(en).toMatch(/data-machine="">.*nobody has checked it yet/s);
    expect([zh.includes(noindex), zh.includes("data-machine"), zh.includes('rel="alternate" hrefLang="en"')]).toEqual([
      false,
      false,
      false,
    ]);
    expect(await textOf("/news?lang=en")).toMatch(/class="example-mark">Machine translation<.*Words of a machine/s);
    await post("write", { id, version: await versionNow(), reviewed: ["titleEn", "bodyEn"] });
    await post("publish", { id, version: await versionNow() });
    const read = await textOf(`${page}&lang=en`);
    expect([read.includes(noindex), read.includes("data-machine")]).toEqual([false, false]);
    expect(read).toContain('rel="alternate" hrefLang="en"');
  });

  test("is read without any script, in both languages, also on a phone", async () => {
    const context = await portal.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    const { page } = await openPage(context);
    const detail = `/informationDetails?id=${await newestId("information")}`;
    const pages = [
      ["/information", "养殖资讯", "Knowledge"],
      ["/news", "集团动态", "News"],
      [
        detail,
        "最小通风：冬天关死风机，省下的是小钱",
        "Minimum ventilation: shutting the fans off in winter saves only pennies",
      ],
      ["/solution/biosafety", "生物安全：把每一道门都变成记录", "Biosafety: every door becomes a record"],
      ["/service/notice", "通知公告", "Notices"],
      [
        `/service/noticeDetails?id=${await newestId("notice")}`,
        "本周六凌晨平台维护，设备照常控制",
        "Platform maintenance this Saturday night; devices keep control",
      ],
      ["/service/productServiceList", "服务项目", "Services"],
      ["/service/productApply", "申请服务", "Request a service"],
      ["/service/productInfo", "产品资料", "Product documents"],
      ["/service/videos", "视频", "Videos"],
      ["/partner", "合作伙伴", "Partners"],
      ["/legal/privacy", "隐私政策", "Privacy policy"],
    ] as const;
    for (const [path, zh, en] of pages) {
      for (const [language, title] of [
        ["zh", zh],
        ["en", en],
      ] as const) {
        const answer = await page.goto(`${portal.address}${path}${path.includes("?") ? "&" : "?"}lang=${language}`);
        expect(answer?.status(), path).toBe(200);
        expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(title);
        expect(await page.title()).toContain(title);
        expect(await page.locator("html").getAttribute("lang")).toBe(language === "zh" ? "zh-CN" : "en");
        expect(await page.locator("script[src]").count()).toBe(1);
        const canonical = `${path}${language === "en" ? `${path.includes("?") ? "&" : "?"}lang=en` : ""}`;
        expect(await page.locator("link[rel=canonical]").getAttribute("href")).toMatch(
          new RegExp(`${canonical.replace(/[?]/g, "\\?")}$`),
        );
        expect(await page.locator("link[hreflang=en]").count()).toBeGreaterThan(0);
        expect(await widerThanScreen(page), `${path} in ${language}`).toBeLessThanOrEqual(0);
      }
    }
    await page.goto(`${portal.address}/information?lang=zh`);
    await page.getByRole("link", { name: "生物安全", exact: true }).first().click();
    await expect.poll(() => page.locator(".article-item").count()).toBe(5);
    await page.goto(`${portal.address}/search?lang=zh`);
    await page.getByLabel("要找的词").fill("电导率");
    await page.getByRole("button", { name: "搜索" }).click();
    await page.getByRole("heading", { name: "除臭塔的水什么时候换：看电导率，不看日历" }).waitFor();
    await context.close();
  });

  test("a visitor who does not want to be counted says so once, and is not", async () => {
    const context = await portal.newContext({ viewport: { width: 390, height: 844 } });
    const { page, problems } = await openPage(context);
    // A beacon of a page that goes away is not among the browser's events.
    await context.addInitScript(`{
      const send = navigator.sendBeacon.bind(navigator);
      navigator.sendBeacon = (...given) => {
        localStorage.setItem("beacons", Number(localStorage.getItem("beacons")) + 1);
        return send(...given);
      };
    }`);
    const told = () => page.evaluate(() => Number(localStorage.getItem("beacons")));
    await page.goto(`${portal.address}/index`);
    await page.getByRole("link", { name: "隐私选择" }).click();
    const box = page.getByRole("checkbox", { name: "计入我的访问" });
    await box.waitFor();
    await expect.poll(async () => (await box.boundingBox())?.y).toBeLessThan(844);
    expect(await box.isChecked()).toBe(true);
    expect(await told()).toBe(1);
    await box.uncheck();
    await page.getByText("不再计入您的访问").waitFor();
    expect(await smallTargets(page, ".choice", "label")).toEqual([]);
    await page.goto(`${portal.address}/news`);
    await page.goto(`${portal.address}/legal/privacy`);
    await box.waitFor();
    expect(await box.isChecked()).toBe(false);
    expect(await told()).toBe(1);
    await box.check();
    await page.goto(`${portal.address}/news`);
    expect(await told()).toBe(2);
    expect(problems).toEqual([]);
    await context.close();
  });

  test("claims what the product claims, where it belongs", async () => {
    const biosafety = await textOf("/solution/biosafety");
    expect(biosafety).toMatch(/85\s℃[^<]*8\s分\u2060?钟/);
    expect(biosafety).toMatch(/200\s公\u2060?里直供/);
    for (const page of [
      "wisdom",
      "evcManure",
      "ammoniaDeodorization",
      "highStandardFarmland",
      "environmentalControl",
      "pigFarmDesign",
      "feedMill",
      "farmMonitoring",
      "parkMonitoring",
    ])
      expect(await statusOf(`/solution/${page}`), page).toBe(200);
  });

  test("has nothing that axe finds, light and dark", async () => {
    const detail = `/informationDetails?id=${await newestId("information")}`;
    const ways = [
      ["zh", "light", 1366],
      ["en", "dark", 390],
    ] as const;
    for (const [way, [language, colorScheme, width]] of ways.entries()) {
      const context = await portal.newContext({ colorScheme, viewport: { width, height: 900 } });
      const { page, problems } = await openPage(context);
      const pages = [
        "/index",
        "/information",
        detail,
        "/solution/environmentalControl",
        "/partner",
        "/service/notice",
        "/service/productService",
        "/service/productApply",
        "/service/videos",
        "/search?q=%E6%B0%A8",
      ];
      const chosen = pages.filter((_, at) => at === 0 || isInTurn(at - way, ways.length));
      for (const path of chosen) {
        await page.goto(`${portal.address}${path}${path.includes("?") ? "&" : "?"}lang=${language}`);
        expect(await violationsOf(page), `${path} ${language}`).toEqual([]);
      }
      expect(problems).toEqual([]);
      await context.close();
    }
  });

  test("answers what is not there with a page that says so", async () => {
    for (const path of [
      "/informationDetails?id=1",
      "/informationDetails?id=x'",
      "/informationDetails",
      "/news/detail?id=99999999999999999999",
      "/news?page=99",
      "/solution/nothing",
      "/legal/biosafety",
      "/preview?token=x",
    ])
      expect(await statusOf(path), path).toBe(404);
    // An article is at its own address alone.
    expect(await statusOf(`/news/detail?id=${await newestId("information")}`)).toBe(404);
  });

  test("what somebody adds to an address reaches no page that others are shown", async () => {
    for (const path of ["/information?x=", "/index?x=", "/solution/wisdom?x="]) {
      const page = await textOf(`${path}${encodeURIComponent('"><i>planted')}`);
      expect(page).not.toContain("planted");
      expect(await textOf(path.split("?")[0] ?? "")).not.toContain("planted");
    }
    expect(await textOf(`/search?q=${encodeURIComponent('"><script>planted')}`)).not.toContain("<script>planted");
  });

  test("a draft is seen by nobody; once it is published, within a second by everybody, until it is withdrawn", async () => {
    const title = "Nobody sees D1";
    const id = await written(title);
    const address = `/news/detail?id=${id}`;
    expect(await statusOf(address)).toBe(404);
    // The list is kept from now on.
    expect(await textOf("/news")).not.toContain(title);
    const context = await portal.signedIn("admin");
    const { page, problems } = await openPage(context);
    await page.goto(`${portal.address}/content/article/editor?id=${id}`);
    await page.getByRole("button", { name: "发布…" }).click();
    await page.getByRole("button", { name: "发布", exact: true }).click();
    await page.getByRole("link", { name: "在网站上看" }).waitFor();
    const published = Date.now();
    await expect
      .poll(() => textOf("/news"), { timeout: 1000 - Math.min(500, Date.now() - published) })
      .toContain(title);
    expect(await statusOf(address)).toBe(200);
    expect(await textOf("/index")).toContain(title);
    await page.getByRole("button", { name: "撤下", exact: true }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "撤下" }).click();
    await page.getByText("已撤下").first().waitFor();
    await expect.poll(() => statusOf(address), { timeout: 1000 }).toBe(404);
    await expect.poll(() => textOf("/news"), { timeout: 1000 }).not.toContain(title);
    expect(problems).toEqual([]);
    await context.close();
  });

  test("is written side by side: paste from Word is cleaned, versions are compared and restored, a preview needs no log-in", async () => {
    const id = await written("Written in E1");
    const context = await portal.signedIn("admin", { viewport: { width: 1440, height: 900 } });
    const { page, problems } = await openPage(context);
    // Tables and ends of lists are written otherwise than they are stored; opening them is no change.
    await page.goto(`${portal.address}/content/article/editor?id=${await newestId("information")}`);
    for (const name of ["中文正文", "英文正文"])
      await page
        .getByRole("textbox", { name })
        .locator("p:last-child > br.ProseMirror-trailingBreak")
        .waitFor({ state: "attached" });
    expect(await page.getByRole("button", { name: "保存" }).isDisabled()).toBe(true);
    await page.goto(`${portal.address}/content/article/editor?id=${id}`);
    const body = page.getByRole("textbox", { name: "中文正文" });
    await body.waitFor();
    expect(await page.getByRole("button", { name: "保存" }).isDisabled()).toBe(true);
    // A line of its own at the end; the caret is where the editor says, not where the browser had it before.
    const emptyEnd = body.locator("p:last-child > br.ProseMirror-trailingBreak:only-child");
    await expect
      .poll(async () => {
        await body.click();
        await page.keyboard.press("Control+End");
        const atEnd = await page.evaluate<boolean>(`{
          const { anchorNode } = getSelection();
          const box = anchorNode?.parentElement?.closest("[contenteditable=true]");
          box?.lastElementChild.contains(anchorNode) ?? false;
        }`);
        if (atEnd && (await emptyEnd.count()) === 0) await page.keyboard.press("Enter");
        return emptyEnd.count();
      })
      .toBe(1);
    await page.keyboard.press("Control+End");
    const word =
      '<!--[if gte mso 9]><xml></xml><![endif]--><p class=MsoNormal style="color:red"><span style="font-family:宋体">从文档来的<b>一段</b>，10<sup>6</sup> 拷贝/mL，H<sub>2</sub>S，</span><span style="font-weight:700">不冲栏</span><o:p></o:p></p><p>&nbsp;</p>';
    await page.evaluate(`{
      const data = new DataTransfer();
      data.setData("text/html", ${JSON.stringify(word)});
      document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }`);
    await page.getByText(/粘贴时去掉了 \d+ 处字体与颜色、1 个空段/).waitFor();
    await page.getByRole("button", { name: "保存" }).click();
    await page.getByText("第 2 版", { exact: true }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const { access_token: token } = await tokenOfDemo(portal.address, "admin");
    const stored = await fetch(`${portal.address}${api}/content?id=${id}`, {
      headers: { Authorization: basic, "Muyuan-Auth": `bearer ${token}` },
    });
    expect(((await stored.json()) as { data: { body: string } }).data.body).toMatch(
      /<p>从文档来的<strong>一段<\/strong>，10<sup>6<\/sup> 拷贝\/mL，H<sub>2<\/sub>S，<strong>不冲栏<\/strong><\/p>$/,
    );

    await page.getByRole("button", { name: "比较" }).click();
    const dialog = page.getByRole("dialog");
    await expect
      .poll(() => dialog.locator("ins").allInnerTexts())
      .toContain("从文档来的一段，10⁶ 拷贝/mL，H₂S，不冲栏");
    await dialog.getByRole("button", { name: "恢复第 1 版" }).click();
    await page.getByRole("button", { name: "恢复", exact: true }).click();
    await page.getByText("第 3 版", { exact: true }).waitFor();
    await expect.poll(() => body.innerText()).not.toContain("从文档来的");

    await page.getByRole("button", { name: "预览" }).click();
    const path = await page.getByRole("link", { name: "中文预览" }).getAttribute("href");
    const guest = await portal.newContext({ javaScriptEnabled: false });
    const { page: shown } = await openPage(guest);
    const answer = await shown.goto(`${portal.address}${path}`);
    expect(answer?.headers()["cache-control"]).toContain("no-store");
    expect(answer?.headers()["referrer-policy"]).toBe("no-referrer");
    await shown.getByText("这是预览").waitFor();
    expect(await shown.locator('meta[name="robots"]').getAttribute("content")).toBe("noindex");
    expect(await statusOf(`/news/detail?id=${id}`)).toBe(404);
    expect(problems).toEqual([]);
    await guest.close();
    await context.close();
  });

  test("one picked step of a solution dims the others and failures are told, without script", async () => {
    const context = await portal.newContext({ javaScriptEnabled: false, viewport: { width: 1440, height: 900 } });
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/solution/ammoniaDeodorization`);
    const how = page.getByRole("group", { name: "看哪一步" });
    const step = how.getByRole("listitem").nth(1);
    const opacities = () =>
      page.evaluate(
        "[...document.querySelectorAll('.how .station')].map((station) => Number(getComputedStyle(station).opacity))",
      );
    expect(await opacities()).toEqual([1, 1, 1, 1, 1]);
    await how.getByRole("radio", { name: "洗涤塔" }).check();
    await expect.poll(opacities).toEqual([0.22, 1, 0.22, 0.22, 0.22]);
    const failure = step.getByText("填料堵了：压降升高就告警，先冲洗。");
    expect(await failure.isVisible()).toBe(false);
    await how.getByRole("checkbox", { name: "出故障时" }).check();
    expect(await failure.isVisible()).toBe(true);
    expect(await how.locator("svg .failed:visible").count()).toBe(5);
    await how.getByRole("radio", { name: "五步都看" }).check();
    await expect.poll(opacities).toEqual([1, 1, 1, 1, 1]);
    await context.close();
  });

  test("an editor publishes a bilingual article with a picture pasted from Word and schedules another; a phone reads it without script", async () => {
    const [id, later] = [await written("Bilingual B1"), await written("Scheduled S1")];
    const context = await portal.signedIn("admin", { viewport: { width: 1440, height: 900 } });
    const { page, problems } = await openPage(context);
    await page.goto(`${portal.address}/content/article/editor?id=${id}`);
    const zh = page.getByRole("textbox", { name: "中文正文" });
    await zh.waitFor();
    const png = await sharp({ create: { width: 1200, height: 700, channels: 3, background: "#2f7d5b" } })
      .png()
      .toBuffer();
    const html =
      '<p class=MsoNormal>图从文档来。<a href="/news/gone">旧消息</a></p><p class=MsoNormal><img width=600 height=350 src="file:///C:/Temp/clip_image002.png" v:shapes="p1"></p>';
    const rtf = `{\\rtf1{\\*\\shppict{\\pict\\pngblip\n${png.toString("hex")}}}{\\nonshppict{\\pict\\wmetafile8 0100}}}`;
    await zh.click();
    await page.keyboard.press("Control+End");
    await page.evaluate(`{
      const data = new DataTransfer();
      data.setData("text/html", ${JSON.stringify(html)});
      data.setData("text/rtf", ${JSON.stringify(rtf)});
      document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }`);
    await page.getByText("带来了 1 张图片。").waitFor();
    const words = page.getByLabel("替代文字");
    await words.waitFor();
    await page.getByText("1 张图片还没有替代文字").waitFor();
    expect(await page.getByRole("button", { name: "发布…" }).isDisabled()).toBe(true);
    await words.fill("湿帘一侧的进风口");
    // What leads nowhere is told beside the text and where it stands.
    await page.getByText("链接 /news/gone 打不开：本站没有这一页").waitFor();
    expect(await zh.locator('[title^="链接 /news/gone"]').innerText()).toBe("旧消息");

    await page.getByRole("textbox", { name: "英文标题" }).fill("Bilingual B1 in English");
    await page.getByRole("textbox", { name: "英文摘要" }).fill("What it says");
    await page.getByRole("textbox", { name: "英文正文" }).click();
    await page.keyboard.type("Words in English.");
    await page.keyboard.press("Enter");
    await page
      .getByRole("toolbar", { name: "英文正文的格式" })
      .getByRole("button", { name: "图片", exact: true })
      .click();
    await page.getByRole("dialog").getByRole("button", { name: "湿帘一侧的进风口" }).click();
    await words.nth(1).fill("The inlet beside the pads");
    await page.getByText("图片都有替代文字").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "发布…" }).click();
    await page.getByText("有 1 个链接有问题").waitFor();
    await page.getByRole("button", { name: "发布", exact: true }).click();
    await page.getByRole("link", { name: "在网站上看" }).waitFor();

    const phone = await portal.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    const { page: reader } = await openPage(phone);
    for (const [language, alt] of [
      ["zh", "湿帘一侧的进风口"],
      ["en", "The inlet beside the pads"],
    ] as const) {
      await reader.goto(`${portal.address}/news/detail?id=${id}&lang=${language}`);
      const shown = reader.getByRole("img", { name: alt });
      await shown.scrollIntoViewIfNeeded();
      const seen = () =>
        shown.evaluate((image) => {
          const { naturalWidth, width, height, currentSrc } = image as unknown as Record<string, number | string>;
          return { naturalWidth, ratio: Number(width) / Number(height), currentSrc };
        });
      await expect.poll(async () => (await seen()).naturalWidth).toBeGreaterThan(300);
      const { ratio, currentSrc } = await seen();
      expect(ratio).toBeCloseTo(1200 / 700, 1);
      // A phone of 390 px at one pixel each needs no more.
      expect(currentSrc).toMatch(/\/480\.webp$/);
      expect(await widerThanScreen(reader)).toBeLessThanOrEqual(0);
    }
    await phone.close();

    await page.goto(`${portal.address}/content/article/editor?id=${later}`);
    await page.getByRole("button", { name: "定时", exact: true }).click();
    await page.getByRole("button", { name: "定时发布…" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "定时" }).click();
    await page.getByText(/发布$/).first().waitFor();
    await page.getByRole("button", { name: "取消定时" }).waitFor();
    expect(await statusOf(`/news/detail?id=${later}`)).toBe(404);
    expect(problems).toEqual([]);
    await context.close();
  });

  test("arrange the home page: a section moves, another is hidden, words in both languages, published, and an older version back", async () => {
    const context = await portal.signedIn("admin", { viewport: { width: 1440, height: 900 } });
    const { page, problems } = await openPage(context);
    await page.goto(`${portal.address}/content/home`);
    const night = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "有无平台的对比" }) });
    await page.getByRole("button", { name: "上移：有无平台的对比" }).click();
    await page.getByRole("switch", { name: "显示：标准数字" }).uncheck();
    await night.getByText("用标准文字").click();
    const zh = night.getByRole("textbox", { name: "标题 中文" });
    expect(await zh.getAttribute("placeholder")).toBe("{time}，一台风机停了。");
    await zh.fill("夜里 {time}，风机停了");
    await page.getByText("“有无平台的对比”只写了一种语言").waitFor();
    expect(await page.getByRole("button", { name: "发布…" }).isDisabled()).toBe(true);
    await night.getByRole("textbox", { name: "标题 English" }).fill("{time}, a fan stops");
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "发布…" }).click();
    await page.getByRole("button", { name: "发布", exact: true }).click();
    await page.getByText("已发布", { exact: true }).first().waitFor();
    const phone = await portal.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    const { page: reader } = await openPage(phone);
    await reader.goto(`${portal.address}/index`);
    await reader.getByRole("heading", { name: /^夜里 \d\d:\d\d，风机停了$/ }).waitFor();
    expect(await reader.locator("#night + .vals").count()).toBe(1);
    expect(await reader.locator("#standards").count()).toBe(0);

    // What the glossary knows needs no machine, and is a proposal all the same.
    const news = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "资讯", exact: true }) });
    await news.getByText("用标准文字").click();
    await news.getByRole("textbox", { name: "标题 中文" }).fill("除臭塔");
    await news.getByRole("button", { name: "由中文翻译 (资讯 标题)" }).click();
    await news.getByRole("button", { name: "看过了，采用 (资讯 标题)" }).waitFor();
    expect(await news.getByRole("textbox", { name: "标题 English" }).inputValue()).toBe("Scrubber");
    await page.getByText("英文有 1 处机器翻译还没人看过：页面会写明，搜索引擎不收录").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "发布…" }).click();
    await page.getByRole("button", { name: "发布", exact: true }).click();
    await page.getByText("已发布", { exact: true }).first().waitFor();
    const english = `${portal.address}/index?lang=en`;
    // The word may stand on the page before; the mark comes with what was published.
    await expect.poll(() => textOf("/index?lang=en")).toContain("A machine translated the English");
    expect(await textOf("/index?lang=en")).toContain("Scrubber");
    await reader.goto(english);
    await reader.getByText("A machine translated the English of the section below").waitFor();
    expect(await reader.locator('meta[name="robots"]').getAttribute("content")).toBe("noindex");
    await news.getByRole("button", { name: "看过了，采用 (资讯 标题)" }).click();
    await news.getByRole("button", { name: "看过了，采用 (资讯 标题)" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "发布…" }).click();
    await page.getByRole("button", { name: "发布", exact: true }).click();
    await expect.poll(() => textOf("/index?lang=en")).not.toContain("noindex");
    expect(await textOf("/index?lang=en")).toContain("Scrubber");
    await reader.goto(`${portal.address}/index?lang=zh`);

    await page.getByRole("button", { name: "上移：资讯" }).click();
    await page.getByRole("button", { name: "保存" }).click();
    await page.getByText("网站上还是第 4 版").waitFor();
    await page.getByRole("button", { name: "比较" }).last().click();
    await page.getByRole("dialog").getByRole("button", { name: "恢复第 1 版" }).click();
    await page.getByRole("button", { name: "恢复", exact: true }).click();
    await page.getByText("第 6 版", { exact: true }).waitFor();
    await page.getByRole("button", { name: "换回标准版" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "换回标准版" }).click();
    await page.getByText("网站上是标准版").waitFor();
    await reader.reload();
    await reader.getByRole("heading", { name: /，一台风机停了。$/ }).waitFor();
    expect(problems).toEqual([]);
    await phone.close();
    await context.close();
  });

  test("an editor puts the same blocks on the home page, and a phone reads them without script", async () => {
    const context = await portal.signedIn("admin", { viewport: { width: 1440, height: 900 } });
    const { page, problems } = await openPage(context);
    await page.goto(`${portal.address}/content/home`);
    const section = page.locator("li").filter({ has: page.getByRole("heading", { name: "专题三" }) });
    await section.getByText("还没有写").click();
    await section.locator("#home-feature3-title").fill("冬天的氨 H1");
    await section.locator("#home-feature3-titleEn").fill("Ammonia in winter H1");
    await write(page, chinese, "专题三 正文与版块 中文");
    await write(page, english, "专题三 正文与版块 English");
    await section.getByLabel("显示：专题三").check();
    await page.getByText("专题三 · 版块都写完了").waitFor();
    expect(await violationsOf(page)).toEqual([]);

    // What is lacking is said before publishing, as in an article.
    const value = section.getByRole("textbox", { name: "专题三 正文与版块 中文" }).locator("td", { hasText: "9.5" });
    await value.click({ clickCount: 3 });
    await page.keyboard.insertText("约 9.5");
    await page.getByText("专题三 · 简体中文的曲线：“约 9.5”不是数字").waitFor();
    expect(await page.getByRole("button", { name: "发布…" }).isDisabled()).toBe(true);
    await value.click({ clickCount: 3 });
    await page.keyboard.insertText("9.5");
    await page.getByText("专题三 · 版块都写完了").waitFor();
    await page.getByRole("button", { name: "发布…" }).click();
    await page.getByRole("button", { name: "发布", exact: true }).click();
    await page.getByRole("link", { name: "在网站上看" }).waitFor();
    try {
      for (const [language, words, viewport] of [
        ["zh", chinese, { width: 390, height: 844 }],
        ["en", english, { width: 1440, height: 900 }],
      ] as const) {
        const reader = await portal.newContext({ javaScriptEnabled: false, viewport });
        const { page: seen } = await openPage(reader);
        await seen.goto(`${portal.address}/index?lang=${language}`);
        await seen.getByRole("img", { name: words.scene }).waitFor();
        const line = seen.locator("figure.curve svg:visible path.line");
        expect((await line.getAttribute("d"))?.match(/[ML]/g)).toHaveLength(words.curve.rows.length);
        expect(await seen.locator("figure.case").innerText()).toContain(words.story.words);
        expect(await seen.evaluate("document.documentElement.scrollWidth - window.innerWidth")).toBeLessThanOrEqual(0);
        await reader.close();
      }
    } finally {
      // Others look at the delivered page.
      await page.getByRole("button", { name: "换回标准版" }).first().click();
      await page.getByRole("alertdialog").getByRole("button", { name: "换回标准版" }).click();
      await page.getByText("网站上是标准版").first().waitFor();
    }
    expect(problems).toEqual([]);
    await context.close();
  });

  test("what was typed and not saved is there again after a reload, and leaving asks", async () => {
    const id = await written("Unsaved U1");
    const context = await portal.signedIn("admin");
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/content/article/editor?id=${id}`);
    await page.getByRole("textbox", { name: "中文摘要" }).fill("改到一半的摘要");
    // Longer than it takes to be kept.
    await expect
      .poll(() =>
        page.evaluate(() => Object.values({ ...localStorage }).some((value) => value.includes("改到一半的摘要"))),
      )
      .toBe(true);
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText(/已恢复/).waitFor();
    expect(await page.getByRole("textbox", { name: "中文摘要" }).inputValue()).toBe("改到一半的摘要");
    await page.getByRole("link", { name: "文章", exact: true }).first().click();
    await page.getByRole("alertdialog", { name: "还没有保存，要离开吗？" }).waitFor();
    await page.getByRole("button", { name: "放弃改动" }).click();
    await page.waitForURL(/\/content\/article$/);
    await context.close();
  });

  test("a document is uploaded, published, found by its words, looked at and fetched; a form goes to its last step and the desk closes one", async () => {
    const staff = await portal.signedIn("admin", { viewport: { width: 1440, height: 900 } });
    const { page, problems } = await openPage(staff);
    await page.goto(`${portal.address}/content/document`);
    await page.getByRole("button", { name: "新增产品资料" }).click();
    const drawer = page.getByRole("complementary", { name: /产品资料$|来单$/ });
    await page.locator("#row-documentTitle").fill("Paper P1");
    await page.locator("#row-documentTitleEn").fill("Paper P1");
    await page.locator("#row-product").selectOption({ label: "平台与网关" });
    await page.locator("#row-documentVersion").fill("A");
    await page.locator("#row-summary").fill("What it says");
    await drawer.getByRole("button", { name: "保存" }).click();
    await drawer.getByText("还没有文件").waitFor();
    await drawer.getByLabel("PDF 文件").setInputFiles({
      name: "paper.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from(paper),
    });
    await drawer.getByText("PDF，2 页").waitFor();
    await drawer.getByRole("button", { name: "发布" }).click();
    await drawer.getByRole("link", { name: "下载 PDF" }).waitFor();
    expect(await violationsOf(page)).toEqual([]);

    const context = await portal.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    const { page: guest } = await openPage(context);
    await guest.goto(`${portal.address}/service/productInfo`);
    await guest.getByLabel("要找的资料").fill("hygrometer");
    await guest.getByRole("button", { name: "搜索" }).click();
    await guest.getByRole("heading", { name: "Paper P1" }).click();
    const picture = guest.getByRole("img", { name: "Paper P1，第 1 页" });
    await expect
      .poll(() => picture.evaluate((shown) => (shown as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(900);
    expect(await widerThanScreen(guest)).toBeLessThanOrEqual(0);
    const fetched = guest.waitForEvent("download");
    await guest.getByRole("link", { name: /^下载 PDF，/ }).click();
    expect((await fetched).suggestedFilename()).toBe("Paper P1 A.pdf");

    await guest.goto(`${portal.address}/service/productApply`);
    await guest.getByLabel("怎么称呼").fill("Visitor Vera");
    await guest.getByLabel("联系电话").fill("138 0013 8000");
    await guest.getByLabel("希望哪天来").fill("2020-01-01");
    await guest.getByRole("checkbox").check();
    await guest.getByRole("button", { name: "发送申请" }).click();
    await guest.getByText("希望日期要在今天之后、一年之内").waitFor();
    expect(await guest.getByLabel("怎么称呼").inputValue()).toBe("Visitor Vera");
    await guest.getByLabel("希望哪天来").fill("");
    await guest.getByRole("button", { name: "发送申请" }).click();
    const characters = guest.getByRole("img", { name: /图中有 5 个字符/ });
    expect(
      await characters.evaluate((shown) => (shown as unknown as { naturalWidth: number }).naturalWidth),
    ).toBeGreaterThan(100);
    expect(await widerThanScreen(guest)).toBeLessThanOrEqual(0);
    await context.close();

    await page.goto(`${portal.address}/content/form?row=new`);
    expect(await page.locator("#row-formNumber").inputValue()).toMatch(/^BD-\d{6}-[0-9A-Z]{4}$/);
    await page.locator("#row-contactName").fill("Caller Cora");
    await page.locator("#row-contactPhone").fill("13800138001");
    await drawer.getByRole("button", { name: "保存" }).click();
    // The list has the room of the drawer back before something in it is clicked.
    await drawer.waitFor({ state: "detached" });
    await page.getByText("138****8001").waitFor();
    await page
      .getByRole("row", { name: /Caller Cora/ })
      .getByText(/^BD-/)
      .click();
    await drawer.waitFor();
    await drawer.getByRole("button", { name: "由我处理" }).click();
    await drawer.getByRole("button", { name: "由我处理" }).waitFor({ state: "detached" });
    await drawer.getByRole("button", { name: "看完整的联系方式" }).click();
    await drawer.getByRole("link", { name: "13800138001" }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(problems).toEqual([]);
    await staff.close();
  });
});
