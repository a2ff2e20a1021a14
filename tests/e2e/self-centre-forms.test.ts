import { randomInt } from "node:crypto";
import { describe, expect, test } from "vitest";
import { foundBrowser } from "../harness/browser.ts";
import { endSession, logInAgain, openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();

describe.skipIf(foundBrowser === undefined)("what a customer typed and did not send", () => {
  test.each([
    ["/workOrder/orderService/add", "farm-order", "13912340094"],
    ["/workOrder/complaintOrder/add", "farm-complaint", "13912340095"],
    ["/service/propose", "farm-suggestion", "13912340096"],
  ])("into %s outlives a reload and the end of the session, and is sent once", async (form, account, phone) => {
    await portal.copyOf("farm", account, phone);
    const context = await portal.signedIn(account, { viewport: { width: 390, height: 844 } });
    const { page } = await openPage(context);
    await page.goto(`${portal.address}${form}`);
    const title = `Typed ${randomInt(1e9)}`;
    const fields = { "#order-title": title, "#order-description": "It squeaks since Monday." };
    for (const [field, text] of Object.entries(fields)) await page.locator(field).fill(text);
    const category = page.locator("#order-category");
    if ((await category.count()) > 0) await category.selectOption("service");
    page.on("dialog", (dialog) => void dialog.accept());
    const stands = async () => {
      await page.locator("#order-title").waitFor();
      for (const [field, text] of Object.entries(fields)) expect(await page.locator(field).inputValue()).toBe(text);
    };
    await page.reload();
    await stands();
    await endSession(page);
    await page.getByRole("button", { name: "提交", exact: true }).click();
    await logInAgain(page);
    await stands();
    await page.getByRole("button", { name: "提交", exact: true }).click();
    await page.getByRole("heading", { name: title }).waitFor();
    // Sent is sent: the form is empty again.
    await page.goto(`${portal.address}${form}`);
    await page.locator("#order-title").waitFor();
    expect(await page.locator("#order-title").inputValue()).toBe("");
    await context.close();
  });

  test("into what is known of a person, and into the ways in, outlives a reload and the end of the session; an e-mail only in its tab", async () => {
    await portal.copyOf("farm", "farm-person", "13912340097");
    const context = await portal.signedIn("farm-person");
    const { page } = await openPage(context);
    page.on("dialog", (dialog) => void dialog.accept());
    const stands = async (fields: Record<string, string>) => {
      for (const [field, text] of Object.entries(fields)) {
        await page.locator(field).waitFor();
        expect(await page.locator(field).inputValue()).toBe(text);
      }
    };
    const typed = { "#nick-name": "Typed", "#address-text": "Lane 9" };
    await page.goto(`${portal.address}/selfCenter/basicInfo`);
    for (const [field, text] of Object.entries(typed)) await page.locator(field).fill(text);
    await page.reload();
    await stands(typed);
    await endSession(page);
    const save = page.locator("form", { has: page.locator("#nick-name") }).getByRole("button", { name: "保存" });
    await save.click();
    await logInAgain(page);
    await stands(typed);
    await save.click();
    await page.getByText("基本信息已保存").waitFor();
    // One form is saved, the other one still waits.
    await page.reload();
    await stands(typed);
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("draft_")))).toEqual([
      expect.stringContaining("_address"),
    ]);
    const email = { "#new-email": "typed@example.com" };
    await page.goto(`${portal.address}/selfCenter/safeManage?open=email`);
    for (const [field, text] of Object.entries(email)) await page.locator(field).fill(text);
    await page.reload();
    await stands(email);
    const { page: other } = await openPage(context);
    await other.goto(`${portal.address}/selfCenter/safeManage?open=email`);
    await other.locator("#new-email").waitFor();
    expect(await other.locator("#new-email").inputValue()).toBe("");
    await context.close();
  });
});
