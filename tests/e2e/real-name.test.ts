import { randomInt } from "node:crypto";
import { creditCheckCharacter, idCheckCharacter } from "@herdwise/contract/real-name-checks";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { endSession, logInAgain, openPage, usePortal } from "../harness/portal.ts";
import { picture } from "../harness/upload.ts";

const portal = usePortal();
const newId = () => String(8_000_000_000_000_000_000n + BigInt(randomInt(2 ** 47)));

/** The owner of a customer that nobody knows yet, with the password of the demo. @returns the login name */
async function newOwner(): Promise<string> {
  const account = `owner${randomInt(1e9)}`;
  const tenantId = String(800_000 + randomInt(100_000));
  const membership = newId();
  const client = new pg.Client({ connectionString: portal.databaseUrl });
  await client.connect();
  try {
    const id = newId();
    await client.query("insert into tenants (tenant_id, name, type) values ($1, $2, 'enterprise')", [
      tenantId,
      `customer${tenantId} 的农场`,
    ]);
    await client.query(
      `insert into accounts (id, account, account_key, type, password_hash, real_name, nick_name)
       select $1, $2, $2, 'enterprise', password_hash, '郑有田', '郑有田' from accounts where account_key = 'farm'`,
      [id, account],
    );
    await client.query("insert into memberships (id, account_id, tenant_id) values ($1, $2, $3)", [
      membership,
      id,
      tenantId,
    ]);
    const role = newId();
    await client.query("insert into roles (id, tenant_id, role_name, role_alias) values ($1, $2, '企业主', 'owner')", [
      role,
      tenantId,
    ]);
    await client.query(
      `insert into role_menus select $1, m.menu_id from role_menus m join roles r on r.id = m.role_id
        where r.tenant_id = '100002' and r.role_alias = 'owner'`,
      [role],
    );
    await client.query("insert into membership_roles values ($1, $2)", [membership, role]);
  } finally {
    await client.end();
  }
  return account;
}

describe.skipIf(foundBrowser === undefined)("real-name authentication", () => {
  test("an enterprise from both sides: draft, money, a return with its reason, two looks, and the gate", async () => {
    const account = await newOwner();
    const number = String(randomInt(1e7)).padStart(7, "0");
    // Called like what other tests register: pages of the shared portal in English may show it.
    const name = `e2e${number} 的农场`;
    const code = `91411325MA${number}`;
    const idStart = "41132519850612007";

    const owner = await portal.signedIn(account);
    const { page } = await openPage(owner);
    // The gate says what is missing, and leads there.
    await page.goto(`${portal.address}/selfCenter/equipmentManage/bindDevice`);
    await page.locator("#label-serial").fill("ENV-NOBODY-1");
    await page.locator("#label-code").fill("123456");
    await page.getByRole("button", { name: "下一步" }).click();
    await page.getByText("绑定设备前请先完成实名认证").waitFor();
    await page.getByRole("link", { name: "去实名认证" }).click();
    await page.getByText("还没有认证。").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "企业认证", exact: true }).click();

    const field = (of: string) => page.locator(`#real-name-${of}`);
    await field("enterpriseName").fill(name);
    await field("creditCode").fill(code);
    await field("legalName").fill("郑有甜");
    // One character short, and said so.
    await page.getByText("现在是 17 位").waitFor();
    await field("creditCode").fill(`${code}${creditCheckCharacter(code)}`);
    await field("legalIdNumber").fill(`${idStart}${idCheckCharacter(idStart)}`);
    await page.getByText("草稿存于").waitFor();
    // What was typed survives a reload; the ID number comes back shortened.
    await page.reload();
    await field("enterpriseName").waitFor();
    expect(await field("enterpriseName").inputValue()).toBe(name);
    expect(await field("legalIdNumber").inputValue()).toMatch(/^4113\*{10}\w{4}$/);
    // And the end of the session, also what was not in the draft yet.
    await endSession(page);
    await field("bankName").fill("示例农商银行");
    await logInAgain(page);
    expect(await field("enterpriseName").inputValue()).toBe(name);
    expect(await field("bankName").inputValue()).toBe("示例农商银行");
    const png = { name: "执照.png", mimeType: "image/png", buffer: await picture("png") };
    await page.locator("#real-name-licencePicture").setInputFiles(png);
    await page.getByText("已上传").waitFor();
    await field("licenceUntil").fill("2041-03-27");
    await field("legalPhone").fill("13877770462");
    await field("contactPhone").fill("03776231234");
    await field("accountName").fill("别的名字");
    await field("bankName").fill("示例农商银行");
    await page.getByRole("button", { name: "用企业名称" }).click();
    expect(await field("accountName").inputValue()).toBe(name);
    await field("branchName").fill("灌涨支行");
    await field("bankCode").fill("402513600021");
    const send = page.getByRole("button", { name: "提交，去验证账户" });
    await send.click();
    // The one that is missing is named at its field.
    await page.getByText("请填写对公账号").waitFor();
    await field("bankAccount").fill("8111 2222 3333 4444");
    expect(await violationsOf(page)).toEqual([]);
    await send.click();

    await page.getByText("收到了多少？").waitFor({ timeout: 30_000 });
    await field("amount").fill("0.1");
    await page.getByRole("button", { name: "确认金额" }).click();
    await page.getByText(/金额不对，还能试 2 次/).waitFor();
    await field("amount").fill("0.01");
    await page.getByRole("button", { name: "确认金额" }).click();
    await page.getByText("资料已收下，等审核").waitFor();
    expect(await violationsOf(page)).toEqual([]);

    const first = await portal.signedIn("admin");
    const { page: desk } = await openPage(first);
    await desk.goto(`${portal.address}/customer/realName`);
    const inQueue = desk.locator("li button", { hasText: name });
    await inQueue.click();
    await desk.getByRole("button", { name: "领取", exact: true }).click();
    await desk.getByText("我已领取").waitFor();
    // The picture is really there.
    await expect
      .poll(() =>
        desk
          .getByRole("img", { name: /营业执照，客户上传的图片/ })
          .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
      )
      .toBeGreaterThan(100);
    await desk.getByRole("group", { name: "法定代表人的结论" }).getByRole("button", { name: "不符" }).click();
    await desk.locator("#document-legalName").fill("郑有田");
    await desk.locator("mark", { hasText: "甜" }).waitFor();
    expect(await violationsOf(desk)).toEqual([]);
    await desk.getByRole("button", { name: "其余都一致" }).click();
    await desk.getByRole("button", { name: "退回 1 项" }).click();
    await desk.getByText("已退回，客户会收到消息").waitFor();

    await page.reload();
    await page.getByText("退回 1 项。").waitFor();
    await page.locator("mark", { hasText: "田" }).waitFor();
    // Nothing but what was returned is open.
    expect(await page.locator("form input:not([type=file])").count()).toBe(1);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "改成 郑有田" }).click();
    await page.getByRole("button", { name: "重新提交 1 项" }).click();
    await page.getByText("资料已收下，等审核").waitFor();

    await desk.goto(`${portal.address}/customer/realName`);
    await inQueue.click();
    await desk.getByText("只重送了 法定代表人").waitFor();
    await desk.getByRole("button", { name: "领取", exact: true }).click();
    await desk.getByRole("group", { name: "法定代表人的结论" }).getByRole("button", { name: "相符" }).click();
    await desk.getByRole("button", { name: "通过，转复核" }).click();
    await desk.getByText("已通过这一步").waitFor();
    // Not by the same person.
    await desk.goto(`${portal.address}/customer/realName?view=second`);
    await inQueue.click();
    await desk.getByText("初审是您做的").waitFor();
    expect(await desk.getByRole("button", { name: "领取", exact: true }).count()).toBe(0);

    const other = await portal.signedIn("chenrui");
    const { page: second } = await openPage(other);
    await second.goto(`${portal.address}/customer/realName?view=second`);
    await second.locator("li button", { hasText: name }).click();
    await second.getByRole("button", { name: "领取", exact: true }).click();
    await second.getByRole("button", { name: "其余都一致" }).click();
    await second.getByRole("button", { name: "通过", exact: true }).click();
    await second.getByText("已通过这一步").waitFor();

    await page.reload();
    await page.getByText("企业已通过").waitFor();
    await page.goto(`${portal.address}/selfCenter/equipmentManage/bindDevice`);
    await page.locator("#label-serial").fill("ENV-NOBODY-1");
    await page.locator("#label-code").fill("123456");
    await page.getByRole("button", { name: "下一步" }).click();
    await page.getByText("序列号或验证码不正确").waitFor();
    await Promise.all([owner.close(), first.close(), other.close()]);
  });
});
