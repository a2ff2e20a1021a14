import type { BrowserContext, Page } from "playwright-core";
import { openPage, type Portal } from "./portal.ts";
import { basic, tokenOfDemo } from "./session.ts";

/** The list that the browser tests of lists and forms use: one of those that are declared and nothing else. */
export const departmentScreen = "/archives/service-department";
export const departmentPath = "/api/muyuan-trade/service-department";

/** Calls the portal as a demo account. A refusal throws. */
export function apiOf(portal: Portal, account = "admin") {
  let token: Promise<string> | undefined;
  return async <Reply>(path: string, body?: object): Promise<Reply> => {
    token ??= tokenOfDemo(portal.address, account).then(({ access_token }) => access_token);
    const answer = await fetch(portal.address + path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        Authorization: basic,
        "Muyuan-Auth": `bearer ${await token}`,
        ...(body && { "Content-Type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { success, data, msg } = (await answer.json()) as { success: boolean; data: Reply; msg: string };
    if (!success) throw new Error(`${path}: ${msg}`);
    return data;
  };
}
export type Api = ReturnType<typeof apiOf>;

/** A department to add. Each test names its own by a word, so that files that run beside each other see only theirs. */
export const departmentOf = (word: string, number: number, more: object = {}) => ({
  departmentName: `${word}${String(number).padStart(2, "0")} office`,
  phone: `0377-6000${String(1000 + number)}`,
  principal: number % 2 === 0 ? "Zhou" : "Heng",
  regionCode: "411325",
  address: `Lane ${number}`,
  weekdayHours: "08:30-12:00",
  status: number % 5 === 0 ? "0" : "1",
  ...more,
});

/** Adds departments 1 to `count`. */
export async function addDepartments(api: Api, word: string, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  await Promise.all(numbers.map((number) => api(`${departmentPath}/submit`, departmentOf(word, number))));
}

/** Those that a word finds. */
export const foundDepartments = (api: Api, word: string) =>
  api<{ total: number; records: { id: string; version: number; departmentName: string; status: string }[] }>(
    `${departmentPath}/page?size=500&keyword=${encodeURIComponent(word)}`,
  );

/** Opens the list with its first rows there. */
export async function openDepartments(
  portal: Portal,
  context: BrowserContext,
  query = "",
): Promise<{ page: Page; problems: string[] }> {
  const opened = await openPage(context);
  await opened.page.goto(`${portal.address}${departmentScreen}${query}`);
  await opened.page.locator("tbody tr, ul li[data-row]").first().waitFor();
  return opened;
}

/** The address's parameters. */
export const addressOf = (page: Page): URLSearchParams => new URL(page.url()).searchParams;

/** A browser context as on a phone. */
export const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;
