import { randomInt } from "node:crypto";
import pg from "pg";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, inject } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { createPersonalCipher } from "../../apps/server/src/personal-cipher.ts";
import { browserOfWorker, foundBrowser, openPage as openAnyPage } from "./browser.ts";
import { dragPuzzle } from "./puzzle.ts";
import { testSecretKey } from "./seed.ts";
import { fromNewAddress, sessionOfDemo } from "./session.ts";

interface ContextOptions extends BrowserContextOptions {
  /**
   * Fetches the files of all screens ahead, as a browser does that need not save data. Each context would fetch some 380 files anew,
   * which took a third of the browser tests' time; so only those do whose test is about it.
   */
  fetchesAhead?: boolean;
}

/** The running portal with its demo and the browser, as one test file sees them. */
export interface Portal {
  readonly address: string;
  readonly mqttPort: number;
  readonly databaseUrl: string;
  readonly browser: Browser;
  /** A browser context that comes from a network address of its own; drawings move only where `options` says so. */
  newContext(options?: ContextOptions): Promise<BrowserContext>;
  /** Presses the button of a demo account on the log-in page. @param name part of what the button says */
  logInAsDemo(page: Page, name: string): Promise<void>;
  /** Logs in with name, password and the puzzle, as a person does. @param type the tab of the account's type */
  logInByPassword(page: Page, account: string, password: string, type?: string): Promise<void>;
  /** A context that is signed in as an account with the password of the demo. */
  signedIn(account: string, options?: ContextOptions): Promise<BrowserContext>;
  /**
   * Makes another account with name, password, memberships and roles of a demo account. A test that changes what belongs to a
   * person changes that of its own one, as others look at the demo's at the same time.
   * @param phone one that no other test uses
   */
  copyOf(demoAccount: string, account: string, phone?: string): Promise<void>;
  /** The digits of the newest message to a phone. @param not digits of an earlier one */
  codeSentTo(phone: string, not?: string): Promise<string>;
}

/** A page whose steps fail by themselves before the test's time is over, and so say which one it was. */
export async function openPage(context: BrowserContext) {
  context.setDefaultTimeout(30_000);
  return openAnyPage(context);
}

export const inCentre = (page: Page) => page.waitForURL(/\/selfCenter\//);

/** Lets the session of a page end, as time does; the page learns of it by its next call. */
export const endSession = (page: Page) =>
  page.evaluate(() => {
    localStorage.setItem("token", "gone");
    localStorage.setItem("refresh_token", "gone too");
  });
/** Logs in again where the page asks for it, over what is typed. */
export async function logInAgain(page: Page, say = (text: string) => text): Promise<void> {
  const again = page.getByRole("dialog", { name: say("登录已过期") });
  await again.waitFor();
  await page.locator("#again-password").fill(demoPassword);
  await dragPuzzle(page);
  await again.getByRole("button", { name: say("登录") }).click();
  await again.waitFor({ state: "detached" });
}

/** Consents to the agreements where a person is asked to. */
export async function agreeIfAsked(page: Page): Promise<void> {
  const agree = page.getByRole("button", { name: "同意并继续" });
  await Promise.race([agree.waitFor(), inCentre(page)]);
  if (await agree.isVisible()) await agree.click();
}

/** Puts a session into a context as the web app keeps it; what the pages make of it later is theirs. */
export async function keepSession(context: BrowserContext, session: Record<string, string>): Promise<void> {
  await context.addInitScript((entries) => {
    if (localStorage.getItem("seeded")) return;
    localStorage.setItem("seeded", "1");
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
  }, session);
}

/** The browser for the tests of this file; a file that leaves contexts open in it does not hand them to the next one. */
export function useBrowser(): { readonly browser: Browser } {
  let browser: Browser;
  beforeAll(async () => {
    if (foundBrowser !== undefined) browser = await browserOfWorker();
  });
  afterAll(async () => {
    await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
  });
  return {
    get browser() {
      return browser;
    },
  };
}

/** The portal of all browser tests; without a browser there is none. */
export function usePortal(): Portal {
  const connected = useBrowser();
  const shared = () => {
    const portal = inject("portal");
    if (portal === undefined) throw new Error("no Chromium was found");
    return portal;
  };
  const portal: Portal = {
    get address() {
      return shared().address;
    },
    get mqttPort() {
      return shared().mqttPort;
    },
    get databaseUrl() {
      return shared().databaseUrl;
    },
    get browser() {
      return connected.browser;
    },
    async newContext({ fetchesAhead = false, ...options } = {}) {
      const context = await connected.browser.newContext({
        reducedMotion: "reduce",
        ...options,
        extraHTTPHeaders: fromNewAddress(),
      });
      if (!fetchesAhead) {
        await context.addInitScript(() =>
          Object.defineProperty(navigator, "connection", { value: { saveData: true }, configurable: true }),
        );
      }
      return context;
    },
    async logInAsDemo(page, name) {
      await page.goto(`${portal.address}/login`);
      await page.getByRole("button", { name: new RegExp(name) }).click();
      await inCentre(page);
    },
    async logInByPassword(page, account, password, type = "个人") {
      await page.goto(`${portal.address}/login`);
      await page.getByRole("button", { name: type, exact: true }).click();
      await page.locator("#account").fill(account);
      await page.locator("#password").fill(password);
      await dragPuzzle(page);
      await page.getByLabel("我已阅读并同意").check();
      await page.getByRole("button", { name: "登录", exact: true }).click();
    },
    async signedIn(account, options) {
      const context = await portal.newContext(options);
      await keepSession(context, await sessionOfDemo(portal.address, account));
      return context;
    },
    async copyOf(demoAccount, account, phone) {
      const cipher = createPersonalCipher(testSecretKey);
      const client = new pg.Client({ connectionString: shared().databaseUrl });
      await client.connect();
      try {
        const newId = () => String(8_000_000_000_000_000_000n + BigInt(randomInt(2 ** 47)));
        const id = newId();
        await client.query(
          `insert into accounts (id, account, account_key, type, password_hash, real_name, nick_name, phone_encrypted, phone_index, phone_verified_at)
           select $1, $2, $2, type, password_hash, real_name, nick_name, $3, $4, case when $4::bytea is not null then now() end
           from accounts where account_key = $5`,
          [id, account, phone ? cipher.encrypt(phone) : "", phone ? cipher.index(phone) : null, demoAccount],
        );
        const { rows } = await client.query<{ id: string; tenant: string }>(
          `select m.id, m.tenant_id as tenant from memberships m join accounts a on a.id = m.account_id where a.account_key = $1`,
          [demoAccount],
        );
        for (const membership of rows) {
          const copy = newId();
          await client.query("insert into memberships (id, account_id, tenant_id) values ($1, $2, $3)", [
            copy,
            id,
            membership.tenant,
          ]);
          await client.query(
            "insert into membership_roles (membership_id, role_id) select $1, role_id from membership_roles where membership_id = $2",
            [copy, membership.id],
          );
          // Alarms of other tests are none of its messages.
          await client.query(
            "insert into alarm_subscriptions (id, tenant_id, account_id, channel, least_severity, enabled) values ($1, $2, $3, 'site', 1, false)",
            [newId(), membership.tenant, id],
          );
        }
      } finally {
        await client.end();
      }
    },
    async codeSentTo(phone, not = "") {
      for (let attempt = 0; attempt < 40; attempt++) {
        const answer = await fetch(`${portal.address}/dev/outbox.json`);
        const messages = (await answer.json()) as { to: string; text: string }[];
        const digits = messages
          .filter(({ to }) => to === phone)
          .map(({ text }) => /验证码 (\d{6})/.exec(text)?.[1] ?? "")
          .find((found) => found !== "" && found !== not);
        if (digits) return digits;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error(`nothing was sent to ${phone}`);
    },
  };
  return portal;
}
