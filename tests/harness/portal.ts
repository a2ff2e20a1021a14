import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { type ServerProcess, startServerProcess } from "../faults/server-process.ts";
import { foundBrowser, launchBrowser, openPage as openAnyPage } from "./browser.ts";
import { dragPuzzle } from "./puzzle.ts";

/** A running portal with its demo and a browser, for the tests of one file. */
export interface Portal {
  readonly address: string;
  readonly mqttPort: number;
  readonly browser: Browser;
  /** Presses the button of a demo account on the log-in page. @param name part of what the button says */
  logInAsDemo(page: Page, name: string): Promise<void>;
  /** Logs in with name, password and the puzzle, as a person does. @param type the tab of the account's type */
  logInByPassword(page: Page, account: string, password: string, type?: string): Promise<void>;
  /** The digits of the newest message to a phone. @param not digits of an earlier one */
  codeSentTo(phone: string, not?: string): Promise<string>;
}

/** A page whose steps fail by themselves before the test's time is over, and so say which one it was. */
export async function openPage(context: BrowserContext) {
  context.setDefaultTimeout(12_000);
  return openAnyPage(context);
}

export const inCentre = (page: Page) => page.waitForURL(/\/selfCenter\//);

/** Consents to the agreements where a person is asked to. */
export async function agreeIfAsked(page: Page): Promise<void> {
  const agree = page.getByRole("button", { name: "同意并继续" });
  await Promise.race([agree.waitFor(), inCentre(page)]);
  if (await agree.isVisible()) await agree.click();
}

/** Starts a server and a browser before the tests of this file and ends both after them; without a browser it starts nothing. */
export function servePortal(): Portal {
  let server: ServerProcess;
  let browser: Browser;
  let dataDir: string;
  beforeAll(async () => {
    if (foundBrowser === undefined) return;
    dataDir = await mkdtemp(join(tmpdir(), "herdwise-e2e-"));
    [server, browser] = await Promise.all([startServerProcess({ DATA_DIR: dataDir }), launchBrowser()]);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  });
  const addressOf = () => `http://127.0.0.1:${server.httpPort}`;
  return {
    get address() {
      return addressOf();
    },
    get mqttPort() {
      return server.mqttPort;
    },
    get browser() {
      return browser;
    },
    async logInAsDemo(page, name) {
      await page.goto(`${addressOf()}/login`);
      await page.getByRole("button", { name: new RegExp(name) }).click();
      await inCentre(page);
    },
    async logInByPassword(page, account, password, type = "个人") {
      await page.goto(`${addressOf()}/login`);
      await page.getByRole("button", { name: type, exact: true }).click();
      await page.locator("#account").fill(account);
      await page.locator("#password").fill(password);
      await dragPuzzle(page);
      await page.getByLabel("我已阅读并同意").check();
      await page.getByRole("button", { name: "登录", exact: true }).click();
    },
    async codeSentTo(phone, not = "") {
      for (let attempt = 0; attempt < 40; attempt++) {
        const answer = await fetch(`${addressOf()}/dev/outbox.json`);
        const messages = (await answer.json()) as { to: string; text: string }[];
        const digits = messages
          .filter(({ to }) => to === phone)
          .map(({ text }) => /\d{6}/.exec(text)?.[0] ?? "")
          .find((found) => found !== "" && found !== not);
        if (digits) return digits;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error(`nothing was sent to ${phone}`);
    },
  };
}
