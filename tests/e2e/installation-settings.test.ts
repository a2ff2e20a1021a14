import { once } from "node:events";
import { text } from "node:stream/consumers";
import pg from "pg";
import { SMTPServer } from "smtp-server";
import { describe, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { foundBrowser } from "../harness/browser.ts";
import { openPage, usePortal } from "../harness/portal.ts";

const portal = usePortal();

/** A mail server that takes everything, and what it was sent. */
async function startMailServer() {
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onData(stream, _session, done) {
      void text(stream).then((source) => {
        received.push(source);
        done();
      });
    },
  });
  server.on("error", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const address = server.server.address();
  return {
    received,
    port: typeof address === "object" && address !== null ? address.port : 0,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

describe.skipIf(foundBrowser === undefined)("the settings of the installation", () => {
  test("a new brand, telephone and record are on the public page at once, and a mail is tried", async () => {
    const context = await portal.signedIn("admin");
    const { page } = await openPage(context);
    const field = (key: string) => page.locator(`[id="${key}"]`);
    const save = async () => {
      // What is saved has no bar to save it any more.
      const bar = page.locator("button[type=submit]", { hasText: "保存" });
      await bar.click();
      const own = page.getByLabel("您的登录密码");
      await expect.poll(async () => (await own.isVisible()) || (await bar.count()) === 0).toBe(true);
      if (await own.isVisible()) {
        await own.fill(demoPassword);
        await page.getByRole("button", { name: "继续" }).click();
      }
      await bar.waitFor({ state: "detached" });
    };
    /** The public page as a visitor gets it. */
    const visited = async (): Promise<string> => (await fetch(`${portal.address}/index`)).text();
    const mails = await startMailServer();
    try {
      // Kept before, so that what changes has to be dropped.
      expect(await visited()).not.toContain("400-800-4711");
      await page.goto(`${portal.address}/system/setting`);
      await field("brand.name").fill("牧云");
      await field("site.phone").fill("call us");
      await field("site.icpNumber").fill("豫ICP备20264711号");
      await page.getByRole("button", { name: "保存", exact: true }).click();
      const own = page.getByLabel("您的登录密码");
      const problem = page.getByText("请填电话号码，如 400-800-1234").first();
      await own.or(problem).first().waitFor();
      if (await own.isVisible()) {
        await own.fill(demoPassword);
        await page.getByRole("button", { name: "继续" }).click();
      }
      await problem.waitFor();
      await page.locator('[id="site.phone"]:focus').waitFor();
      await field("site.phone").fill("400-800-4711");
      await save();
      const seen = await visited();
      for (const said of ["牧云", "400-800-4711", "豫ICP备20264711号"]) expect(seen).toContain(said);

      await field("mail.host").fill("127.0.0.1");
      await field("mail.port").fill(String(mails.port));
      await field("mail.security").selectOption("none");
      await field("mail.from").fill("牧云 <no-reply@example.cn>");
      // Who leaves with unsaved changes is asked.
      await page.getByRole("link", { name: "操作记录", exact: true }).first().click();
      await page.getByText("改动还没有保存，关闭后会丢失。").waitFor();
      await page.getByRole("button", { name: "取消", exact: true }).click();
      await save();
      await page.getByRole("region", { name: "邮件服务器" }).getByRole("button", { name: "试一试" }).click();
      await page.getByLabel("发到哪个邮箱").fill("somebody@example.cn");
      await page.getByRole("button", { name: "发送", exact: true }).click();
      await page.getByText("the mail server took the mail").waitFor();
      expect(mails.received.join()).toContain("To: somebody@example.cn");
      await page.getByRole("dialog").getByRole("button", { name: "关闭", exact: true }).last().click();

      await page.getByRole("region", { name: "文件存储" }).getByRole("button", { name: "试一试" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "试一试", exact: true }).click();
      await page.getByText("a file was stored, read again and removed").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "关闭", exact: true }).last().click();
      expect(await field("files.bucket").isDisabled()).toBe(true);

      // The forms show and check the rule in force, also one that was opened before.
      const guest = await portal.newContext();
      const { page: registering } = await openPage(guest);
      await registering.goto(`${portal.address}/register`);
      await registering.getByText("6 到 20 位，要有大写字母、小写字母、数字、标点中的 2 种").waitFor();
      await field("password.least").fill("9");
      await field("password.kinds").fill("3");
      await save();
      await registering.reload();
      await registering.getByText("9 到 20 位，要有大写字母、小写字母、数字、标点中的 3 种").waitFor();
      await registering.locator("#new-password").fill("Ab-45678");
      await registering.getByText("密码至少 9 位").waitFor();
      await guest.close();
    } finally {
      // Other tests share this portal, which reads its settings again by itself.
      const client = new pg.Client({ connectionString: portal.databaseUrl });
      await client.connect();
      await client.query("delete from parameters where param_key ~ '^(brand|site|mail|password)[.]'");
      await client.end();
      await expect.poll(visited, { timeout: 10_000 }).not.toContain("400-800-4711");
      await mails.close();
      await context.close();
    }
  });
});
