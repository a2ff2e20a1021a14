import { describe, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { openPage, usePortal } from "../harness/portal.ts";
import { fromNewAddress } from "../harness/session.ts";
import { volume } from "../harness/volume.ts";

const portal = usePortal();

describe.skipIf(foundBrowser === undefined)("the people of an organization", () => {
  test("an owner adds a member, who must choose a password at the first log-in", async () => {
    const context = await portal.newContext();
    const { page } = await openPage(context);
    await portal.logInAsDemo(page, "企业主");
    await page.goto(`${portal.address}/selfCenter/members`);
    await page.getByRole("button", { name: "新增成员" }).click();
    await page.locator("#user-account").fill("farm");
    await page.locator("#user-realName").fill("Dingy");
    await page.getByRole("button", { name: "保存", exact: true }).click();
    // Said at the field before anything is sent, then by the server; what was typed stays.
    await page.getByText("请选择角色").waitFor();
    await page.getByLabel("饲养员").check();
    await page.getByRole("button", { name: "保存", exact: true }).click();
    await page.getByText("当前用户 [farm] 已存在!").waitFor();
    expect(await page.locator("#user-realName").inputValue()).toBe("Dingy");
    await page.locator("#user-account").fill("dingyi");
    await page.getByRole("button", { name: "保存", exact: true }).click();
    await page.getByText("请转告新密码").waitFor();
    const password = await page.locator(".once code").innerText();
    // Escape does not take away what is shown once.
    await page.keyboard.press("Escape");
    expect(await page.locator(".once code").isVisible()).toBe(true);
    await page.getByRole("button", { name: "我已记下" }).click();
    await page.getByRole("button", { name: "Dingy dingyi" }).waitFor();
    const row = page.locator("tbody tr", { hasText: "dingyi" });
    expect(await row.innerText()).toContain("密码待改");

    const other = await portal.newContext();
    const { page: phone } = await openPage(other);
    await portal.logInByPassword(phone, "dingyi", password, "企业");
    await phone.locator("#new-password").fill("Barn-2026-new");
    await phone.locator("#confirm-password").fill("Barn-2026-new");
    await phone.getByRole("button", { name: "保存并继续" }).click();
    await phone.getByRole("button", { name: "同意并继续" }).click();
    await phone.waitForURL(/\/selfCenter\//);

    // The owner's list tells it, and taking the member out ends their session at their next step.
    await page.reload();
    await row.getByText("启用").waitFor();
    await page.getByRole("button", { name: "Dingy dingyi" }).click();
    await page.getByRole("button", { name: "移出" }).click();
    await page.getByRole("dialog", { name: /移出/ }).getByRole("button", { name: "移出" }).click();
    await row.waitFor({ state: "detached" });
    // A call that was under way may learn of it first, and leave for the log-in before this navigation.
    await phone.goto(`${portal.address}/selfCenter/safeManage`).catch(() => undefined);
    await phone.waitForURL(/\/login/);
    await other.close();
    await context.close();
  });

  test("a changed form asks before it is left; only what changed is sent", async () => {
    const context = await portal.newContext();
    const { page } = await openPage(context);
    await portal.logInAsDemo(page, "企业主");
    await page.goto(`${portal.address}/selfCenter/members`);
    await page.getByRole("button", { name: "王志强" }).click();
    const save = page.getByRole("button", { name: "保存", exact: true });
    expect(await save.isDisabled()).toBe(true);
    await page.locator("#user-code").fill("ZY-900");
    await page.getByText("原为：ZY-003").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("放弃改动？").waitFor();
    await page.getByRole("dialog", { name: "放弃改动？" }).getByRole("button", { name: "取消" }).click();
    expect(await page.locator("#user-code").inputValue()).toBe("ZY-900");
    const answered = page.waitForResponse(/user\/submit/);
    await save.click();
    const answer = await answered;
    const body = answer.request().postDataJSON() as Record<string, unknown>;
    expect(Object.keys(body).sort()).toEqual(["code", "id", "tenantId", "version"]);
    expect(answer.status()).toBe(200);
    await context.close();
  });

  test("members come in by a sheet, get first passwords of their own, and are taken back", async () => {
    const context = await portal.newContext();
    const { page } = await openPage(context);
    await portal.logInAsDemo(page, "企业主");
    await page.goto(`${portal.address}/selfCenter/members`);
    await page.getByRole("button", { name: "导入", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "导入用户" }).waitFor();
    await page.getByRole("button", { name: "粘贴表格" }).click();
    const dialog = page.getByRole("dialog", { name: "粘贴表格" });
    const lines = ["账户\t姓名\t角色名称", "sheet-one\t王强\t饲养员", "sheet-two\t李丽\t董事长"];
    await dialog.getByRole("textbox").fill(lines.join("\n"));
    await dialog.getByRole("button", { name: "检查", exact: true }).click();
    await page.getByRole("heading", { name: "预检" }).waitFor();
    await page.getByRole("button", { name: /^第 3 行 角色名称：/ }).click();
    await page.getByRole("textbox", { name: "第 3 行 角色名称" }).fill("兽医");
    await page.keyboard.press("Enter");
    await page.getByText("没有问题了，可以导入。").waitFor();
    await page.getByRole("button", { name: "导入 2 行" }).click();
    await page.getByRole("heading", { name: "已完成" }).waitFor();
    await page.getByRole("button", { name: "生成首次密码" }).click();
    await page.getByText("正在生成首次密码，完成后在顶栏和消息里下载").waitFor();
    await page.getByRole("link", { name: "看这些用户" }).click();
    await page.locator("tbody tr", { hasText: "sheet-two" }).getByText("密码待改").waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "撤销这一批" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "撤销", exact: true }).click();
    await page.getByText("这一批已经撤销。").waitFor();
    await page.goto(`${portal.address}/selfCenter/members`);
    await page.getByRole("button", { name: /farm$/ }).first().waitFor();
    expect(await page.locator("tbody tr", { hasText: "sheet-two" }).count()).toBe(0);
    await context.close();
  });

  test("someone without the right gets no list and no data", async () => {
    const context = await portal.newContext();
    const { page } = await openPage(context);
    await portal.logInAsDemo(page, "饲养员");
    const answers: number[] = [];
    page.on("response", (answer) => answer.url().includes("/user/page") && answers.push(answer.status()));
    await page.goto(`${portal.address}/selfCenter/members`);
    await page.getByRole("heading", { name: "没有访问权限" }).waitFor();
    expect(answers).toEqual([]);
    await context.close();
  });

  test("axe finds nothing, light and dark, wide and on a phone, list, form and question", async () => {
    // The list stands in the crawls; what opens on it is the same in both.
    const wide = { width: 1440, colorScheme: "light" } as const;
    for (const { width, colorScheme } of [
      ...volume({ short: [], long: [wide] }),
      { width: 390, colorScheme: "dark" } as const,
    ]) {
      const context = await portal.newContext({ viewport: { width, height: 900 }, colorScheme });
      const { page } = await openPage(context);
      await portal.logInAsDemo(page, "集团管理员");
      await page.goto(`${portal.address}/system/user`);
      await page.getByRole("button", { name: "周建平" }).first().waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.goto(`${portal.address}/system/user?user=new`);
      await page.getByLabel("客服").waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole("button", { name: "取消" }).click();
      await page.getByLabel("选择 farm").locator("visible=true").first().check();
      await page.getByRole("button", { name: "停用成员" }).click();
      await page.getByRole("alertdialog", { name: /停用/ }).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await context.close();
    }
  });

  test("the group's staff narrow the list to a tenant and its roles, and act on a row by its menu", async () => {
    const context = await portal.signedIn("admin");
    const { page } = await openPage(context);
    const row = (account: string) => page.locator("tbody tr", { hasText: account });
    await page.goto(`${portal.address}/system/user?tenant=100002`);
    await row("liuyang").waitFor();
    expect(await row("zhaomin").count()).toBe(0);
    await page.getByRole("button", { name: "角色", exact: true }).click();
    await page.getByRole("dialog", { name: "角色" }).getByLabel("场长").check();
    await row("liuyang").waitFor({ state: "detached" });
    await row("wangzq").waitFor();
    await page.keyboard.press("Escape");
    // Without the tenant its role would find nobody.
    await page.getByRole("button", { name: "去掉筛选 租户" }).click();
    await row("zhaomin").waitFor();
    await page.waitForURL((url) => url.search === "");
    await page.getByRole("button", { name: "姓名与登录名" }).click();
    await page.waitForURL(/sort=account/);
    await page.locator("th[aria-sort=ascending]").waitFor();
    // What is ticked on one page counts on the next.
    await row("liqiang").getByRole("checkbox").check();
    await page.getByRole("button", { name: "下一页" }).click();
    await row("zhaomin").getByRole("checkbox").check();
    await page.getByRole("button", { name: "授予角色" }).click();
    const grant = page.getByRole("dialog", { name: "给 李强 等 2 人 授予角色" });
    await grant.getByRole("button", { name: "取消" }).click();
    await page.getByRole("button", { name: "zhaomin 的操作" }).click();
    await page.getByRole("menuitem", { name: "停用成员" }).click();
    await page.getByRole("alertdialog", { name: "停用 赵敏？" }).waitFor();
    await context.close();
  });

  test("an administrator sees a locked log-in and lifts it", async () => {
    const context = await portal.newContext();
    const { page } = await openPage(context);
    await portal.logInAsDemo(page, "集团管理员");
    for (let at = 0; at < 3; at += 1) {
      await fetch(`${portal.address}/api/muyuan-auth/oauth/token?grant_type=password&username=liuyang&password=${at}`, {
        method: "POST",
        headers: { authorization: `Basic ${btoa("portal:portal_secret")}`, ...fromNewAddress() },
      });
    }
    // From now on the server asks for the puzzle, which is solved here as by a person.
    const other = await portal.newContext();
    const { page: guesser } = await openPage(other);
    for (let at = 0; at < 2; at += 1) {
      const answered = guesser.waitForResponse(/oauth\/token/);
      await portal.logInByPassword(guesser, "liuyang", "Wrong-password-1", "企业");
      expect((await answered).status()).toBe(400);
    }
    await page.goto(`${portal.address}/system/user?word=liuyang`);
    await page.locator("tbody tr").getByText("已锁定").waitFor();
    await page.getByRole("button", { name: "刘洋" }).click();
    await page.getByRole("button", { name: "解除锁定" }).click();
    await page.getByRole("dialog", { name: /解除/ }).getByRole("button", { name: "解除锁定" }).click();
    await page.getByText("已解除 1 人的锁定").waitFor();
    await page.locator("tbody tr").getByText("启用").waitFor();
    const entered = guesser.waitForResponse(/oauth\/token/);
    await portal.logInByPassword(guesser, "liuyang", demoPassword, "企业");
    expect((await entered).status()).toBe(200);
    await other.close();
    await context.close();
  });

  test("a reset tells where the link goes, asks who is calling, and the owner chooses the password", async () => {
    await portal.copyOf("wangzq", "reset.by.link", "13911112222");
    const context = await portal.newContext();
    const { page } = await openPage(context);
    await portal.logInAsDemo(page, "企业主");
    await page.goto(`${portal.address}/selfCenter/members?word=reset.by.link`);
    await page.locator("tbody tr", { hasText: "reset.by.link" }).getByRole("checkbox").check();
    await page.getByRole("button", { name: "重置密码" }).click();
    const dialog = page.getByRole("dialog", { name: /重置/ });
    await dialog.getByText("链接会发到本人已验证的手机 139****2222").waitFor();
    // As after five minutes.
    await page.route(
      /user\/reset-password/,
      (route) =>
        route.fulfill({
          status: 403,
          contentType: "application/json",
          body: JSON.stringify({ code: 403, success: false, msg: "", data: { reason: "identity.confirm_first" } }),
        }),
      { times: 1 },
    );
    const act = dialog.getByRole("button", { name: "重置密码" });
    await act.click();
    const question = page.getByRole("dialog", { name: "请输入您的登录密码" });
    await question.getByLabel("您的登录密码").fill("Wrong-password-1");
    expect(await violationsOf(page)).toEqual([]);
    await question.getByRole("button", { name: "继续" }).click();
    await question.getByText("登录密码不正确").waitFor();
    await question.getByLabel("您的登录密码").fill(demoPassword);
    await question.getByRole("button", { name: "继续" }).click();
    await page.getByText("重置链接已发送").waitFor();
    expect(await page.locator(".once").count()).toBe(0);
    await context.close();

    const messages = (await (await fetch(`${portal.address}/dev/outbox.json`)).json()) as {
      to: string;
      text: string;
    }[];
    const text = messages.find(({ to }) => to === "13911112222")?.text ?? "";
    const key = /findPass(#\S+)/.exec(text)?.[1] ?? "";
    const other = await portal.newContext();
    const { page: phone } = await openPage(other);
    await phone.goto(`${portal.address}/findPass${key}`);
    await phone.locator("#new-password").fill("Barn-2026-link");
    expect(phone.url()).toBe(`${portal.address}/findPass`);
    await phone.locator("#confirm-password").fill("Barn-2026-link");
    await phone.getByRole("button", { name: "保存新密码" }).click();
    await phone.getByText("密码已更新").waitFor();
    const entered = phone.waitForResponse(/oauth\/token/);
    await portal.logInByPassword(phone, "reset.by.link", "Barn-2026-link", "企业");
    expect((await entered).status()).toBe(200);
    await other.close();
  });
});
