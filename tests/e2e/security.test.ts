import { idCheckCharacter } from "@herdwise/contract/real-name-checks";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { allWays, openAs, words } from "../harness/journeys.ts";
import { openPage, usePortal } from "../harness/portal.ts";
import { volume } from "../harness/volume.ts";

const portal = usePortal();
const ways = volume({ short: allWays.slice(1, 2), long: allWays });

describe.skipIf(foundBrowser === undefined)("security settings and basic information", () => {
  test("a phone is changed with both numbers, and the owner of the old one takes it back", async () => {
    await portal.copyOf("farm", "phone.mover", "13800007001");
    const context = await portal.signedIn("phone.mover");
    const { page, problems } = await openPage(context);
    await page.goto(`${portal.address}/selfCenter/safeManage`);
    await page.getByRole("button", { name: "换号" }).first().click();
    await page.getByRole("button", { name: "获取验证码" }).click();
    await page.getByText("已发到 138****7001").waitFor();
    await page.locator("#old-phone-code").fill("000000");
    await page.getByRole("button", { name: "下一步" }).click();
    await page
      .locator("#old-phone-code-problem")
      .getByText(/验证码/)
      .waitFor();
    await page.locator("#old-phone-code").fill(await portal.codeSentTo("13800007001"));
    await page.getByRole("button", { name: "下一步" }).click();
    await page.getByText("已验证，10 分钟内有效").waitFor();
    await page.locator("#new-phone").fill("138 0000 7002");
    await page.getByRole("button", { name: "获取验证码" }).click();
    await page.locator("#new-phone-code").fill(await portal.codeSentTo("13800007002"));
    await page.getByRole("button", { name: "更换手机号" }).click();
    await page.getByText("138****7002，登录、告警和找回密码都用它").waitFor();
    await page.getByText("手机号换成 138****7002").waitFor();
    // The refusals were asked for.
    expect(problems.filter((text) => !text.includes("400"))).toEqual([]);

    const guest = await portal.newContext();
    const { page: back } = await openPage(guest);
    await back.goto(`${portal.address}/phoneBack`);
    await back.locator("#phone").fill("13800007003");
    await back.getByRole("button", { name: "撤回更换", exact: true }).click();
    await back.getByText("请先获取验证码").waitFor();
    await Promise.all([guest.close(), context.close()]);
  });

  test.each(ways)(
    "a phone is changed without the old number; it waits, and can be stopped: $lang, $width px",
    async ({ lang, width }) => {
      const { say, like } = words(lang);
      const lastSix = `12002${idCheckCharacter("41138119850612002")}`;
      const { context, page, problems } = await openAs(portal, "sunli", { lang, width });
      // A number gets one code a minute, and a person few tries.
      const at = allWays.findIndex((way) => way.lang === lang && way.width === width);
      const number = `1380000702${at}`;
      const waits = like("手机号 {time} 换成 {phone}", { phone: `138****702${at}` });
      await page.goto(`${portal.address}/selfCenter/safeManage?open=phone`);
      await page.getByRole("radio", { name: new RegExp(say("旧号没了，用身份证核对")) }).check();
      if (lang === ways[0]?.lang && width === ways[0].width) {
        await page.locator("#last-six").fill("000000");
        await page.getByRole("button", { name: say("下一步"), exact: true }).click();
        await page.locator("#last-six-problem").waitFor();
      }
      await page.locator("#last-six").fill(lastSix);
      await page.getByRole("button", { name: say("下一步"), exact: true }).click();
      await page.locator("#new-phone").fill(number);
      await page.getByRole("button", { name: say("获取验证码") }).click();
      await page.locator("#new-phone-code").fill(await portal.codeSentTo(number));
      await page.getByRole("button", { name: say("更换手机号") }).click();
      await page.getByText(waits).waitFor();
      // The old number holds until then.
      await page.getByText(say("{phone}，登录、告警和找回密码都用它", { phone: "138****0011" })).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole("button", { name: say("停止更换") }).click();
      await page.getByText(waits).waitFor({ state: "detached" });
      // The wrong digits were meant to be.
      expect(problems.filter((text) => !text.includes("400"))).toEqual([]);
      await context.close();
    },
  );

  test("an unfamiliar log-in is asked about: mine is remembered, not mine ends every other session and leads to the password", async () => {
    await portal.copyOf("farm", "seen.elsewhere");
    const sql = new pg.Client({ connectionString: portal.databaseUrl });
    await sql.connect();
    // Three networks, one after the other: only the first of an account is familiar.
    await sql.query(
      `insert into account_events (id, account_id, kind, remote_address, user_agent, created_at)
       select 7700 + n, a.id, 'log_in', (array['203.0.113.5', '198.51.100.7', '192.0.2.9'])[n], '', now() - make_interval(hours => 5 - n)
         from accounts a, generate_series(1, 3) n where a.account = 'seen.elsewhere'`,
    );
    const [elsewhere, context] = [await portal.signedIn("seen.elsewhere"), await portal.signedIn("seen.elsewhere")];
    const [{ page: other }, { page, problems }] = [await openPage(elsewhere), await openPage(context)];
    await other.goto(`${portal.address}/selfCenter/safeManage`);
    await other.getByText("有 2 件事要您马上看").waitFor();
    await page.goto(`${portal.address}/selfCenter/safeManage`);
    const things = page.getByRole("region", { name: "值得做的事" }).getByRole("listitem");
    const mine = things.filter({ hasText: "198.51.100." });
    await mine.getByRole("button", { name: "是我", exact: true }).click();
    await mine.waitFor({ state: "detached" });
    const foreign = things.filter({ hasText: "192.0.2." });
    await foreign.getByRole("button", { name: "不是我" }).click();
    const question = page.getByRole("dialog", { name: "这次登录不是您？" });
    await question.getByText("其他 1 处登录现在就结束，这一台不受影响").waitFor();
    await question.getByRole("button", { name: "不是我，去改密码" }).click();
    await question.waitFor({ state: "detached" });
    await page.locator("#old-password").waitFor();
    await foreign.getByText(/不是您，密码还没改/).waitFor();
    await other.reload();
    await other.getByRole("dialog").or(other.locator("#account")).first().waitFor();
    const { rows } = await sql.query("select answer from account_events where id between 7701 and 7703 order by id");
    expect(rows.map(({ answer }) => answer)).toEqual(["", "mine", "foreign"]);
    await sql.end();
    expect(problems).toEqual([]);
    await Promise.all([elsewhere.close(), context.close()]);
  });

  test("names, birthday and address are kept; a reload shows them, and the header has the new name", async () => {
    await portal.copyOf("farm", "self.teller");
    const context = await portal.signedIn("self.teller");
    const { page, problems } = await openPage(context);
    await page.goto(`${portal.address}/selfCenter/basicInfo`);
    await page.locator("#nick-name").fill("老周");
    await page.locator("#real-name").fill("六个字的名字");
    const saves = page.getByRole("button", { name: "保存", exact: true });
    await saves.first().click();
    await page.locator("#real-name-problem").getByText(/2/).waitFor();
    await page.locator("#real-name").fill("周建国");
    await saves.first().click();
    await page.getByText("基本信息已保存").waitFor();
    await page.getByLabel("省", { exact: true }).selectOption({ label: "河南省" });
    await page.getByLabel("市", { exact: true }).selectOption({ label: "南阳市" });
    await page.locator("#address-text").fill("灌涨镇 18 号");
    await saves.last().click();
    await page.getByText("联系地址已保存").waitFor();
    await page.reload();
    await expect.poll(() => page.locator("#nick-name").inputValue()).toBe("老周");
    expect(await page.locator("#address-text").inputValue()).toBe("灌涨镇 18 号");
    await page.getByText("周建国").first().waitFor();
    // The refusals were asked for.
    expect(problems.filter((text) => !text.includes("400"))).toEqual([]);
    await context.close();
  });
});
