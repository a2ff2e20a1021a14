import { randomInt } from "node:crypto";
import { afterSalesPage, deskOrderPage, devicePage, type Page as Rows, type WorkOrder } from "@herdwise/contract";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { pageAddress } from "@herdwise/device-kinds/kind-pages";
import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { lookAt } from "../harness/crawl.ts";
import { apiOf } from "../harness/departments.ts";
import { allWays, openAs, words } from "../harness/journeys.ts";
import { openPage, usePortal } from "../harness/portal.ts";
import { picture } from "../harness/upload.ts";
import { volume } from "../harness/volume.ts";

const portal = usePortal();
const ways = volume({ short: allWays.slice(0, 1), long: allWays });
const pages = kindList.find(({ kind }) => kind === "environment")?.pages;
const devicePath = (pages && pageAddress(pages, "device")) ?? "";

describe.skipIf(foundBrowser === undefined)("work orders", () => {
  test.each(ways)(
    "a broken fan: from the device's page to the desk, a part, a rating, and closed: $lang, $width px",
    async (way) => {
      const { lang, width } = way;
      const { say, like } = words(lang);
      const look = { alsoAt: [], lang };
      const title = `Fan ${randomInt(1e9)} sounds dull`;
      const [device] = (
        await apiOf(
          portal,
          "farm",
        )<Rows<{ id: string; serialNumber: string }>>(`${devicePage.path}?kind=environment&size=1`)
      ).records;
      const { context: customer, page } = await openAs(portal, "farm", { lang, width });
      await page.goto(`${portal.address}${devicePath}?id=${device?.id}&tab=about`);
      await page.getByRole("link", { name: say("提交工单") }).click();
      await page.getByText(say("会带上近 24 小时读数、告警、固件和单元模式，提交时封存，两边看到的一样。")).waitFor();
      await page.getByRole("button", { name: say("提交"), exact: true }).click();
      await page.getByText(say("标题至少 2 个字")).waitFor();
      await page.locator("#order-title").fill(title);
      await page.locator("#order-description").fill("It draws 4.2 A, the others 3.1 A.");
      // What was typed survives a reload.
      await page.reload();
      await page.getByText(say("会带上近 24 小时读数、告警、固件和单元模式，提交时封存，两边看到的一样。")).waitFor();
      expect(await page.locator("#order-title").inputValue()).toBe(title);
      const png = { name: "fan.png", mimeType: "image/png", buffer: await picture("png") };
      await page.getByLabel(say("加照片或视频")).setInputFiles(png);
      await page.getByRole("img", { name: say("第 {number} 张照片", { number: 1 }) }).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole("button", { name: say("提交"), exact: true }).click();
      await page.getByRole("heading", { name: title }).waitFor();
      await page.getByText(say("提交前 24 小时")).waitFor();
      await page.getByText(device?.serialNumber ?? "").waitFor();
      await lookAt(page, "order of a customer", { ...look, width });

      const { context: clerk, page: desk } = await openAs(portal, "admin", { lang, width: way.desk });
      await desk.goto(`${portal.address}/customer/workOrder?queue=unassigned&q=${encodeURIComponent(title)}`);
      await desk.getByRole("link", { name: title }).click();
      await desk.getByRole("button", { name: say("接手"), exact: true }).click();
      await desk.getByText(like("{name} 接手")).waitFor();
      await desk.getByRole("button", { name: say("内部备注") }).click();
      await desk.getByLabel(say("写给同事，客户看不到")).fill("Third of this batch");
      await desk.getByRole("button", { name: say("存备注") }).click();
      await desk.getByText("Third of this batch").waitFor();
      await desk.getByRole("button", { name: say("回复客户") }).click();
      await desk.getByLabel(say("写给客户"), { exact: true }).fill("Run it at 40 % until the bearing comes.");
      await desk.getByRole("button", { name: say("发送") }).click();
      await desk.getByText("Run it at 40 %").waitFor();
      await desk.getByRole("button", { name: say("更多") }).click();
      await desk.getByRole("menuitem", { name: say("登记寄出") }).click();
      await desk.locator("#desk-items").fill("2 bearings");
      await desk.locator("#desk-carrier").fill("Express");
      await desk.locator("#desk-tracking").fill("SF 1029");
      expect(await violationsOf(desk)).toEqual([]);
      await desk.getByRole("button", { name: say("确定") }).click();
      await desk.getByText("2 bearings").waitFor();
      await lookAt(desk, "order at the desk", { ...look, width: way.desk, alsoAt: way.desk > 1024 ? [1024] : [] });

      await page.reload();
      await page.getByText("2 bearings").waitFor();
      expect(await page.getByText("Third of this batch").count()).toBe(0);
      await page.getByRole("button", { name: say("收到了") }).click();
      await page.getByText(like("{name} 收到了寄出的东西")).waitFor();

      await desk.reload();
      await desk.getByRole("button", { name: say("完成"), exact: true }).click();
      await desk.locator("#desk-body").fill("New bearings, 3.1 A again.");
      await desk.getByRole("button", { name: say("确定") }).click();
      await desk.getByText("New bearings").waitFor();

      await page.reload();
      await page.getByRole("button", { name: new RegExp(`^${say("{count} 星", { count: 5 })}`) }).click();
      await page.getByRole("button", { name: say("评价并关闭") }).click();
      await page.getByText(say("已关闭")).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await Promise.all([customer.close(), clerk.close()]);
    },
  );

  test("a queue of the desk is found by its link, narrowed by who has it, and left with that", async () => {
    const page = async (query: string) =>
      await apiOf(portal, "admin")<Rows<WorkOrder>>(`${deskOrderPage.path}?${query}&size=20`);
    const all = await page("queue=all");
    const overdue = await page("queue=overdue");
    const context = await portal.signedIn("admin", { viewport: { width: 1440, height: 900 } });
    const { page: desk } = await openPage(context);
    const rows = desk.getByRole("listitem").filter({ has: desk.locator("a[href*='workOrder/detail?id=']") });
    const marked = async () => await desk.locator("nav [aria-current=true]").last().textContent();
    await desk.goto(`${portal.address}/customer/workOrder?queue=overdue`);
    await rows.first().waitFor();
    await expect.poll(marked).toBe(`超时${overdue.total}`);
    expect(await rows.count()).toBe(overdue.records.length);
    const people = desk.getByRole("complementary", { name: "服务台的负荷" }).getByRole("button");
    const name = (await people.first().textContent()) ?? "";
    await people.first().click();
    await desk.getByRole("button", { name: "去掉筛选 处理人" }).waitFor();
    await desk.getByRole("button", { name: "全部", exact: true }).click();
    await desk.waitForURL(/f\.queue=all/);
    expect(new URL(desk.url()).searchParams.get("f.assignee")).toMatch(/^\d+$/);
    const assigned = await page(`queue=all&assignee=${new URL(desk.url()).searchParams.get("f.assignee")}`);
    expect(assigned.total).toBeLessThan(all.total);
    await desk.getByText(`共 ${assigned.total} 条`).waitFor();
    await desk.getByText(`筛选自 ${all.total}`).waitFor();
    await desk.getByRole("link", { name }).first().waitFor();
    expect(await violationsOf(desk)).toEqual([]);
    await context.close();
  });

  test("orders of the demo read in English, on a phone and at a desk", async () => {
    const first = async (account: string, path: string) =>
      (await apiOf(portal, account)<Rows<WorkOrder>>(path)).records.find(({ deviceName }) => deviceName !== "")?.id;
    const own = await first("farm", `${afterSalesPage.path}?keyword=${encodeURIComponent("声音发闷")}`);
    const atDesk = await first("admin", `${deskOrderPage.path}?queue=mine&type=after_sales`);
    for (const [account, path, width] of [
      ["farm", `/workOrder/orderService/detail?id=${own}`, 390],
      ["admin", `/customer/workOrder/detail?id=${atDesk}`, 1440],
    ] as const) {
      const context = await portal.signedIn(account, { viewport: { width, height: 900 }, colorScheme: "dark" });
      await context.addCookies([{ name: "langType", value: "en", url: portal.address }]);
      const { page } = await openPage(context);
      await page.goto(portal.address + path);
      await page.getByText("The 24 hours before").waitFor();
      await lookAt(page, path, { width, alsoAt: [], lang: "en" });
      await context.close();
    }
  });
});
