import { createHash } from "node:crypto";
import {
  type Contract,
  type ContractDetail,
  contractDetail,
  contractPage,
  deskContractPage,
  leastHashDigits,
  type Page as Rows,
  verifyPath,
} from "@herdwise/contract";
import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { lookAt } from "../harness/crawl.ts";
import { apiOf } from "../harness/departments.ts";
import { allWays, openAs, words } from "../harness/journeys.ts";
import { openPage, usePortal } from "../harness/portal.ts";
import { basic, tokenOfDemo } from "../harness/session.ts";
import { volume } from "../harness/volume.ts";

const portal = usePortal();
const ways = volume({ short: allWays.slice(0, 1), long: allWays });

describe.skipIf(foundBrowser === undefined)("contracts", () => {
  test.each(ways)(
    "drafted by the group, signed by the customer, verified by a stranger: $lang, $width px",
    async (way) => {
      const { lang, width } = way;
      const { say } = words(lang);
      // A number gets one code a minute, so that each way has a signer of its own.
      const phone = `1380000903${allWays.indexOf(way)}`;
      const signer = `signer.${lang}.${width}`;
      await portal.copyOf("farm", signer, phone);
      const amount = lang === "zh" ? "12,800.50 元（大写：壹万贰仟捌佰元伍角整）" : "CNY 12,800.50";
      const { context: group, page: desk } = await openAs(portal, "admin", { lang, width: way.desk });
      await desk.goto(`${portal.address}/customer/contract/draft`);
      await desk.getByRole("button", { name: lang === "zh" ? /^远程兽医服务合同/ : /^Remote veterinary/ }).click();
      await desk.getByLabel(say("找客户")).fill("中原");
      await desk.getByRole("radio", { name: lang === "zh" ? /中原牧业有限公司/ : /Zhongyuan Livestock/ }).check();
      await desk.getByRole("button", { name: say("存草稿") }).click();
      // Each value that is missing is named at its field.
      await desk.getByText(say("请填“{name}”", { name: say("合同金额") })).waitFor();
      await desk.locator("#value-amount").fill("12,800.50");
      for (const [field, year] of [
        [say("开始日期"), 2027],
        [say("结束日期"), 2028],
      ] as const) {
        const segments = desk.getByRole("group", { name: field }).getByRole("spinbutton");
        await segments.first().click();
        await desk.keyboard.type(lang === "zh" ? `${year}0315` : `0315${year}`);
      }
      await desk.locator("#value-visits").fill("24");
      await desk.getByText(amount).waitFor();
      // What was typed survives a reload.
      await desk.reload();
      await desk.getByText(amount).waitFor();
      expect(await violationsOf(desk)).toEqual([]);
      await desk.getByRole("button", { name: say("存草稿") }).click();
      await desk.getByRole("button", { name: say("代表集团签署并发出") }).click();
      await desk.getByRole("button", { name: say("撤回") }).waitFor();
      await desk.getByText(say("等客户签"), { exact: true }).first().waitFor();
      const id = new URL(desk.url()).searchParams.get("id") ?? "";
      expect(await violationsOf(desk)).toEqual([]);
      await lookAt(desk, "contract at the desk", { width: way.desk, alsoAt: way.desk > 1024 ? [1024] : [], lang });

      const { context: customer, page } = await openAs(portal, signer, { lang, width });
      await page.goto(`${portal.address}/selfCenter/news`);
      await page.getByText(say("有合同等您签")).first().waitFor();
      await page.goto(`${portal.address}/selfCenter/contractManage/detail?id=${id}`);
      const code = page.getByRole("button", { name: say("获取验证码") });
      // At a desk the end may be on the screen from the beginning.
      if (width < 1000) {
        await page.getByText(say("请先把正文看到末尾")).waitFor();
        expect(await code.isDisabled()).toBe(true);
      }
      await page.getByText(`${say("甲方")} ${say("还没签")}`).waitFor();
      await page.evaluate("document.querySelector('article > :last-child').scrollIntoView({ block: 'center' })");
      await page.getByText(say("正文看到了末尾")).waitFor();
      await code.click();
      await page.getByText(say("已发到 {to}", { to: `138****${phone.slice(-4)}` })).waitFor();
      await page.getByLabel(say("短信验证码")).fill(await portal.codeSentTo(phone));
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole("button", { name: say("签署第 {version} 版", { version: 1 }) }).click();
      await page.getByText(say("生效中")).first().waitFor();
      await page.getByText(`${say("甲方")} ${say("已签署")}`).waitFor();
      await lookAt(page, "signed contract on a phone", { width, alsoAt: [], lang });
      const [request] = await Promise.all([
        page.waitForRequest((one) => new URL(one.url()).pathname.startsWith("/files/upload/")),
        page.getByRole("button", { name: say("下载 PDF") }).click(),
      ]);
      const { access_token } = await tokenOfDemo(portal.address, signer);
      const file = await fetch(portal.address + new URL(request.url()).pathname, {
        headers: { Authorization: basic, "muyuan-auth": `bearer ${access_token}` },
      });
      const bytes = Buffer.from(await file.arrayBuffer());
      const held = await apiOf(portal, "farm")<ContractDetail>(`${contractDetail.path}?id=${id}`);
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(held.signedSha256);

      const { context: nobody, page: stranger } = await openAs(portal, undefined, { lang, width });
      await stranger.goto(`${portal.address}${verifyPath}?lang=${lang}`);
      // By the digits that stand on the signature page.
      await stranger
        .getByLabel(say("或输入签名页上的哈希，前 {count} 位即可", { count: leastHashDigits }))
        .fill(held.words.sha256.slice(0, 16));
      await stranger.getByRole("button", { name: say("核验哈希") }).click();
      await stranger
        .getByText(say("这份正文在{brand}签过，没有改过", { brand: lang === "en" ? "Herdwise" : "慧牧" }))
        .waitFor();
      await stranger.getByText(/中原\*{4}有限公司/).waitFor();
      expect(await violationsOf(stranger)).toEqual([]);
      // By the file, of which only the hash leaves the browser.
      await stranger
        .locator("#verify-file")
        .setInputFiles({ name: "c.pdf", mimeType: "application/pdf", buffer: bytes });
      await stranger.getByText(say("文件不会上传，哈希在您的浏览器里算。")).waitFor();
      const posts: string[] = [];
      stranger.on("request", (request) => request.method() === "POST" && posts.push(new URL(request.url()).pathname));
      await stranger.getByRole("button", { name: say("核验文件") }).click();
      await stranger.getByText(say("是签署后的原件，没有改过")).waitFor();
      expect(posts.filter((path) => path === verifyPath)).toEqual([]);
      // The parties stand there as they signed, in Chinese on the English page, too.
      await lookAt(stranger, "verification", { width, alsoAt: [], lang: "zh" });
      bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1;
      await stranger.goto(`${portal.address}${verifyPath}?lang=en`);
      await stranger
        .locator("#verify-file")
        .setInputFiles({ name: "c.pdf", mimeType: "application/pdf", buffer: bytes });
      await stranger.getByRole("button", { name: "Verify the file" }).click();
      await stranger.getByText("This file is not what was signed").waitFor();
      await lookAt(stranger, "verification of a changed file", { width, alsoAt: [], lang: "en" });

      // Without script the file goes to the server, which keeps its hash alone.
      const plain = await portal.newContext({ javaScriptEnabled: false });
      const old = await plain.newPage();
      await old.goto(`${portal.address}${verifyPath}?lang=${lang}`);
      bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1;
      await old.locator("#verify-file").setInputFiles({ name: "c.pdf", mimeType: "application/pdf", buffer: bytes });
      await old.getByRole("button", { name: say("核验文件") }).click();
      await old.getByText(say("是签署后的原件，没有改过")).waitFor();
      await Promise.all([group, customer, nobody, plain].map((context) => context.close()));
    },
  );

  test("contracts of the demo read in English, with what changed since the version before", async () => {
    const find = async (account: string, path: string, match: (contract: Contract) => boolean) =>
      (await apiOf(portal, account)<Rows<Contract>>(path)).records.find(match)?.id;
    const own = await find("farm", `${contractPage.path}?size=50`, ({ version }) => version > 1);
    const atDesk = await find("admin", `${deskContractPage.path}?queue=returned&size=50`, () => true);
    for (const [account, path, width, text] of [
      ["farm", `/selfCenter/contractManage/detail?id=${own}`, 390, "Mark changes"],
      ["farm", "/selfCenter/contractManage", 390, "Waiting for you"],
      ["farm", "/selfCenter/contractManage/history", 1366, "signed for the group and sent it"],
      ["admin", `/customer/contract/detail?id=${atDesk}`, 1440, "Contract history"],
      ["admin", "/customer/contract/batch", 1366, "Fill in one customer a row"],
    ] as const) {
      const context = await portal.signedIn(account, { viewport: { width, height: 900 }, colorScheme: "dark" });
      await context.addCookies([{ name: "langType", value: "en", url: portal.address }]);
      const { page } = await openPage(context);
      await page.goto(portal.address + path);
      await page.getByText(text).first().waitFor();
      await lookAt(page, path, { width, alsoAt: [], lang: "en" });
      await context.close();
    }
  });

  test("a queue of the desk stands in the address, with its count, and keeps the word that narrows another", async () => {
    const { records, total } = await apiOf(portal, "admin")<Rows<Contract>>(`${deskContractPage.path}?queue=returned`);
    const context = await portal.signedIn("admin", { viewport: { width: 1366, height: 900 } });
    const { page } = await openPage(context);
    const tab = (name: string) => page.getByRole("button", { name: new RegExp(`^${name}`) });
    const marked = () => page.locator("nav [aria-current=true]").last().textContent();
    await page.goto(`${portal.address}/customer/contract`);
    await page.getByRole("searchbox", { name: "编号、名称、客户" }).fill(records[0]?.number ?? "");
    await page.waitForURL(/q=/);
    expect(await marked()).toMatch(/^等客户签/);
    await page.getByText("没有合同", { exact: false }).first().waitFor();
    await tab("退回和过期").click();
    await page.getByRole("link", { name: records[0]?.number ?? "" }).waitFor();
    expect(await page.getByRole("link", { name: /HT-/ }).count()).toBe(1);
    // Others link to a queue by its name alone.
    await page.goto(`${portal.address}/customer/contract?queue=returned`);
    await page.getByRole("link", { name: records[0]?.number ?? "" }).waitFor();
    expect(await marked()).toBe(`退回和过期${total}`);
    expect(await violationsOf(page)).toEqual([]);
    await context.close();
  });

  test("a template is written with its preview, and a place that no field fills is refused", async () => {
    const context = await portal.signedIn("admin", { viewport: { width: 1366, height: 900 } });
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/customer/contractTemplate`);
    await page.getByText("设备采购合同").first().waitFor();
    const { records } = await apiOf(portal, "admin")<Rows<{ id: string }>>("/api/muyuan-contract/template/page?size=1");
    await page.goto(`${portal.address}/customer/contractTemplate/editor?id=${records[0]?.id}`);
    await page.getByRole("button", { name: "加一条" }).click();
    const last = page.getByRole("group", { name: /^第.*条$/ }).last();
    await page.locator('[id^="clause-"][id$="-heading"]').last().fill("补充");
    await last.getByLabel("正文，一行一段").fill("另付 {{nothing}}。");
    await page.getByRole("button", { name: /^存成第/ }).click();
    await page.getByText("正文里的 nothing 没有对应的字段").waitFor();
    await last.getByLabel("正文，一行一段").fill("双方各执一份。");
    await page.getByText("双方各执一份。").last().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await lookAt(page, "template editor", { width: 1366, alsoAt: [390], lang: "zh" });
    await page.getByRole("button", { name: /^存成第/ }).click();
    await page.getByText("模板存好了，之后起草的合同用这一版").waitFor();
    await context.close();
  });
});
