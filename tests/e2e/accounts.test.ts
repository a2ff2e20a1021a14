import { describe, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { foundBrowser } from "../harness/browser.ts";
import { agreeIfAsked, inCentre, openPage, usePortal } from "../harness/portal.ts";
import { dragPuzzle } from "../harness/puzzle.ts";

const portal = usePortal();

describe.skipIf(foundBrowser === undefined)("accounts", () => {
  test("registration by a code from the outbox opens an account that logs in", async () => {
    const context = await portal.newContext();
    const { page, problems } = await openPage(context);
    await page.goto(`${portal.address}/register`);
    await page.locator("#username").fill("NewFarmer");
    await page.locator("#phone").fill("13912345678");
    await page.getByRole("button", { name: "注册", exact: true }).click();
    await page.getByText("请先获取验证码").waitFor();
    await page.getByText("请阅读并同意协议").waitFor();
    await page.getByRole("button", { name: "获取验证码" }).click();
    await dragPuzzle(page);
    await page.getByRole("button", { name: /秒后重发/ }).waitFor();
    await page.locator("#sms-code").fill(await portal.codeSentTo("13912345678"));
    await page.locator("#new-password").fill("abcdef");
    await page.locator("#confirm-password").fill("abcdeg");
    await page.getByLabel("我已阅读并同意").check();
    await page.getByRole("button", { name: "注册", exact: true }).click();
    await page.locator("#new-password-problem").getByText("2 种").waitFor();
    await page.locator("#confirm-password-problem").getByText("两次密码不一致").waitFor();
    await page.locator("#new-password").fill("Sow-litter-14");
    await page.getByText("密码强度：强").waitFor();
    await page.locator("#confirm-password").fill("Sow-litter-14");
    await page.getByRole("button", { name: "注册", exact: true }).click();
    await page.getByRole("heading", { name: "注册成功" }).waitFor();
    expect(problems).toEqual([]);
    await portal.logInByPassword(page, "NewFarmer", "Sow-litter-14");
    await inCentre(page);
    await context.close();
  });

  test("three steps set another password, which ends what was open", async () => {
    await portal.copyOf("worker", "forgetful", "13800009004");
    const before = await portal.signedIn("forgetful");
    const { page: open } = await openPage(before);
    await open.goto(`${portal.address}/selfCenter/safeManage`);
    await open.getByRole("heading", { level: 1 }).waitFor();

    const context = await portal.newContext();
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/findPass`);
    await page.locator("#phone").fill("13800009004");
    await dragPuzzle(page);
    await page.getByRole("button", { name: "下一步" }).click();
    await page.locator("#sms-code").fill("000000");
    await page.getByRole("button", { name: "下一步" }).click();
    await page
      .locator("#sms-code-problem")
      .getByText(/验证码/)
      .waitFor();
    await page.locator("#sms-code").fill(await portal.codeSentTo("13800009004"));
    await page.getByRole("button", { name: "下一步" }).click();
    await page.getByText("forgetful").waitFor();
    await page.locator("#new-password").fill("Barn-lamp-77");
    await page.locator("#confirm-password").fill("Barn-lamp-77");
    await page.getByRole("button", { name: "保存新密码" }).click();
    await page.getByRole("heading", { name: "密码已更新" }).waitFor();

    await open.goto(`${portal.address}/selfCenter/safeManage`);
    await open.waitForURL(/\/login\?.*expired=1/);
    await portal.logInByPassword(page, "forgetful", "Barn-lamp-77");
    await agreeIfAsked(page);
    await inCentre(page);
    await Promise.all([before.close(), context.close()]);
  });

  test("a forgotten name goes to the phone; the page says the same for a number without one", async () => {
    const context = await portal.newContext();
    const { page } = await openPage(context);
    const said: string[] = [];
    for (const number of ["13800000002", "13700000000"]) {
      await page.goto(`${portal.address}/findAcc`);
      await page.locator("#phone").fill(number);
      await dragPuzzle(page);
      await page.getByRole("button", { name: "把账号名发给我" }).click();
      await page.getByRole("heading", { name: "请查看短信" }).waitFor();
      said.push((await page.locator(".done p").innerText()).replace(/1\d{2}\*{4}\d{4}/, "N"));
    }
    expect(said[0]).toBe(said[1]);
    await context.close();
  });

  test("a number that was typed survives reloads, refusals and the way to another page; passwords and codes are kept nowhere", async () => {
    const context = await portal.newContext();
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/findPass`);
    await page.locator("#phone").fill("12345");
    await page.getByRole("button", { name: "下一步" }).click();
    await page.locator("#phone-problem").getByText("手机号").waitFor();
    await page.locator("#phone").fill("138 0000 0099");
    await page.reload();
    expect(await page.locator("#phone").inputValue()).toBe("138 0000 0099");
    // The captcha is still asked for: only what was typed is remembered.
    await page.getByRole("button", { name: "下一步" }).click();
    await page.getByText("请完成安全验证").waitFor();
    await page.goto(`${portal.address}/findAcc`);
    await page.locator("#phone").waitFor();
    expect(await page.locator("#phone").inputValue()).toBe("138 0000 0099");
    await page.goto(`${portal.address}/register`);
    await page.locator("#username").fill("记住的名字");
    await page.locator("#new-password").fill("Kept-nowhere-5");
    await page.reload();
    expect(await page.locator("#username").inputValue()).toBe("记住的名字");
    expect(await page.locator("#new-password").inputValue()).toBe("");
    const kept = await page.evaluate<string>("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])");
    expect(kept).toContain("138 0000 0099");
    expect(kept).not.toContain("Kept-nowhere-5");
    await context.close();
  });

  test("a user name that is taken is told at its field, in English as well", async () => {
    const context = await portal.newContext();
    await context.addCookies([{ name: "langType", value: "en", url: portal.address }]);
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/register`);
    await page.locator("#username").fill("farm");
    await page.locator("#phone").fill("13912340077");
    await page.getByRole("button", { name: "Get code" }).click();
    await dragPuzzle(page);
    await page.getByRole("button", { name: /Again in/ }).waitFor();
    await page.locator("#sms-code").fill(await portal.codeSentTo("13912340077"));
    await page.locator("#new-password").fill("Sow-litter-14");
    await page.locator("#confirm-password").fill("Sow-litter-14");
    await page.getByRole("checkbox").check();
    await page.getByRole("button", { name: "Register", exact: true }).click();
    await page.locator("#username-problem").getByText("The user name [farm] is taken").waitFor();
    await context.close();
  });

  test("a session that ends under a form asks to log in again, and what was typed is still there", async () => {
    const context = await portal.newContext();
    const { page } = await openPage(context);
    await portal.logInAsDemo(page, "周建平");
    await page.goto(`${portal.address}/selfCenter/safeManage?open=password`);
    await page.locator("#old-password").fill(demoPassword);
    await page.locator("#new-password").fill("Feed-silo-2041");
    await page.evaluate(() => {
      localStorage.setItem("token", "gone");
      localStorage.setItem("refresh_token", "gone too");
    });
    await page.locator("#confirm-password").fill("Feed-silo-2041");
    await page.getByRole("button", { name: "保存新密码" }).click();
    await page.getByRole("dialog").getByText("登录已过期").waitFor();
    await page.locator("#again-password").fill(demoPassword);
    await dragPuzzle(page);
    await page.getByRole("dialog").getByRole("button", { name: "登录" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/selfCenter/safeManage");
    expect(await page.locator("#new-password").inputValue()).toBe("Feed-silo-2041");
    await context.close();
  });

  test("a session can be ended from another device", async () => {
    await portal.copyOf("farm", "two-places");
    const [first, second] = [await portal.signedIn("two-places"), await portal.signedIn("two-places")];
    const [{ page: here }, { page: there }] = [await openPage(first), await openPage(second)];
    await there.goto(`${portal.address}/selfCenter/safeManage`);
    await there.getByRole("heading", { level: 1 }).waitFor();
    await here.goto(`${portal.address}/selfCenter/safeManage`);
    await here.getByRole("button", { name: /上的登录/ }).click();
    await here.getByRole("dialog").getByRole("button", { name: "结束", exact: true }).click();
    await here.getByText("登录已结束").waitFor();
    await there.goto(`${portal.address}/selfCenter/safeManage`);
    await there.waitForURL(/\/login\?/);
    await Promise.all([first.close(), second.close()]);
  });
});
