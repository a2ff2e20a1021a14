import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startServerProcess } from "../faults/server-process.ts";
import { foundBrowser, openPage } from "../harness/browser.ts";
import { lookAt } from "../harness/crawl.ts";
import { createEmptyDatabase, type TestDatabase } from "../harness/database.ts";
import { words } from "../harness/journeys.ts";
import { agreeIfAsked, inCentre, useBrowser } from "../harness/portal.ts";
import { dragPuzzle } from "../harness/puzzle.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const guide = readFileSync(join(root, "docs/operations/first-day.md"), "utf8");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };

/** A command of the guide, as npm would run it. */
function commandOf(name: string): string[] {
  const words_ = new RegExp(`npm run ${name} -- (.+)$`, "m").exec(guide)?.[1]?.trim().split(" ");
  if (words_ === undefined) throw new Error(`the guide has no ${name}`);
  const [, script = ""] = (scripts[name] ?? "").split(" ");
  return [join(root, script), ...words_];
}

let folder: string;
let held: TestDatabase;
let server: ServerProcess;
const connected = useBrowser();
const environment = () => ({ DATABASE_URL: held.url, DATA_DIR: folder });

beforeAll(async () => {
  if (foundBrowser === undefined) return;
  folder = await mkdtemp(join(tmpdir(), "herdwise-first-day-"));
  held = await createEmptyDatabase();
  server = await startServerProcess({ ...environment(), DEMO: "off", LOG_LEVEL: "error" });
});
afterAll(async () => {
  await server?.stop();
  await held?.drop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

async function createAdmin(name?: string): Promise<{ account: string; password: string }> {
  const [script = "", account = ""] = commandOf("create-admin");
  const { stdout } = await promisify(execFile)(process.execPath, [script, name ?? account], {
    env: { PATH: process.env.PATH ?? "", ...environment() },
  });
  return { account: name ?? account, password: /once: (\S+)/.exec(stdout)?.[1] ?? "" };
}

describe.skipIf(foundBrowser === undefined)("the first day by the guide", () => {
  test("the first administrator logs in, sees what is lacking, and a line goes when it is done", async () => {
    const { account, password } = await createAdmin();
    expect(password.length).toBeGreaterThan(12);
    const address = `http://127.0.0.1:${server.httpPort}`;
    const context = await connected.browser.newContext({ viewport: { width: 1366, height: 900 } });
    const { page, problems } = await openPage(context);
    await page.goto(`${address}/login`);
    await page.getByRole("button", { name: "集团员工", exact: true }).click();
    await page.locator("#account").fill(account);
    await page.locator("#password").fill(password);
    await dragPuzzle(page);
    await page.getByLabel("我已阅读并同意").check();
    await page.getByRole("button", { name: "登录", exact: true }).click();
    await agreeIfAsked(page).catch(async () => {
      throw new Error(`${page.url()}: ${await page.locator("body").innerText()}`);
    });
    await inCentre(page);
    await page.goto(`${address}/selfCenter/home`);
    const list = page.getByRole("region", { name: /开张前还差 \d+ 件/ });
    await list.waitFor();
    for (const lacking of [
      "对外地址",
      "品牌和公司名",
      "客户打哪个电话",
      "服务网点",
      "用户协议和隐私政策",
      "短信",
      "邮件",
      "网站证书",
      "第二个管理员",
    ])
      expect(await list.getByRole("link", { name: lacking, exact: true }).count(), lacking).toBe(1);
    await lookAt(page, "the first day", { width: 1366, alsoAt: [390], lang: "zh" });

    await createAdmin("second");
    await list.getByRole("link", { name: "全部检查" }).click();
    await page.waitForURL(/\/system\/health/);
    await page.getByRole("heading", { level: 1, name: /件要今天做/ }).waitFor();
    await page.getByRole("button", { name: "现在再查" }).click();
    await page.getByRole("button", { name: /^还有 \d+ 项$/ }).click();
    await page.getByText("2 个管理员").waitFor();
    await lookAt(page, "health", { width: 1366, alsoAt: [390], lang: "zh" });
    await page.goto(`${address}/selfCenter/home`);
    await list.waitFor();
    expect(await list.getByRole("link", { name: "第二个管理员" }).count()).toBe(0);
    expect(problems).toEqual([]);
    await context.close();
  });

  test("reads in English, too", async () => {
    const { say } = words("en");
    expect(say("开张前还差 {count} 件", { count: "2" })).toContain("2 things");
  });
});
