import pg from "pg";
import { describe, expect, test } from "vitest";
import { foundBrowser } from "../harness/browser.ts";
import { openPage, usePortal } from "../harness/portal.ts";
import { basic } from "../harness/session.ts";

const portal = usePortal();

describe.skipIf(foundBrowser === undefined)("a change of somebody's roles", () => {
  test("is in force with the next call, and the open page follows without a reload", async () => {
    await portal.copyOf("farm", "loses-roles", "13900004388");
    const member = await portal.signedIn("loses-roles");
    const { page } = await openPage(member);
    await page.goto(`${portal.address}/selfCenter/roles`);
    await page.getByRole("heading", { name: "角色管理" }).waitFor();
    const menu = page.getByRole("link", { name: "角色管理" });
    await menu.first().waitFor();
    await page.evaluate("window.kept = true");

    // The owner, in another browser, leaves the member the role of a worker alone.
    const owner = await portal.signedIn("farm");
    const { page: other } = await openPage(owner);
    await other.goto(`${portal.address}/selfCenter/members`);
    const granted = await other.evaluate(async (authorization) => {
      const call = async (path: string, body?: object) => {
        const answer = await fetch(`/api/muyuan-system/${path}`, {
          method: body ? "POST" : "GET",
          headers: {
            authorization,
            "muyuan-auth": `bearer ${localStorage.getItem("token")}`,
            ...(body && { "content-type": "application/json" }),
          },
          ...(body && { body: JSON.stringify(body) }),
        });
        return (await answer.json()) as { code: number; data: never };
      };
      const { data: users } = await call("user/user-list?account=loses-roles");
      const { data: roles } = await call("role/select");
      const [user] = users as { id: string }[];
      const worker = (roles as { id: string; roleAlias: string }[]).find(({ roleAlias }) => roleAlias === "worker");
      return (await call("user/grant", { userIds: user?.id, roleIds: worker?.id })).code;
    }, basic);
    expect(granted).toBe(200);

    await page.getByRole("searchbox").first().fill("工");
    await page.getByRole("button", { name: "申请权限" }).waitFor();
    expect(await menu.count()).toBe(0);
    expect(await page.evaluate("window.kept")).toBe(true);
    await Promise.all([member.close(), owner.close()]);
  });

  test("shows a screen that was granted on the open page within seconds, without a click or a reload", async () => {
    await portal.copyOf("worker", "gains-roles", "13900004389");
    const member = await portal.signedIn("gains-roles");
    const { page } = await openPage(member);
    await page.goto(`${portal.address}/selfCenter/roles`);
    await page.getByRole("button", { name: "申请权限" }).waitFor();
    await page.evaluate("window.kept = true");
    const client = new pg.Client({ connectionString: portal.databaseUrl });
    await client.connect();
    await client.query(
      `update membership_roles mr set role_id = r.id from memberships m, accounts a, roles r
        where m.id = mr.membership_id and a.id = m.account_id and a.account_key = 'gains-roles'
          and r.tenant_id = m.tenant_id and r.role_alias = 'owner'`,
    );
    await client.end();
    const sinceMs = Date.now();
    await page.getByRole("heading", { name: "角色管理" }).waitFor({ timeout: 15_000 });
    await page.getByRole("link", { name: "角色管理" }).first().waitFor();
    expect(Date.now() - sinceMs).toBeLessThan(12_000);
    expect(await page.evaluate("window.kept")).toBe(true);
    await member.close();
  });
});
