import { randomInt } from "node:crypto";
import { describe, expect, test } from "vitest";
import { foundBrowser } from "../harness/browser.ts";
import { endSession, logInAgain, openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();

describe.skipIf(foundBrowser === undefined)("what a customer typed and did not send", () => {
  test.each([
    ["/workOrder/orderService", "farm-order", "13912340094"],
    ["/workOrder/complaintOrder", "farm-complaint", "13912340095"],
  ])("into %s/add outlives a reload and the end of the session, and is sent once", async (list, account, phone) => {
    await portal.copyOf("farm", account, phone);
    const context = await portal.signedIn(account, { viewport: { width: 390, height: 844 } });
    const { page } = await openPage(context);
    await page.goto(`${portal.address}${list}/add`);
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
    await page.goto(`${portal.address}${list}/add`);
    await page.locator("#order-title").waitFor();
    expect(await page.locator("#order-title").inputValue()).toBe("");
    await context.close();
  });
});
