import { randomInt } from "node:crypto";
import { afterSalesPage, deskOrderPage, devicePage, type Page as Rows, type WorkOrder } from "@herdwise/contract";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { pageAddress } from "@herdwise/device-kinds/kind-pages";
import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser } from "../harness/browser.ts";
import { lookAt } from "../harness/crawl.ts";
import { apiOf } from "../harness/departments.ts";
import { openPage, usePortal } from "../harness/portal.ts";
import { picture } from "../harness/upload.ts";

const portal = usePortal();
const pages = kindList.find(({ kind }) => kind === "environment")?.pages;
const devicePath = (pages && pageAddress(pages, "device")) ?? "";

describe.skipIf(foundBrowser === undefined)("work orders", () => {
  test("a broken fan: from the device's page on a phone to the desk, a part, a rating, and closed", async () => {
    const title = `Fan ${randomInt(1e9)} sounds dull`;
    const [device] = (
      await apiOf(
        portal,
        "farm",
      )<Rows<{ id: string; serialNumber: string }>>(`${devicePage.path}?kind=environment&size=1`)
    ).records;
    const customer = await portal.signedIn("farm", { viewport: { width: 390, height: 844 } });
    const { page } = await openPage(customer);
    await page.goto(`${portal.address}${devicePath}?id=${device?.id}`);
    await page.getByRole("link", { name: "提交工单" }).click();
    await page.getByText("会带上近 24 小时读数").waitFor();
    await page.getByRole("button", { name: "提交", exact: true }).click();
    await page.getByText("标题至少 2 个字").waitFor();
    await page.locator("#order-title").fill(title);
    await page.locator("#order-description").fill("It draws 4.2 A, the others 3.1 A.");
    // What was typed survives a reload.
    await page.reload();
    await page.getByText("会带上近 24 小时读数").waitFor();
    expect(await page.locator("#order-title").inputValue()).toBe(title);
    const png = { name: "fan.png", mimeType: "image/png", buffer: await picture("png") };
    await page.getByLabel("加照片或视频").setInputFiles(png);
    await page.getByRole("img", { name: "第 1 张照片" }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "提交", exact: true }).click();
    await page.getByRole("heading", { name: title }).waitFor();
    await page.getByText("提交前 24 小时").waitFor();
    await page.getByText(device?.serialNumber ?? "").waitFor();
    await lookAt(page, "order of a customer", { width: 390, alsoAt: [], lang: "zh" });

    const clerk = await portal.signedIn("admin", { viewport: { width: 1440, height: 900 } });
    const { page: desk } = await openPage(clerk);
    await desk.goto(`${portal.address}/customer/workOrder?queue=unassigned&q=${encodeURIComponent(title)}`);
    await desk.getByRole("link", { name: title }).click();
    await desk.getByRole("button", { name: "接手", exact: true }).click();
    await desk.getByText("郑航 接手").waitFor();
    await desk.getByRole("button", { name: "内部备注" }).click();
    await desk.getByLabel("写给同事，客户看不到").fill("Third of this batch");
    await desk.getByRole("button", { name: "存备注" }).click();
    await desk.getByText("Third of this batch").waitFor();
    await desk.getByRole("button", { name: "回复客户" }).click();
    await desk.getByLabel("写给客户", { exact: true }).fill("Run it at 40 % until the bearing comes.");
    await desk.getByRole("button", { name: "发送" }).click();
    await desk.getByText("Run it at 40 %").waitFor();
    await desk.getByRole("button", { name: "更多" }).click();
    await desk.getByRole("menuitem", { name: "登记寄出" }).click();
    await desk.locator("#desk-items").fill("2 bearings");
    await desk.locator("#desk-carrier").fill("Express");
    await desk.locator("#desk-tracking").fill("SF 1029");
    expect(await violationsOf(desk)).toEqual([]);
    await desk.getByRole("button", { name: "确定" }).click();
    await desk.getByText("2 bearings").waitFor();
    await lookAt(desk, "order at the desk", { width: 1440, alsoAt: [1024], lang: "zh" });

    await page.reload();
    await page.getByText("2 bearings").waitFor();
    expect(await page.getByText("Third of this batch").count()).toBe(0);
    await page.getByRole("button", { name: "收到了" }).click();
    await page.getByText("周建平 收到了寄出的东西").waitFor();

    await desk.reload();
    await desk.getByRole("button", { name: "完成", exact: true }).click();
    await desk.locator("#desk-body").fill("New bearings, 3.1 A again.");
    await desk.getByRole("button", { name: "确定" }).click();
    await desk.getByText("New bearings").waitFor();

    await page.reload();
    await page.getByRole("button", { name: /^5 星/ }).click();
    await page.getByRole("button", { name: "评价并关闭" }).click();
    await page.getByText("已关闭").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await Promise.all([customer.close(), clerk.close()]);
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
