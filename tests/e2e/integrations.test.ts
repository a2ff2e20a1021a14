import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { allWays, openAs, words } from "../harness/journeys.ts";
import { usePortal } from "../harness/portal.ts";
import { volume } from "../harness/volume.ts";

const portal = usePortal();
const ways = volume({ short: [allWays[0], allWays.at(-1)].filter((way) => way !== undefined), long: allWays });

describe.skipIf(foundBrowser === undefined)("other systems", () => {
  test.each(ways)("a token is made, shown once, works, and is ended: $lang, $width px", async ({ lang, width }) => {
    const { say } = words(lang);
    const { context, page, problems } = await openAs(portal, "farm", { lang, width });
    await page.goto(`${portal.address}/selfCenter/safeManage`);
    const card = page.getByRole("region", { name: say("个人访问令牌") });
    await card.getByRole("button", { name: say("新建令牌") }).click();
    const name = `ERP ${lang} ${width}`;
    await page.locator("#token-name").fill(name);
    const make = page.getByRole("button", { name: say("生成令牌") });
    expect(await make.isDisabled()).toBe(true);
    await page.getByLabel(say("看设备和最新读数")).check();
    expect(await violationsOf(page)).toEqual([]);
    await make.click();
    const token = (await page.getByText(/^hwp_[0-9A-Za-z]{58}$/).textContent()) ?? "";
    expect(token).toMatch(/^hwp_[0-9A-Za-z]{58}$/);
    const read = () =>
      fetch(`${portal.address}/api/muyuan-iot/device/page`, { headers: { authorization: `Bearer ${token}` } });
    expect((await read()).status).toBe(200);
    await page.getByRole("button", { name: say("我已记下") }).click();
    const row = card.getByRole("listitem").filter({ hasText: name });
    await row.getByText(`${token.slice(0, 16)}…`).waitFor();
    expect(await page.content()).not.toContain(token.slice(16));
    await row.getByRole("button").click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: say("停用令牌"), exact: true })
      .click();
    await row.getByText(say("已停用")).waitFor();
    expect((await read()).status).toBe(401);
    expect(problems).toEqual([]);
    await context.close();
  });

  test.each(ways)(
    "a webhook gets a secret, is tried, and its log says why it failed: $lang, $width px",
    async ({ lang, width }) => {
      const { say } = words(lang);
      const { context, page, problems } = await openAs(portal, "farm", { lang, width });
      await page.goto(`${portal.address}/selfCenter/webhook?row=new`);
      const name = `MES ${lang} ${width}`;
      const drawer = page.locator("form").filter({ has: page.getByLabel(say("接收地址")) });
      await drawer.getByLabel(say("名称")).fill(name);
      await drawer.getByLabel(say("接收地址")).fill("https://127.0.0.1/in");
      await drawer.getByText(say("发生告警")).click();
      await page.getByRole("button", { name: say("保存"), exact: true }).click();
      await page
        .getByRole("button", { name: say("生成密钥") })
        .last()
        .click();
      const secret = (await page.getByText(/^whsec_/).textContent()) ?? "";
      expect(secret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/);
      await page.getByRole("button", { name: say("我已记下") }).click();
      await page.getByText(name).first().click();
      await page.getByRole("button", { name: say("发测试消息") }).click();
      const sent = page
        .getByRole("listitem")
        .filter({ hasText: say("测试") })
        .first();
      await sent.getByText(say("没有送达")).waitFor();
      await sent.getByText(say("测试"), { exact: true }).click();
      await sent.getByText(say("接收地址不在互联网上，平台不访问内网")).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(problems).toEqual([]);
      await context.close();
    },
  );
});
