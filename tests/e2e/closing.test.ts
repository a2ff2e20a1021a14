import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { cardNumber } from "../harness/customers.ts";
import { openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();

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

  test("who owns a farm sees what blocks closing; who does not asks, and takes it back; my data is downloaded", async () => {
    const owner = await portal.signedIn("farm");
    const { page: blocked } = await openPage(owner);
    await blocked.goto(`${portal.address}/selfCenter/safeManage?view=cancel&kind=tenant`);
    await blocked.getByText(/台设备还绑着/).waitFor();
    await blocked.getByText("上面有挡住注销的事，办完再来。").waitFor();
    expect(await violationsOf(blocked)).toEqual([]);
    await owner.close();

    await portal.copyOf("worker", "leaver", "13800008003");
    const context = await portal.signedIn("leaver");
    const { page, problems } = await openPage(context);
    await page.goto(`${portal.address}/selfCenter/safeManage`);
    await page.getByRole("button", { name: "导出", exact: true }).click();
    const fetching = page.waitForEvent("download");
    await page.getByRole("button", { name: "下载", exact: true }).click();
    const download = await fetching;
    expect(download.suggestedFilename()).toMatch(/^我的数据-.*\.zip$/);
    await page.getByRole("link", { name: "看注销账号会影响什么" }).click();
    await page.getByText("我看过上面的影响").click();
    await page.getByText("我已下载或不需要我的数据").click();
    await page.getByRole("button", { name: "获取验证码" }).click();
    await page.locator("#closing-code").fill(await portal.codeSentTo("13800008003"));
    await page.getByRole("button", { name: "提出注销，进入 7 天冷静期" }).click();
    await page.getByText(/还有 6 天 23 小时|还有 7 天 0 小时/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "取回，继续用" }).click();
    await page.getByText("已取回，照常使用").waitFor();
    await page.getByRole("button", { name: "提出注销，进入 7 天冷静期" }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });
});
