import type { AuditEntry, Page as Rows } from "@herdwise/contract";
import { plainSentence } from "@herdwise/contract/audit-sentence";
import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser, settled } from "../harness/browser.ts";
import { apiOf } from "../harness/departments.ts";
import { openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();
const api = apiOf(portal);

describe.skipIf(foundBrowser === undefined)("audit trail, logs, sessions and attachments", () => {
  test("every entry of the demo is a sentence without keys, ids and structures, in both languages", async () => {
    // Beside what the demo wrote, some of each kind of change.
    const post = { postCode: "NIGHT", postName: "夜班兽医", category: "3" };
    await api("/api/muyuan-system/post/submit", post);
    const { records } = await api<Rows<{ id: string; version: number }>>(
      "/api/muyuan-system/post/page?current=1&size=1&postCode=NIGHT",
    );
    const [added] = records;
    await api("/api/muyuan-system/post/submit", { ...post, ...added, postName: "夜班值守", remark: "夜里在场" });
    await api("/api/muyuan-system/region/submit", { code: "110199", parentCode: "1101", name: "新区" });
    await api(`/api/muyuan-system/post/remove?ids=${added?.id}`, {});
    const faults: string[] = [];
    let read = 0;
    for (let current = 1, pages = 1; current <= pages; current += 1) {
      const rows = await api<Rows<AuditEntry>>(`/api/muyuan-log/audit/page?current=${current}&size=500`);
      pages = rows.pages;
      read += rows.records.length;
      // Titles that the tests of hostile texts plant look like code.
      for (const { resource, action, sentence, details } of rows.records.filter(
        ({ rowTitle }) => !/^T21 /.test(rowTitle),
      )) {
        const { names } = sentence;
        const said = [
          sentence.zh,
          sentence.en,
          ...details.flatMap(({ label, before, after }) => [label.en ?? label.zh, before?.en ?? "", after?.en ?? ""]),
        ];
        const own = said.join(" | ");
        const whole = plainSentence(sentence, "zh");
        if (
          /\d{15,}|\b[a-z]+_[a-z_]+\b|undefined|\[object|\bNaN\b|其他内容|其他操作|一条记录/.test(own) ||
          /[[{"]\w*"?:/.test(whole) ||
          /\p{Script=Han}/u.test(sentence.en) ||
          names.some((name) => /^\d{15,}$/.test(name))
        )
          faults.push(`${resource}.${action}: ${whole} | ${plainSentence(sentence, "en")}`);
      }
    }
    expect(read).toBeGreaterThan(3);
    expect([...new Set(faults)].slice(0, 30)).toEqual([]);
  }, 120_000);

  test("the trail is read by day, by person and by thing, on a phone too", async () => {
    const context = await portal.signedIn("admin");
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/system/audit`);
    await page
      .getByRole("heading", { name: /^\d{4}-\d{2}-\d{2}$/ })
      .first()
      .waitFor();
    await settled(page);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "按人" }).click();
    const persons = page.getByRole("list", { name: "按人" });
    await persons.getByRole("button", { disabled: false }).first().click();
    await page.getByText("只看这个人做过的：").waitFor();
    await page.getByRole("button", { name: "它的全部改动" }).first().click();
    await page.getByText("只看它的改动：").waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    await settled(page);
    expect(await violationsOf(page)).toEqual([]);
  });

  test("the number of a refused call leads to its entry; a session is ended after asking; files say where they are used", async () => {
    const context = await portal.signedIn("admin");
    const { page } = await openPage(context);
    const answer = await page.request.post(`${portal.address}/api/muyuan-system/post/submit`, { data: {} });
    expect(answer.status()).toBeGreaterThanOrEqual(400);
    await page.goto(`${portal.address}/system/log/error`);
    const search = page.getByRole("searchbox", { name: "报错时显示的编号" });
    await search.fill("no-such-number");
    await page.getByText("三种日志里都没有这个编号：可能抄错了，或已过保留期。").waitFor();
    await page.getByText(/保留 \d+ 天/).waitFor();
    await settled(page);
    expect(await violationsOf(page)).toEqual([]);

    // No account of other tests, whose sessions would end as well.
    await portal.copyOf("worker", "ended-everywhere");
    await portal.signedIn("ended-everywhere");
    await page.goto(`${portal.address}/system/session?q=ended-everywhere`);
    await page.locator("tbody tr").first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page
      .locator("tbody tr")
      .first()
      .getByRole("button", { name: /的操作|更多/ })
      .click();
    await page.getByRole("menuitem", { name: "结束这个人的全部会话" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "结束" }).click();
    await page.getByText(/已结束 \d+ 个会话，并告知了本人/).waitFor();

    await page.goto(`${portal.address}/system/attach`);
    await page.getByRole("heading", { name: "附件" }).waitFor();
    await settled(page);
    expect(await violationsOf(page)).toEqual([]);
  });
});
