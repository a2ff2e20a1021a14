import type { Page as Rows, User } from "@herdwise/contract";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { allWays, openAs, words } from "../harness/journeys.ts";
import { openPage, usePortal } from "../harness/portal.ts";
import { basic, tokenOfDemo } from "../harness/session.ts";

const portal = usePortal();
const query = async <Row extends object>(text: string, values: unknown[]): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: portal.databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
};

/** Lifts the lock of an account, which leaves a message. */
async function leaveMessage(account: string): Promise<void> {
  const { access_token: token } = await tokenOfDemo(portal.address, "admin");
  const headers = { Authorization: basic, "Muyuan-Auth": `bearer ${token}` };
  const found = await fetch(`${portal.address}/api/muyuan-system/user/page?account=${account}`, { headers });
  const { data } = (await found.json()) as { data: Rows<User> };
  const query = new URLSearchParams({ userIds: data.records[0]?.id ?? "" });
  const answer = await fetch(`${portal.address}/api/muyuan-system/user/unlock?${query}`, { method: "POST", headers });
  expect(answer.status).toBe(200);
}

describe.skipIf(foundBrowser === undefined)("messages", () => {
  test("a notice shows in the header of every open tab, and reading it in one takes it from all", async () => {
    // No owner of farms: alarms of other tests would leave messages, too.
    await portal.copyOf("worker", "reader");
    const context = await portal.signedIn("reader");
    const { page: first } = await openPage(context);
    await first.goto(`${portal.address}/selfCenter/home`);
    await first.locator(".bell").waitFor();
    await leaveMessage("reader");
    const { page: second } = await openPage(context);
    await second.goto(`${portal.address}/selfCenter/equipmentManage/allDevices`);
    const bell = second.locator(".bell");
    await second.getByRole("link", { name: "消息，1 条未读" }).waitFor();
    await first.goto(`${portal.address}/selfCenter/news`);
    await first.getByText("管理员解除了您账号的登录锁定").first().waitFor();
    // The newest unread message stands beside the list, and is still unread.
    await first.getByRole("article").getByRole("heading", { name: "登录锁定已解除" }).waitFor();
    await first.getByRole("button", { name: "将“登录锁定已解除”标为已读" }).click();
    await first.getByText("没有未读消息").waitFor();
    await second.getByRole("link", { name: "消息", exact: true }).waitFor();
    expect(await bell.innerText()).toBe("");
    await context.close();
  });

  test("many unread messages: the name of the way to them holds the number that is seen", async () => {
    await portal.copyOf("worker", "hundred-reader");
    await leaveMessage("hundred-reader");
    await query(
      `insert into messages (id, account_id, kind, title)
       select m.id + n, m.account_id, m.kind, m.title from messages m join accounts a on a.id = m.account_id, generate_series(1, 119) n
       where a.account = $1`,
      ["hundred-reader"],
    );
    const context = await portal.signedIn("hundred-reader");
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/selfCenter/home`);
    await page.getByRole("link", { name: "消息，99+ 条未读" }).waitFor();
    expect(await page.locator(".bell").innerText()).toBe("99+");
    expect(await violationsOf(page)).toEqual([]);
    await context.close();
  });

  test("messages are marked unread, filtered, removed; nothing left says what would stand here", async () => {
    await portal.copyOf("worker", "sorter");
    const context = await portal.signedIn("sorter");
    const { page } = await openPage(context);
    await leaveMessage("sorter");
    await leaveMessage("sorter");
    await page.goto(`${portal.address}/selfCenter/news?status=0`);
    const rows = page.locator(".notes li");
    await rows.first().waitFor();
    await page.getByRole("button", { name: "全部标为已读" }).click();
    await page.getByText("1 个筛选下没有消息条目").waitFor();
    await page.goto(`${portal.address}/selfCenter/news`);
    await rows.first().waitFor();
    const count = await rows.count();
    await rows.first().getByRole("checkbox").check();
    await page.getByRole("button", { name: "标为未读" }).click();
    await page.getByRole("link", { name: "消息，1 条未读" }).waitFor();
    for (const cipher of await rows.getByRole("checkbox").all()) await cipher.check();
    await page.getByRole("button", { name: "删除", exact: true }).click();
    const question = page.getByRole("dialog", { name: `删除 ${count} 组消息？` });
    await question.getByRole("button", { name: "删除" }).click();
    await page.getByText("账号安全、权限申请等通知会出现在这里。").waitFor();
    await context.close();
  });

  test.each(allWays)(
    "one alarm is one row with its course, its state and its action: $lang, $width px",
    async ({ lang, width }) => {
      const { say } = words(lang);
      const account = `group.${lang}.${width}`;
      await portal.copyOf("farm", account);
      const { context, page, problems } = await openAs(portal, account, { lang, width });
      const [alarm] = await query<{ id: string }>(
        `insert into alarms (id, tenant_id, device_id, farm_id, house_id, unit_id, kind, rule_id, severity, since_at, raised_at)
         select (extract(epoch from clock_timestamp()) * 1000)::bigint, d.tenant_id, d.id, d.farm_id, d.house_id, d.unit_id, d.kind, $2, 3, now(), now()
           from devices d join memberships m on m.tenant_id = d.tenant_id join accounts a on a.id = m.account_id
          where a.account_key = $1 and d.tenant_id = '100002' and d.kind = 'environment' order by d.id limit 1 returning id::text as id`,
        [account, `test_${lang}_${width}`],
      );
      await query("delete from messages m using accounts a where a.id = m.account_id and a.account_key = $1", [
        account,
      ]);
      for (const at of [1, 2, 3])
        await query(
          `insert into messages (id, account_id, kind, title, content, link)
           select (extract(epoch from clock_timestamp()) * 1000)::bigint + $3, a.id, 'alarm', '严重告警', '氨气偏高', '/selfCenter/vet/alarm?id=' || $2
             from accounts a where a.account_key = $1`,
          [account, alarm?.id, at],
        );
      await page.goto(`${portal.address}/selfCenter/news`);
      // Other tests write to all members of the tenant.
      const row = page.locator(".notes > li").filter({ hasText: say("严重") });
      await row.first().waitFor();
      expect(await row.count()).toBe(1);
      await row.getByText(say("现在没人接手")).waitFor();
      // Its title is what happened, its level the mark before it.
      await row.getByText(say("严重"), { exact: true }).waitFor();
      expect(await row.getByText(say("严重告警")).count()).toBe(0);
      expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      expect(await violationsOf(page)).toEqual([]);
      // Where the message stands open beside the list, its actions are there alone.
      const isBeside = width > 1180;
      if (isBeside) await row.locator("button[class*=open]").click();
      const place = isBeside ? page.locator("article") : row;
      await place.getByRole("button", { name: say("确认，我来") }).click();
      await row.getByText(say("现在没人接手")).waitFor({ state: "detached" });
      if (!isBeside) await row.locator("button[class*=open]").click();
      await page.getByRole("heading", { name: say("经过") }).waitFor();
      await query("update alarms set ended_at = now() where id = $1", [alarm?.id]);
      expect(problems).toEqual([]);
      await context.close();
    },
  );
});
