import { randomInt } from "node:crypto";
import { type Page, type RealNameTask, realNameReviewPage } from "@herdwise/contract";
import { creditCheckCharacter, idCheckCharacter } from "@herdwise/contract/real-name-checks";
import { describe, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { apiOf } from "../harness/departments.ts";
import { allWays, openAs, register, words } from "../harness/journeys.ts";
import { endSession, logInAgain, usePortal } from "../harness/portal.ts";
import { picture } from "../harness/upload.ts";
import { volume } from "../harness/volume.ts";

const portal = usePortal();
const ways = volume({ short: allWays.slice(0, 1), long: allWays });

describe.skipIf(foundBrowser === undefined)("real-name authentication", () => {
  test("the desk is a list whose row opens beside it, and whose addresses can be shared", async () => {
    const { records } = await apiOf(
      portal,
      "admin",
    )<Page<RealNameTask>>(`${realNameReviewPage.path}?view=second&size=20`);
    const [second] = records;
    if (!second) throw new Error("the demo has nothing for a second look");
    const { context, page } = await openAs(portal, "admin", { lang: "zh", width: 1440 });
    const heading = page.locator("#examined-title");
    const marked = page.locator("nav [aria-current=true]").last();
    // An address of an earlier version.
    await page.goto(`${portal.address}/customer/realName?view=second&id=${second.id}`);
    await heading.filter({ hasText: second.title }).waitFor();
    await page.waitForURL((address) => address.searchParams.get("row") === second.id);
    expect(await marked.textContent()).toMatch(/^其中复核/);
    await page.locator("#examined-title:focus").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "关闭" }).click();
    await page.getByRole("table").waitFor();

    // A view of an own name stands beside the queue.
    await page.getByRole("button", { name: "把现在的条件存成视图" }).click();
    await page.getByLabel("视图名称").fill("要复核的");
    const kept = page.waitForResponse((answer) => answer.url().includes("/preference/submit"));
    await page.getByRole("button", { name: "保存" }).click();
    await kept;
    await page.waitForURL(/view=v1/);
    await page.reload();
    await page.getByRole("row", { name: second.title }).waitFor();
    await page.locator("nav [aria-current=true]", { hasText: "要复核的" }).waitFor();
    expect(await violationsOf(page)).toEqual([]);

    // By keys: into a row, and on to the next one.
    await page.getByRole("button", { name: /^待审/ }).click();
    const rows = page.locator("tbody tr[data-index]");
    await rows.nth(1).waitFor();
    const [first = "", next = ""] = await rows.locator("th button").allTextContents();
    await rows.first().focus();
    await page.keyboard.press("Enter");
    await heading.filter({ hasText: first }).waitFor();
    await page.keyboard.press("j");
    await heading.filter({ hasText: next }).waitFor();
    await page.goBack();
    await heading.filter({ hasText: first }).waitFor();
    await context.close();
  });

  test.each(ways)(
    "an enterprise from its registration on, from both sides: $lang, $width px",
    async ({ lang, width, desk: deskWidth }) => {
      const { say, like } = words(lang);
      const number = String(randomInt(1e7)).padStart(7, "0");
      // Called like what other tests register: pages of the shared portal in English may show it.
      const name = `e2e${number} 的农场`;
      const code = `91411325MA${number}`;
      const idStart = "41132519850612007";

      const { context: owner, page } = await openAs(portal, undefined, { lang, width });
      const account = { account: `owner${number}`, phone: `1372${number}`, password: demoPassword };
      await register(portal, page, account, { say });
      // The gate says what is missing, and leads there.
      await page.goto(`${portal.address}/selfCenter/equipmentManage/bindDevice`);
      await page.locator("#label-serial").fill("ENV-NOBODY-1");
      await page.locator("#label-code").fill("123456");
      await page.getByRole("button", { name: say("下一步") }).click();
      await page.getByText(say("绑定设备前请先完成实名认证")).waitFor();
      await page.getByRole("link", { name: say("去实名认证") }).click();
      await page.getByText(say("还没有认证。一般 1 个工作日内有结果。")).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole("button", { name: say("企业认证"), exact: true }).click();

      const field = (of: string) => page.locator(`#real-name-${of}`);
      await field("enterpriseName").fill(name);
      await field("creditCode").fill(code);
      await field("legalName").fill("郑有甜");
      // One character short, and said so.
      await page
        .getByText(say("信用代码为 18 位数字和大写字母，不含 I、O、S、V、Z；现在是 {count} 位", { count: 17 }))
        .waitFor();
      await field("creditCode").fill(`${code}${creditCheckCharacter(code)}`);
      await field("legalIdNumber").fill(`${idStart}${idCheckCharacter(idStart)}`);
      await page.getByText(like("草稿存于 {time}")).waitFor();
      // What was typed survives a reload; the ID number comes back shortened.
      await page.reload();
      await field("enterpriseName").waitFor();
      expect(await field("enterpriseName").inputValue()).toBe(name);
      expect(await field("legalIdNumber").inputValue()).toMatch(/^4113\*{10}\w{4}$/);
      // And the end of the session, also what was not in the draft yet.
      await endSession(page);
      await field("bankName").fill("示例农商银行");
      await logInAgain(page, say);
      expect(await field("enterpriseName").inputValue()).toBe(name);
      expect(await field("bankName").inputValue()).toBe("示例农商银行");
      const png = { name: "执照.png", mimeType: "image/png", buffer: await picture("png") };
      await page.locator("#real-name-licencePicture").setInputFiles(png);
      await page.getByText(say("已上传")).waitFor();
      await field("licenceUntil").fill("2041-03-27");
      await field("legalPhone").fill("13877770462");
      await field("contactPhone").fill("03776231234");
      await field("accountName").fill("别的名字");
      await field("bankName").fill("示例农商银行");
      await page.getByRole("button", { name: say("用企业名称") }).click();
      expect(await field("accountName").inputValue()).toBe(name);
      await field("branchName").fill("灌涨支行");
      await field("bankCode").fill("402513600021");
      const send = page.getByRole("button", { name: say("提交，去验证账户") });
      await send.click();
      // The one that is missing is named at its field.
      await page.getByText(say("请填写{label}", { label: say("对公账号") })).waitFor();
      await field("bankAccount").fill("8111 2222 3333 4444");
      expect(await violationsOf(page)).toEqual([]);
      await send.click();

      await page.getByText(say("收到了多少？")).waitFor({ timeout: 30_000 });
      await field("amount").fill("0.1");
      await page.getByRole("button", { name: say("确认金额") }).click();
      await page.getByText(say("金额不对，还能试 {left} 次。看清小数点后两位", { left: 2 })).waitFor();
      await field("amount").fill("0.01");
      await page.getByRole("button", { name: say("确认金额") }).click();
      await page.getByText(say("资料已收下，等审核")).waitFor();
      expect(await violationsOf(page)).toEqual([]);

      const { context: first, page: desk } = await openAs(portal, "admin", { lang, width: deskWidth });
      await desk.goto(`${portal.address}/customer/realName`);
      const inQueue = desk.getByRole("button", { name });
      await inQueue.click();
      await desk.getByRole("button", { name: say("领取"), exact: true }).click();
      await desk.getByText(say("我已领取")).filter({ visible: true }).first().waitFor();
      // The picture is really there.
      await expect
        .poll(() =>
          desk
            .getByRole("img", { name: say("{label}，客户上传的图片", { label: say("营业执照") }) })
            .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
        )
        .toBeGreaterThan(100);
      await desk
        .getByRole("group", { name: say("{label}的结论", { label: say("法定代表人") }) })
        .getByRole("button", { name: say("不符") })
        .click();
      await desk.locator("#document-legalName").fill("郑有田");
      await desk.locator("mark", { hasText: "甜" }).waitFor();
      expect(await violationsOf(desk)).toEqual([]);
      await desk.getByRole("button", { name: say("其余都一致") }).click();
      await desk.getByRole("button", { name: say("退回 {count} 项", { count: 1 }) }).click();
      await desk.getByText(say("已退回，客户会收到消息")).waitFor();

      await page.reload();
      await page
        .getByText(say("退回 {count} 项。改好这几项就能再交，其余的已锁住，不用再填。", { count: 1 }))
        .waitFor();
      await page.locator("mark", { hasText: "田" }).waitFor();
      // Nothing but what was returned is open.
      expect(await page.locator("form input:not([type=file])").count()).toBe(1);
      expect(await violationsOf(page)).toEqual([]);
      const saved = page.waitForResponse((answer) => answer.url().endsWith("/real-name/draft"));
      await page.getByRole("button", { name: say("改成 {value}", { value: "郑有田" }) }).click();
      await saved;
      // What was corrected and not sent survives a reload, too.
      await page.reload();
      await field("legalName").waitFor();
      expect(await field("legalName").inputValue()).toBe("郑有田");
      await page.getByRole("button", { name: say("重新提交 {count} 项", { count: 1 }) }).click();
      await page.getByText(say("资料已收下，等审核")).waitFor();

      await desk.goto(`${portal.address}/customer/realName`);
      await inQueue.click();
      await desk.getByText(say("只重送了 {items}", { items: say("法定代表人") })).waitFor();
      await desk.getByRole("button", { name: say("领取"), exact: true }).click();
      await desk
        .getByRole("group", { name: say("{label}的结论", { label: say("法定代表人") }) })
        .getByRole("button", { name: say("相符") })
        .click();
      await desk.getByRole("button", { name: say("通过，转复核") }).click();
      await desk.getByText(say("已通过这一步")).waitFor();
      // Not by the same person.
      await desk.goto(`${portal.address}/customer/realName?view=second`);
      await inQueue.click();
      await desk.getByText(say("初审是您做的，等另一位审核员复核")).waitFor();
      expect(await desk.getByRole("button", { name: say("领取"), exact: true }).count()).toBe(0);

      const { context: other, page: second } = await openAs(portal, "chenrui", { lang, width: deskWidth });
      await second.goto(`${portal.address}/customer/realName?view=second`);
      await second.getByRole("button", { name }).click();
      await second.getByRole("button", { name: say("领取"), exact: true }).click();
      await second.getByRole("button", { name: say("其余都一致") }).click();
      await second.getByRole("button", { name: say("通过"), exact: true }).click();
      await second.getByText(say("已通过这一步")).waitFor();

      await page.reload();
      await page.getByText(say("企业已通过")).waitFor();
      await page.goto(`${portal.address}/selfCenter/equipmentManage/bindDevice`);
      await page.locator("#label-serial").fill("ENV-NOBODY-1");
      await page.locator("#label-code").fill("123456");
      await page.getByRole("button", { name: say("下一步") }).click();
      await page.getByText(say("序列号或验证码不正确，或设备已被绑定")).waitFor();
      await Promise.all([owner.close(), first.close(), other.close()]);
    },
  );
});
