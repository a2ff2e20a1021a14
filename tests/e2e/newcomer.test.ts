import { cancellationDeskPage, type RealNameReview, type TokenReply } from "@herdwise/contract";
import { idCheckCharacter } from "@herdwise/contract/real-name-checks";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { foundBrowser, settled } from "../harness/browser.ts";
import { lookAt, navigate } from "../harness/crawl.ts";
import { customerRoutes } from "../harness/customer-routes.ts";
import { apiOf } from "../harness/departments.ts";
import { register as registerOn } from "../harness/journeys.ts";
import { keepSession, openPage, usePortal } from "../harness/portal.ts";
import { basic, fromNewAddress, md5 } from "../harness/session.ts";
import { isInTurn, volume } from "../harness/volume.ts";

const portal = usePortal();
const phone = "13912340017";
const account = "newcomer.first";
const password = "Sow-litter-14";
/** What the web app keeps of the session of somebody who has just registered. */
let session: Record<string, string>;

/** Registers as a person does, and logs in. */
async function register(): Promise<Record<string, string>> {
  const context = await portal.newContext();
  const { page } = await openPage(context);
  await registerOn(portal, page, { account, phone, password });
  const kept = await page.evaluate<Record<string, string>>("({ ...localStorage })");
  await context.close();
  return kept;
}

/** What stands for data that are not there, with what it says. */
const emptiesOn = (page: Page) =>
  page.locator(".exception:visible").evaluateAll((found) =>
    found.map((element) => {
      const { innerText } = element as unknown as { innerText: string };
      return innerText.replaceAll("\n", " ");
    }),
  );
/** Says nothing of what to do. */
const speechless = /暂无数据|这里还没有内容|No data|There is nothing here yet/;
const failed = /服务器出错了|没有访问权限|页面不存在|Server error|No access|Page not found/;

const customers = customerRoutes.filter(({ path }) => !/\/selfCenter\/(vet|biosafety|clean)\//.test(path));
const ofDevices = customerRoutes.filter((route) => !customers.includes(route));
const ways = (["zh", "en"] as const).flatMap((lang) =>
  [390, 1440].map((width, at) => ({ lang, width, way: at + (lang === "zh" ? 0 : 2) })),
);
/** Each way opens a part of them, all ways together every one, another way in each run; in `npm run test:long` each way opens all. */
const shareOf = <Route>(routes: readonly Route[], way: number, parts: number): readonly Route[] =>
  routes.filter((_, at) => isInTurn(at - way, parts));

describe.skipIf(foundBrowser === undefined)("somebody who has just registered", () => {
  beforeAll(async () => {
    session = await register();
  });

  test.each(ways)(
    "opens every route of the self-centre by its address: $lang, $width px",
    async ({ lang, width, way }) => {
      const context = await portal.newContext({
        viewport: { width, height: 900 },
        colorScheme: way % 3 === 0 ? "light" : "dark",
      });
      await context.addCookies([{ name: "langType", value: lang, url: portal.address }]);
      await keepSession(context, { ...session, langType: lang });
      const { page, problems } = await openPage(context);
      await page.goto(`${portal.address}/selfCenter/home`);
      const routes = [...shareOf(customers, way, 4), ...shareOf(ofDevices, way, 8)];
      expect(routes.length).toBeGreaterThan(3);
      for (const [at, { path }] of routes.entries()) {
        // The first one as a link from outside is opened, the others as the app's own.
        if (at === 0) await page.goto(portal.address + path);
        else await navigate(page, path);
        await settled(page);
        expect.soft(new URL(page.url()).pathname, path).toBe(path);
        const empties = await emptiesOn(page);
        expect
          .soft(
            empties.filter((text) => speechless.test(text) || failed.test(text)),
            path,
          )
          .toEqual([]);
        // Empty pages differ in words alone: axe looks at the English ones.
        const axe = volume({ short: lang === "en", long: true });
        await lookAt(page, path, { width, alsoAt: [], lang, axe }, at === 0 ? undefined : "header.top, aside.side");
      }
      expect(problems).toEqual([]);
      await context.close();
    },
  );

  test("finds what the menu names, and the desk finds what it must answer", async () => {
    const context = await portal.newContext({ viewport: { width: 1440, height: 900 } });
    await keepSession(context, session);
    const { page, problems } = await openPage(context);
    await page.goto(`${portal.address}/selfCenter/home`);
    await settled(page);
    const inMenu = await page
      .locator("aside.side a[href], header.top nav a[href]")
      .evaluateAll((links) => links.map((link) => (link as unknown as { pathname: string }).pathname));
    const wanted = ["basicInfo", "realName", "safeManage", "contractManage", "news"].map(
      (name) => `/selfCenter/${name}`,
    );
    expect(wanted.filter((path) => !inMenu.includes(path))).toEqual([]);
    expect(inMenu).not.toContain("/selfCenter/contractManage/history");
    // From the menu, by its link.
    await page.locator('aside.side a[href="/selfCenter/realName"]').first().click();
    await page.waitForURL(/\/selfCenter\/realName/);
    await settled(page);
    // Hidden details of the desk are none of a customer's.
    await navigate(page, "/customer/cancellation/detail");
    await page.locator(".exception .missing").waitFor();
    expect(problems).toEqual([]);
    await context.close();

    const { records } = await apiOf(
      portal,
      "admin",
    )<{ records: { id: string }[] }>(`${cancellationDeskPage.path}?queue=waiting`);
    const staff = await portal.signedIn("admin", { viewport: { width: 1440, height: 900 } });
    const { page: desk } = await openPage(staff);
    await desk.goto(`${portal.address}/customer/cancellation/detail?id=${records[0]?.id}`);
    await lookAt(desk, "a cancellation at the desk", { width: 1440, alsoAt: [], lang: "zh" });
    expect(await desk.getByRole("button", { name: /同意/ }).count()).toBeGreaterThan(0);
    await staff.close();
  });

  test("changes the phone without the old number, by the ID number that was authenticated, on a phone in English", async () => {
    const answer = await fetch(`${portal.address}/api/muyuan-auth/oauth/token`, {
      method: "POST",
      headers: { Authorization: basic, ...fromNewAddress() },
      body: new URLSearchParams({ grant_type: "password", username: account, password: md5(password) }),
    });
    const { access_token: token } = (await answer.json()) as TokenReply;
    const idNumber = `41132519850612001${idCheckCharacter("41132519850612001")}`;
    const submitted = await fetch(`${portal.address}/api/muyuan-customer/real-name/submit`, {
      method: "POST",
      headers: { Authorization: basic, "Muyuan-Auth": `bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({
        kind: "personal",
        values: { personName: "郭新来", idNumber },
        lastSix: idNumber.slice(-6),
      }),
    });
    const { data } = (await submitted.json()) as { data: { id: string } };
    const review = "/api/muyuan-customer/real-name-review";
    const desk = apiOf(portal, "admin");
    await desk(`${review}/claim`, { id: data.id });
    const { version, items } = await desk<RealNameReview>(`${review}/detail?id=${data.id}`);
    const verdicts = items.map(({ field }) => ({ field, reason: "none" }));
    await desk(`${review}/decide`, { id: data.id, version, verdicts });

    const context = await portal.newContext({ viewport: { width: 390, height: 844 } });
    await context.addCookies([{ name: "langType", value: "en", url: portal.address }]);
    await keepSession(context, { ...session, token, langType: "en" });
    const { page, problems } = await openPage(context);
    await page.goto(`${portal.address}/selfCenter/safeManage?open=phone`);
    await page.getByText("The old number is gone: check my ID").click();
    await page.locator("#last-six").fill("000000");
    await page.getByRole("button", { name: "Next" }).click();
    await page.locator("#last-six-problem").waitFor();
    await page.locator("#last-six").fill(idNumber.slice(-6));
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText(/Verified, good for/).waitFor();
    await page.locator("#new-phone").fill("13912340018");
    await page.getByRole("button", { name: "Get code" }).click();
    await page.locator("#new-phone-code").fill(await portal.codeSentTo("13912340018"));
    await lookAt(page, "a phone by the ID number", { width: 390, alsoAt: [], lang: "en" });
    await page.getByRole("button", { name: "Change the phone" }).click();
    await page.getByRole("button", { name: "Stop the change" }).waitFor();
    await lookAt(page, "a phone that waits for its change", { width: 390, alsoAt: [], lang: "en" });
    // The wrong digits were refused.
    expect(problems.filter((text) => !text.includes("400"))).toEqual([]);
    await context.close();
  });
});
