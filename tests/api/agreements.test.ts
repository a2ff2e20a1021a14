import {
  type Agreement,
  type AgreementConsent,
  type AgreementState,
  type AgreementVersion,
  type AgreementVersionDetail,
  agreementStates,
  type Page,
} from "@herdwise/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { versionTransitions } from "../../apps/server/src/modules/agreements/version.service.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { md5 } from "../harness/session.ts";

let app: TestApp;
let admin: string;
let service: string;
let owner: string;

const base = "/api/muyuan-customer/agreement";
const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query<Row>(text, values)).rows;
const post = async <Data = { reason?: string }>(path: string, body: unknown, token = admin) => {
  const answer = await app.call({ method: "POST", path: `${base}${path}`, body, token });
  return { status: answer.status, data: answer.body.data as Data };
};
const detail = async (id: string) =>
  (await app.get<AgreementVersionDetail>(`${base}/detail?id=${id}`, admin)).body.data;
const pending = async (token: string, lang = "zh") =>
  (await app.get<Agreement[]>(`${base}/pending?lang=${lang}`, token)).body.data;

let made = 1;
const text = (words: string) => ({ title: "隐私政策", summary: words, body: `第一段。\n\n${words}` });
const draft = (more: object = {}) => {
  made += 1;
  return {
    kind: "privacy",
    version: `2.${made}`,
    askAgain: true,
    zh: text("新的一段"),
    en: text("A new paragraph"),
    ...more,
  };
};
/** A version in a state, and what its row version is. */
async function versionIn(state: AgreementState): Promise<{ id: string; rowVersion: number }> {
  const { data } = await post<{ id: string; rowVersion: number }>("/submit", draft());
  if (state === "draft") return data;
  const at = state === "scheduled" ? { at: "2099-01-01 08:00" } : {};
  if (state === "scheduled")
    await query(
      "update agreement_versions set published_at = now() + interval '30 days', row_version = row_version + 1 where id = $1",
      [data.id],
    );
  else {
    expect((await post("/publish", { ...data, ...at })).status).toBe(200);
    if (state === "past") await versionIn("current");
  }
  return { id: data.id, rowVersion: (await detail(data.id)).rowVersion };
}
const agree = async (token: string) => {
  const ids = (await pending(token)).map(({ id }) => id);
  if (ids.length > 0) expect((await post("/consent", { ids }, token)).status).toBe(200);
};

beforeAll(async () => {
  app = await createTestApp();
  [admin, owner] = [await app.logIn("admin"), await app.logIn("farm")];
  const [id, membership] = [app.nextId(), app.nextId()];
  await query(
    "insert into accounts (id, account, account_key, type, password_hash) values ($1, 'agree-clerk', 'agree-clerk', 'employee', $2)",
    [id, await app.hashPassword(md5(demoPassword))],
  );
  await query("insert into memberships (id, account_id, tenant_id) values ($1, $2, '000000')", [membership, id]);
  await query(
    "insert into membership_roles select $1, id from roles where tenant_id = '000000' and role_alias = 'customer_service'",
    [membership],
  );
  service = await app.logIn("agree-clerk");
});
afterAll(() => app.close());
beforeEach(() => app.pass(61));

describe("what may happen to a version", () => {
  const events = ["edit", "publish", "unschedule", "remove"] as const;
  const callers = { administrator: () => admin, clerk: () => service, customer: () => owner };
  const ask = (event: (typeof events)[number], of: { id: string; rowVersion: number }, token: string) =>
    event === "edit" ? post("/submit", { ...draft(), ...of }, token) : post(`/${event}`, of, token);

  test.each(agreementStates.flatMap((state) => events.map((event) => [state, event] as const)))(
    "%s: %s",
    async (state, event) => {
      const allowed = versionTransitions[state].includes(event);
      const of = await versionIn(state);
      for (const caller of ["clerk", "customer"] as const)
        expect((await ask(event, of, callers[caller]())).status, caller).toBe(403);
      const trail = async () =>
        (await query("select from audit_entries where resource = 'agreement' and row_id = $1", [of.id])).length;
      const before = await trail();
      const { status, data } = await ask(event, of, admin);
      expect(status).toBe(allowed ? 200 : 409);
      if (!allowed) expect(data.reason).toBe("agreements.state");
      expect(await trail()).toBe(before + (allowed ? 1 : 0));
    },
  );

  test("only as it was read", async () => {
    const of = await versionIn("draft");
    expect((await post("/submit", { ...draft(), ...of })).status).toBe(200);
    expect((await post("/publish", of)).data.reason).toBe("agreements.changed");
  });

  test("texts of a published one do not change, whoever writes to the database", async () => {
    const { id } = await versionIn("current");
    await expect(query("update agreement_texts set body = 'anders' where version_id = $1", [id])).rejects.toThrow(
      "does not change",
    );
    await expect(query("delete from agreement_versions where id = $1", [id])).rejects.toThrow();
  });

  test("is whole in both languages and has a number and time of its own", async () => {
    const reasonOf = async (body: object) => (await post("/submit", body)).data.reason;
    expect(await reasonOf(draft({ version: " " }))).toBe("agreements.version");
    expect(await reasonOf(draft({ version: "1.0" }))).toBe("agreements.version_used");
    const { data } = await post<{ id: string; rowVersion: number }>(
      "/submit",
      draft({ en: { title: "", summary: "", body: "" } }),
    );
    expect((await post("/publish", data)).data.reason).toBe("agreements.incomplete");
    const whole = await versionIn("draft");
    expect((await post("/publish", { ...whole, at: "2020-01-01 08:00" })).data.reason).toBe("agreements.publish_time");
    expect((await post("/publish", { ...whole, at: "2099-01-01 08:00" })).data.reason).toBe("agreements.publish_time");
  });
});

describe("who is asked again", () => {
  test("everybody by a version that asks, nobody by one that does not, in the reader's language", async () => {
    await agree(owner);
    expect(await pending(owner)).toEqual([]);
    const asking = await versionIn("current");
    expect((await pending(owner, "en")).map(({ id, summary }) => [id, summary])).toEqual([
      [asking.id, "A new paragraph"],
    ]);
    await agree(owner);
    const { data } = await post<{ id: string; rowVersion: number }>("/submit", draft({ askAgain: false }));
    expect((await post("/publish", data)).status).toBe(200);
    expect(await pending(owner)).toEqual([]);
    // Who never agreed is asked for the newest, also where it does not ask those who did.
    const other = await app.logIn("vet", "100002");
    expect((await pending(other)).map(({ id }) => id)).toContain(data.id);
    const current = await app.get<Agreement[]>(`${base}/skip-secure/current`);
    expect(current.body.data.find(({ kind }) => kind === "privacy")?.id).toBe(data.id);
  });

  test("not before its time, and from then on", async () => {
    await agree(owner);
    const { id } = await versionIn("scheduled");
    expect(await pending(owner)).toEqual([]);
    expect((await post("/consent", { ids: [id] }, owner)).data.reason).toBe("agreements.unknown");
    await query("update agreement_versions set published_at = now() where id = $1", [id]);
    expect((await pending(owner)).map((one) => one.id)).toEqual([id]);
    await agree(owner);
  });
});

test("a version is shown beside the one before it, and counted", async () => {
  const first = await versionIn("current");
  await agree(owner);
  const { data } = await post<{ id: string; rowVersion: number }>("/submit", draft({ zh: text("改过的一段") }));
  const shown = await detail(data.id);
  expect(shown).toMatchObject({
    state: "draft",
    previousId: first.id,
    zh: text("改过的一段"),
    previousZh: text("新的一段"),
  });
  const { records } = (await app.get<Page<AgreementVersion>>(`${base}/page?size=100`, admin)).body.data;
  expect(records.find(({ id }) => id === first.id)).toMatchObject({ state: "current", consents: 1 });
  expect(records.filter(({ kind, state }) => kind === "privacy" && state === "current")).toHaveLength(1);
});

test("who agreed when is found by name and version, shortened, and left as a file", async () => {
  const { id } = await versionIn("current");
  await agree(owner);
  const page = async (search: string, token = service) =>
    (await app.get<Page<AgreementConsent>>(`${base}/consent/page?${search}`, token)).body;
  const { records } = (await page(`versionId=${id}`)).data;
  expect(records).toHaveLength(1);
  expect(records[0]).toMatchObject({ account: "farm", kind: "privacy" });
  expect(records[0]?.contactName).toMatch(/^.\*\*$/);
  expect((await page(`versionId=${id}&keyword=nobody`)).data.total).toBe(0);
  expect((await page(`versionId=${id}&to=2020-01-01`)).data.total).toBe(0);
  expect((await app.get(`${base}/consent/page`, owner)).status).toBe(403);
  const { data } = await post<{ jobId: string }>("/consent/export", { versionId: id }, service);
  await expect
    .poll(
      async () =>
        (
          await query<{ state: string; rows: string }>(
            "select state, result ->> 'rows' as rows from background_jobs where id = $1",
            [data.jobId],
          )
        )[0],
      { timeout: 15_000, interval: 50 },
    )
    .toEqual({ state: "succeeded", rows: "1" });
});
