import { type DeskContractDetail, deskContractDetail } from "@herdwise/contract";
import { expect } from "vitest";
import type { TestApp } from "./app.ts";
import { dayIn } from "./trade.ts";

const base = "/api/muyuan-contract";

/** Words of a contract on sales of pigs. */
const saleForm = {
  title: "生猪购销合同",
  titleEn: "Contract on sales of pigs",
  fields: [
    { key: "from", type: "date", role: "from", required: true, name: "开始日期", nameEn: "First day", options: [] },
    { key: "until", type: "date", role: "until", required: true, name: "结束日期", nameEn: "Last day", options: [] },
  ],
  clauses: [
    {
      heading: "期限",
      headingEn: "Term",
      body: "自 {{from}}起，至 {{until}}止。",
      bodyEn: "From {{from}} to {{until}}.",
    },
  ],
} as const;

/** A price term of 100 heads at 14.20 yuan, 100 to 130 kg, on loading days of the next 60 days. */
export const termOf = (more: object = {}) => ({
  category: "outer",
  field: "",
  saleRegion: "",
  fromKg: 100,
  toKg: 130,
  kind: "fixed",
  fen: 1420,
  heads: 100,
  fromDay: dayIn(0),
  toDay: dayIn(60),
  ...more,
});

/**
 * Contracts with price terms, drafted and sent by the administrator and signed by the owner of a customer.
 * @param account of the owner
 */
export async function contractsOf(app: TestApp, account: string) {
  const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await app.test.database.pool.query(text, values)).rows as Row[];
  const [owner] = await query<{ tenant: string; phone: string }>(
    `select m.tenant_id as tenant, a.phone_encrypted as phone from accounts a join memberships m on m.account_id = a.id where a.account = $1`,
    [account],
  );
  const phone = app.personalCipher.decrypt(owner?.phone ?? "");
  const post = async <Data>(path: string, body: object, token: string) => {
    const answer = await app.call({ method: "POST", path: `${base}/${path}`, body, token });
    return { status: answer.status, data: answer.body.data as Data, msg: answer.body.msg };
  };
  const done = async <Data>(answer: Promise<{ status: number; data: Data; msg: string }>): Promise<Data> => {
    const { status, data, msg } = await answer;
    expect([status, msg, (data as { problems?: unknown }).problems]).toEqual([200, "操作成功", undefined]);
    return data;
  };
  const first = await app.logIn("admin");
  await done(post("template/submit", { templateName: "购销", kind: "pig_sale", enabled: true }, first));
  const [template] = await query<{ id: string }>(
    "select id::text from contract_templates where template_name = '购销'",
  );
  const templateId = template?.id ?? "";
  await done(post("template/save-words", { id: templateId, versionNumber: 0, form: saleForm }, first));
  const calls = {
    query,
    post,
    done,
    templateId,
    tenantId: owner?.tenant ?? "",

    draft: (terms: readonly object[], until = dayIn(300)) =>
      post<{ id: string; problems?: { field: string; reason: string }[] }>(
        "desk/draft",
        { tenantId: owner?.tenant, templateId, values: { from: dayIn(0), until }, terms, signDays: 7 },
        first,
      ),

    async atDesk(id: string): Promise<DeskContractDetail> {
      return (await app.get<DeskContractDetail>(`${deskContractDetail.path}?id=${id}`, first)).body.data;
    },

    /** A step of the desk on the contract as it is. */
    async step(verb: string, id: string, body: object = {}) {
      // The group signs within five minutes of a log-in.
      const token = await app.logIn("admin");
      return done(post(`desk/${verb}`, { id, revision: (await calls.atDesk(id)).revision, ...body }, token));
    },

    /** Signs what was sent. */
    async sign(id: string, version = 1): Promise<void> {
      const token = await app.logIn(account);
      await done(post("contract/see", { id }, token));
      // A number gets one code a minute.
      await app.pass(61);
      const { codeId } = await done(post<{ codeId: string }>("contract/send-code", { id, version }, token));
      const newest = (await app.sms(phone)).find((text) => text.includes("验证码")) ?? "";
      await done(post("contract/sign", { id, version, codeId, code: /\d{6}/.exec(newest)?.[0] ?? "" }, token));
    },

    /** A contract that both sides signed, and the ids of its terms. */
    async signed(terms: readonly object[]): Promise<{ id: string; terms: string[] }> {
      const { id } = await done(calls.draft(terms));
      await calls.step("send", id);
      await calls.sign(id);
      const kept = await query<{ id: string }>(
        "select id::text from contract_terms where contract = $1 order by line",
        [id],
      );
      return { id, terms: kept.map((term) => term.id) };
    },
  };
  return calls;
}
