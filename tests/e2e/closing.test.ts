import { randomInt } from "node:crypto";
import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { cardNumber } from "../harness/customers.ts";
import { allWays, openAs, words } from "../harness/journeys.ts";
import { openPage, usePortal } from "../harness/portal.ts";
import { volume } from "../harness/volume.ts";

const portal = usePortal();
const ways = volume({ short: allWays.slice(0, 1), long: allWays });

describe.skipIf(foundBrowser === undefined)("bank cards, my data and closing", () => {
  test("a card is bound on a phone and proven by the amount that arrived", async () => {
    await portal.copyOf("farm", "card.binder", "13800008001");
    const context = await portal.signedIn("card.binder", { viewport: { width: 390, height: 844 } });
    const { page, problems } = await openPage(context);
    await page.goto(`${portal.address}/selfCenter/safeManage`);
    await page.getByRole("button", { name: "加卡" }).click();
    await page.locator("#card-number").fill("6228480000000000001");
    await page.getByText("卡号不对，请核对 16 到 19 位数字").waitFor();
    const number = cardNumber(80_010_001, "4444");
    await page.locator("#card-number").fill(number);
    await page.locator("#card-number-hint").getByText("中国农业银行").waitFor();
    await page.locator("#card-phone").fill("13800008002");
    await page.getByRole("button", { name: "获取验证码" }).click();
    await page.locator("#card-code").fill(await portal.codeSentTo("13800008002"));
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "绑定并汇小额" }).click();
    const hint = page.getByText(/模拟汇款：账上会是/).last();
    await hint.waitFor();
    const [amount = ""] = /0\.\d\d/.exec(await hint.innerText()) ?? [];
    await page.getByLabel("收到了多少元").last().fill(amount);
    await page.getByRole("button", { name: "确认金额" }).last().click();
    await page.getByText("银行卡验证通过").first().waitFor();
    expect(await page.content()).not.toContain(number);
    expect(problems).toEqual([]);
    await context.close();
  });

  test.each(ways)(
    "who owns a farm sees what blocks closing; who does not asks, and takes it back; my data is downloaded: $lang, $width px",
    async ({ lang, width }) => {
      const { say, like } = words(lang);
      const { context: owner, page: blocked } = await openAs(portal, "farm", { lang, width });
      await blocked.goto(`${portal.address}/selfCenter/safeManage?view=cancel&kind=tenant`);
      await blocked.getByText(like("{count} 台设备还绑着")).waitFor();
      await blocked.getByText(say("上面有挡住注销的事，办完再来。")).waitFor();
      expect(await violationsOf(blocked)).toEqual([]);
      await owner.close();

      const number = String(randomInt(1e7)).padStart(7, "0");
      const phone = `1386${number}`;
      await portal.copyOf("worker", `leaver${number}`, phone);
      const { context, page, problems } = await openAs(portal, `leaver${number}`, { lang, width });
      await page.goto(`${portal.address}/selfCenter/safeManage`);
      await page.getByRole("button", { name: say("导出"), exact: true }).click();
      const fetching = page.waitForEvent("download");
      await page.getByRole("button", { name: say("下载"), exact: true }).click();
      const download = await fetching;
      expect(download.suggestedFilename()).toMatch(lang === "zh" ? /^我的数据-.*\.zip$/ : /\.zip$/);
      await page.getByRole("link", { name: say("看注销账号会影响什么") }).click();
      await page.getByText(say("我看过上面的影响")).click();
      await page.getByText(say("我已下载或不需要我的数据")).click();
      await page.locator("#closing-reason").selectOption({ index: 1 });
      // What was chosen survives a reload.
      page.on("dialog", (dialog) => void dialog.accept());
      await page.reload();
      await page.locator("#closing-reason").waitFor();
      expect(await page.locator("#closing-reason").inputValue()).not.toBe("");
      await page.getByRole("button", { name: say("获取验证码") }).click();
      await page.locator("#closing-code").fill(await portal.codeSentTo(phone));
      await page.getByRole("button", { name: say("提出注销，进入 7 天冷静期") }).click();
      await page
        .getByText(say("还有 {days} 天 {hours} 小时", { days: 6, hours: 23 }))
        .or(page.getByText(say("还有 {days} 天 {hours} 小时", { days: 7, hours: 0 })))
        .waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole("button", { name: say("取回，继续用") }).click();
      await page.getByText(say("已取回，照常使用")).waitFor();
      await page.getByRole("button", { name: say("提出注销，进入 7 天冷静期") }).waitFor();
      expect(problems).toEqual([]);
      await context.close();
    },
  );
});
