import { alarmPath, type TodoList, todoKinds, todoList } from "@herdwise/contract";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser, settled } from "../harness/browser.ts";
import { openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();
let sql: pg.Client;
const alarmId = "8400000000000000777";
const consoleAlarmId = "8400000000000000778";

describe.skipIf(foundBrowser === undefined)("what is to be done now", () => {
  beforeAll(async () => {
    sql = new pg.Client({ connectionString: portal.databaseUrl });
    await sql.connect();
    await portal.copyOf("farm", "todo-keeper");
  });
  afterAll(async () => {
    await sql?.query("delete from alarms where id = any($1)", [[alarmId, consoleAlarmId]]);
    await sql?.end();
  });

  test("the console lists it with its day and the way there, the menu counts it, and groups stay folded", async () => {
    const context = await portal.signedIn("todo-keeper", { viewport: { width: 1440, height: 900 } });
    const { page, problems } = await openPage(context);
    const answered = page.waitForResponse((answer) => answer.url().includes(todoList.path));
    await page.goto(`${portal.address}/selfCenter/home`);
    const { data } = (await (await answered).json()) as { data: TodoList };
    expect(data.todos.length).toBeGreaterThan(0);
    const card = page.locator('[data-card="todo"]');
    await card.getByRole("listitem").first().waitFor();
    // Vaccinations of several units are one entry.
    const [first] = data.todos;
    const others = data.todos.filter(({ kind }) => kind !== "vaccination").length;
    const entries = others + Number(data.todos.some(({ kind }) => kind === "vaccination"));
    expect(await card.getByRole("listitem").count()).toBe(Math.min(entries, 6));
    // After-sales orders are counted at their entry.
    const orders = data.counts.filter(
      ({ kind, variant }) => kind.startsWith("work_order") && variant === "after_sales",
    );
    const waiting = orders.reduce((sum, { count }) => sum + count, 0);
    expect(waiting).toBeGreaterThan(0);
    const menu = page.locator("aside.side");
    await menu.getByRole("link", { name: `售后工单 ${waiting} 件待办` }).waitFor();
    await settled(page);
    expect(await violationsOf(page)).toEqual([]);
    // A group folds, and stays folded for the next page.
    const group = menu.getByRole("button", { name: "猪场管理" });
    await group.click();
    expect(await group.getAttribute("aria-expanded")).toBe("false");
    expect(await menu.getByRole("link", { name: "猪场结构" }).count()).toBe(0);
    await page.reload();
    await expect.poll(() => group.getAttribute("aria-expanded")).toBe("false");
    await group.click();
    await menu.getByRole("link", { name: "猪场结构" }).waitFor();
    // The first one is done where its link leads.
    const link = card.getByRole("listitem").first().getByRole("link");
    const several = first?.kind === "vaccination" && data.todos.length - others > 1;
    const way = first?.kind === "real_name" ? "realName" : several ? todoKinds.vaccination.list : (first?.id ?? "none");
    expect(await link.getAttribute("href")).toContain(way);
    await link.click();
    await page.waitForURL((url) => url.pathname !== "/selfCenter/home");
    await settled(page);
    expect(problems).toEqual([]);
    await context.close();
  });

  test("an alarm that is raised while the console stands open is counted there", async () => {
    const context = await portal.signedIn("todo-keeper", { viewport: { width: 1440, height: 900 } });
    const { page } = await openPage(context);
    await page.clock.install();
    await page.goto(`${portal.address}/selfCenter/home`);
    const card = page.locator('[data-card="alarms"]');
    await card.getByText("紧急").first().waitFor();
    await settled(page);
    await sql.query(
      `insert into alarms (id, tenant_id, device_id, farm_id, house_id, unit_id, kind, rule_id, severity, since_at, raised_at, facts)
       select $1, d.tenant_id, d.id, d.farm_id, u.house_id, d.unit_id, 'environment', 'carbon_dioxide_high', 4, now() - interval '9 days',
              now() - interval '9 days', '{"key": "co2", "value": 7431, "limit": 3000}'
         from devices d join units u on u.id = d.unit_id where d.serial_number = 'ENV-ZJY-06'`,
      [consoleAlarmId],
    );
    await page.clock.fastForward(16_000);
    await card.getByText(/7,?431/).waitFor();
    await sql.query("delete from alarms where id = $1", [consoleAlarmId]);
    await context.close();
  });

  test("a step of an alarm opens the command that it asks for, and masking begins at its unit", async () => {
    const { rows } = await sql.query<{ id: string; unit: string; name: string }>(
      `insert into alarms (id, tenant_id, device_id, farm_id, house_id, unit_id, kind, rule_id, severity, since_at, raised_at)
       select $1, d.tenant_id, d.id, d.farm_id, u.house_id, d.unit_id, 'environment', 'temperature_high', 3, now(), now()
         from devices d join units u on u.id = d.unit_id where d.serial_number = 'ENV-ZJY-06'
       returning device_id::text as id, unit_id::text as unit, ''::text as name`,
      [alarmId],
    );
    const [device] = rows;
    const context = await portal.signedIn("todo-keeper", { viewport: { width: 1440, height: 900 } });
    const { page } = await openPage(context);
    await page.goto(`${portal.address}${alarmPath}?id=${alarmId}`);
    const steps = page.getByRole("region", { name: "接下来做什么" });
    await steps.getByRole("link", { name: "手动档位…" }).click();
    await page.waitForURL(
      (url) => url.searchParams.get("id") === device?.id && url.searchParams.get("command") === "setGear",
    );
    const dialog = page.getByRole("alertdialog");
    await dialog.getByText("风机立即按这个档位运行").waitFor();
    await dialog.getByRole("button", { name: "取消", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await page.waitForURL((url) => !url.searchParams.has("command"));
    await page.goto(`${portal.address}${alarmPath}?id=${alarmId}`);
    await page.getByRole("link", { name: "屏蔽一段时间" }).click();
    await expect.poll(() => page.getByLabel("屏蔽哪里").inputValue()).toBe(`unit/${device?.unit}`);
    await page.goto(`${portal.address}${alarmPath}?id=${alarmId}`);
    await page.getByRole("complementary").getByRole("link", { name: "提交工单" }).click();
    await expect.poll(() => page.locator("#order-device").inputValue()).toBe(device?.id);
    await context.close();
  });
});
