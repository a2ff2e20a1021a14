import { randomInt } from "node:crypto";
import {
  afterSalesSubmit,
  bankCardDeskPage,
  type Contract,
  cancellationDeskPage,
  contractPage,
  deskClaim,
  deskComplete,
  deskContractPage,
  deskOrderDetail,
  type Page as Rows,
  type WorkOrder,
} from "@herdwise/contract";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { foundBrowser } from "../harness/browser.ts";
import { apiOf } from "../harness/departments.ts";
import { agreeIfAsked, endSession, inCentre, logInAgain, openPage, usePortal } from "../harness/portal.ts";
import { inTurn } from "../harness/volume.ts";

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
    const device = page.locator("#order-device");
    if ((await device.count()) > 0) await device.selectOption("none");
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

  /** A form: where it is, how it is opened, what is typed into it, and whether a dialog is closed by its button to come to the next. */
  interface Form {
    path: string;
    open?: (page: Page) => Promise<unknown>;
    fields: Readonly<Record<string, string>>;
    closes?: string;
  }
  const press = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).first().click();
  const pressMore = (name: string) => async (page: Page) => {
    await press("更多")(page);
    await page.getByRole("menuitem", { name }).click();
  };

  /** In each run the forms of every fourth page: one draft keeps them all, and tests/kept-forms.test.ts names each that uses it. */
  const someOf = (forms: readonly Form[]): readonly Form[] => {
    const pages = new Set(inTurn([...new Set(forms.map(({ path }) => path))], 4));
    return forms.filter(({ path }) => pages.has(path));
  };

  /** Fills each form in or looks at what stands in it. */
  async function goThrough(page: Page, forms: readonly Form[], act: "fill" | "look"): Promise<void> {
    for (const [at, { path, open, fields, closes }] of forms.entries()) {
      if (forms[at - 1]?.path !== path || forms[at - 1]?.closes === undefined) {
        await page.goto(portal.address + path);
        await page.getByRole("heading", { level: 1 }).first().waitFor();
      }
      await open?.(page);
      for (const [field, text] of Object.entries(fields)) {
        const input = page.locator(field).first();
        await input.waitFor();
        const isTick = (await input.getAttribute("type")) === "checkbox";
        if (act === "look") {
          if (isTick) expect.soft(await input.isChecked(), `${path} ${field}`).toBe(text === "on");
          else expect.soft(await input.inputValue(), `${path} ${field}`).toBe(text);
        } else if (isTick) await input.setChecked(text === "on");
        else if (await input.evaluate((element) => (element as { tagName?: string }).tagName === "SELECT"))
          await input.selectOption(text);
        else await input.fill(text);
      }
      if (closes !== undefined) await press(closes)(page);
    }
  }

  /** Types into all forms, lets the session end, logs in anew, and looks at them: what they hold went through a reload, too. */
  async function outlives(
    page: Page,
    { account, type }: { account: string; type: string },
    all: readonly Form[],
  ): Promise<void> {
    const forms = someOf(all);
    page.on("dialog", (dialog) => void dialog.accept());
    await goThrough(page, forms, "fill");
    await endSession(page);
    await page.goto(`${portal.address}/selfCenter/home`);
    await page.waitForURL(/\/login/);
    await portal.logInByPassword(page, account, demoPassword, type);
    await agreeIfAsked(page);
    await inCentre(page);
    await goThrough(page, forms, "look");
  }

  const newOrder = async (title: string): Promise<string> => {
    const body = {
      title,
      description: "It squeaks.",
      repairMode: "remote",
      requestKey: crypto.randomUUID(),
      photos: [],
    };
    return (await apiOf(portal, "farm")<{ id: string }>(afterSalesSubmit.path, body)).id;
  };
  const atDesk = async (id: string, path: string, more: object = {}) => {
    const { version } = await apiOf(portal)<WorkOrder & { version: number }>(`${deskOrderDetail.path}?id=${id}`);
    await apiOf(portal)(path, { id, version, ...more });
  };

  test("into the forms of the desk outlives a reload, the end of the session and another log-in", async () => {
    const order = `/customer/workOrder/detail?id=${await newOrder("Typed at the desk")}`;
    await atDesk(new URLSearchParams(order.split("?")[1]).get("id") ?? "", deskClaim.path);
    const first = async (path: string) => (await apiOf(portal)<Rows<{ id: string }>>(path)).records[0]?.id ?? "";
    const closing = await first(`${cancellationDeskPage.path}?queue=waiting&size=1`);
    const contract = await first(`${deskContractPage.path}?queue=waiting&size=1`);
    const card = (await apiOf(portal)<Rows<{ lastFour: string; state: string }>>(`${bankCardDeskPage.path}?size=20`))
      .records;
    const lastFour = card.find(({ state }) => state !== "unbound")?.lastFour;
    const forms: readonly Form[] = [
      { path: order, fields: { 'textarea[aria-label="写给客户"]': "To whom it concerns" }, open: press("回复客户") },
      { path: order, open: press("转给同事"), fields: { "#desk-body": "Yours now" }, closes: "取消" },
      {
        path: order,
        open: pressMore("登记寄出"),
        fields: {
          "#desk-items": "2 bearings",
          "#desk-carrier": "Express",
          "#desk-tracking": "SF 1",
          "#desk-body": "On its way",
        },
        closes: "取消",
      },
      {
        path: order,
        open: pressMore("登记远程指导"),
        fields: { "#desk-minutes": "25", "#desk-body": "Set anew" },
        closes: "取消",
      },
      { path: order, open: pressMore("并入另一张"), fields: { "#desk-intoNumber": "WO12345" }, closes: "取消" },
      { path: order, open: press("完成"), fields: { "#desk-body": "Solved" } },
      {
        path: "/customer/detail?id=100002",
        open: (page) =>
          page
            .getByRole("button", { name: /^查看完整的/ })
            .first()
            .click(),
        fields: { "#reveal-reason": "The caller is the owner" },
        closes: "取消",
      },
      {
        path: "/customer/detail?id=100002",
        open: press("修改资料"),
        fields: { "#customer-contact": "Heng", "#customer-remark": "Calls in the morning" },
      },
      {
        path: "/customer/customer",
        open: press("导出"),
        fields: { '[role="dialog"] input[type="checkbox"]': "on", "#export-reason": "Yearly visit" },
      },
      {
        path: "/customer/bankCard",
        open: press(`看尾号 ${lastFour} 的完整卡号`),
        fields: { "#reveal-reason": "The bank asks" },
      },
      {
        path: `/customer/cancellation/detail?id=${closing}`,
        open: press("不同意"),
        fields: { "#closing-answer": "An invoice is open" },
      },
      {
        path: "/customer/agreement",
        open: press("新版本"),
        fields: { "#agreement-version": "9.9", "#agreement-summary-zh": "A line" },
      },
      {
        path: "/customer/announcement",
        open: press("写公告"),
        fields: {
          "#announcement-title": "Typed",
          "#announcement-content": "And not sent",
          "#announcement-audience": "chosen",
        },
      },
      {
        path: `/customer/contract/detail?id=${contract}`,
        open: press("撤回"),
        fields: { "#desk-reason": "A wrong amount" },
      },
      {
        path: "/customer/contract/draft",
        fields: { "#sign-days": "9" },
        // A draft that was begun has its template.
        open: async (page) => {
          const template = page.locator("main section li button").first();
          await template.or(page.locator("#sign-days")).first().waitFor();
          if (await template.isVisible()) await template.click();
        },
      },
    ];
    const context = await portal.signedIn("admin", { viewport: { width: 1440, height: 900 } });
    const { page } = await openPage(context);
    await outlives(page, { account: "admin", type: "集团员工" }, forms);
    await context.close();
  });

  test("into the forms of a customer outlives a reload, the end of the session and another log-in", async () => {
    const [open, solved] = [await newOrder("Typed by a customer"), await newOrder("Solved and not rated")];
    await atDesk(solved, deskClaim.path);
    await atDesk(solved, deskComplete.path, { body: "New bearings" });
    // The one that was sent first: what other tests draft and send meanwhile is soon signed.
    const [sent] = (await apiOf(portal, "farm")<Rows<Contract>>(`${contractPage.path}?size=50`)).records
      .filter(({ state }) => state === "sent" || state === "seen")
      .toSorted((a, b) => a.sentTime.localeCompare(b.sentTime));
    const rate = async (page: Page) => {
      const stars = page.getByRole("button", { name: /^4 星/ });
      await stars.waitFor();
      if ((await stars.getAttribute("aria-pressed")) === "false") await stars.click();
    };
    const detail = "/workOrder/orderService/detail?id=";
    const forms: readonly Form[] = [
      { path: detail + open, fields: { 'textarea[aria-label="写给服务台"]': "Still the same" } },
      { path: detail + solved, open: rate, fields: { 'textarea[aria-label="说几句（可以不写）"]': "Quick work" } },
      {
        path: `/selfCenter/contractManage/detail?id=${sent?.id}`,
        open: press("退回并写明原因"),
        fields: { "#reject-reason": "The amount is another one" },
      },
      {
        path: "/selfCenter/safeManage",
        open: press("加卡"),
        fields: { "#card-number": "6228 4800", "#card-phone": "13912340098" },
      },
      {
        path: "/selfCenter/news",
        open: (page) => page.goto(`${page.url()}#message-settings`),
        fields: { '[aria-labelledby="quiet-title"] input[type="checkbox"]': "on" },
      },
    ];
    const context = await portal.signedIn("farm", { viewport: { width: 390, height: 844 } });
    const { page } = await openPage(context);
    await outlives(page, { account: "farm", type: "企业" }, forms);
    await context.close();
  });
});
