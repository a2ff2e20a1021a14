import { type Kysely, sql } from "kysely";
import type { PersonalCipher } from "../../personal-cipher.ts";
import type { DB } from "../generated/database.ts";
import { demoAccounts, seedTranslations } from "./demo.ts";

const demoLogins: readonly string[] = demoAccounts.map(({ account }) => account);
const privacyId = "1560000000000005002";
const draft = {
  id: "1560000000000005003",
  version: "1.1",
  zh: {
    summary: "写明微信通知用到的信息，以及公司怎样查看客户资料。",
    changes: [
      ["发送短信、核验身份、支付结算等服务", "发送短信、微信和邮件、核验身份、支付结算等服务"],
      ["查看完整信息需要权限并留下记录。", "查看完整信息需要权限、写明原因并留下记录，您在自己的记录里看得到。"],
    ],
  },
  en: {
    summary: "Says which information notices by WeChat need, and how staff look at customers' data.",
    changes: [
      [
        "Providers that send SMS, verify identities",
        "Providers that send SMS, WeChat messages and mails, verify identities",
      ],
      [
        "seeing them in full needs a permission and leaves a record.",
        "seeing them in full needs a permission and a reason and leaves a record that you can see.",
      ],
    ],
  },
} as const;

const notice = {
  title: "周六 22:00 到 23:00 平台维护",
  content: "维护期间页面可能打不开，设备照常控制，数据会补传。紧急告警照发短信。",
  titleEn: "Maintenance on Saturday, 22:00 to 23:00",
  contentEn:
    "Pages may be unreachable meanwhile. Devices go on controlling, data are sent later, and critical alarms still go out by SMS.",
};
const draftNotice = {
  title: "夏季降温检查清单",
  content: "湿帘、风机皮带、备用发电机，三样在高温前检查一遍。",
  titleEn: "Checklist before the summer heat",
  contentEn: "Pads, fan belts and the emergency generator: check all three before it gets hot.",
};

/** For a new demo: a customer that left, findings of others, a draft of an agreement, and announcements. */
export async function seedDemoCustomers(
  db: Kysely<DB>,
  { nextId, cipher }: { nextId: () => string; cipher: PersonalCipher },
): Promise<void> {
  await db.transaction().execute(async (to) => {
    await sql`insert into tenants (tenant_id, name, type, created_at) values ('100007', '旧河湾养殖场', 'personal', now() - interval '400 days')
      on conflict do nothing`.execute(to);
    await sql`update customer_entries set ended_at = now() - interval '12 days' where tenant_id = '100007'`.execute(to);
    await sql`update accounts set status = 0 where account_key = 'xinglong'`.execute(to);
    await seedTranslations(to, { 旧河湾养殖场: "Jiuhewan Farm" });
    await sql`insert into account_events (id, account_id, kind, user_agent, created_at)
      select ${nextId()}, a.id, 'log_in_locked', '', now() - interval '3 hours' from accounts a where a.account_key = 'guoht'`.execute(
      to,
    );
    await sql`insert into contact_changes (id, account_id, kind, state, proven_by, new_encrypted, created_at, effective_at)
      select ${nextId()}, a.id, 'phone', 'waiting', 'identity', ${cipher.encrypt("13800000029")}, now() - interval '1 day', now() + interval '2 days'
        from accounts a where a.account_key = 'xingnong'`.execute(to);
    await sql`insert into customer_profiles (tenant_id, region_code, remark)
      select t.tenant_id, p.region, p.remark
        from (values ('100001', '411326', ''), ('100002', '411325', ''), ('100003', '411324', ''), ('100004', '411325', ''),
                     ('100005', '411502', '每周三下午方便接电话'), ('100006', '411328', ''), ('100008', '411323', ''),
                     ('100009', '411381', ''), ('100010', '411327', '')) as p (tenant_id, region, remark)
        join tenants t on t.tenant_id = p.tenant_id on conflict do nothing`.execute(to);

    // Visitors of the demo are asked for consent like anybody; the other accounts already consented.
    await sql`insert into agreement_consents (account_id, version_id, agreed_at)
      select a.id, v.id, a.created_at from accounts a cross join agreement_versions v
       where v.published_at <= now() and a.removed_at is null and a.account_key <> all(${[...demoLogins]}::text[])
      on conflict do nothing`.execute(to);
    await sql`insert into agreement_versions (id, kind, version, published_at) values (${draft.id}, 'privacy', ${draft.version}, null)
      on conflict do nothing`.execute(to);
    for (const lang of ["zh", "en"] as const) {
      const { summary, changes } = draft[lang];
      const before = await to
        .selectFrom("agreementTexts")
        .select(["title", "body"])
        .where("versionId", "=", privacyId)
        .where("lang", "=", lang)
        .executeTakeFirst();
      if (before === undefined) continue;
      const body = changes.reduce((text, [old, fresh]) => text.replace(old, fresh), before.body);
      await to
        .insertInto("agreementTexts")
        .values({ versionId: draft.id, lang, title: before.title, summary, body })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }

    const [sentId, draftId] = [nextId(), nextId()];
    const author = sql`(select a.id from accounts a where a.account_key = 'kefu01')`;
    await sql`insert into announcements (id, title, content, title_en, content_en, audience, state, due_at, sent_at, created_by)
      values (${sentId}, ${notice.title}, ${notice.content}, ${notice.titleEn}, ${notice.contentEn}, 'all', 'sent', now() - interval '5 hours',
              now() - interval '5 hours', ${author}),
             (${draftId}, ${draftNotice.title}, ${draftNotice.content}, ${draftNotice.titleEn}, ${draftNotice.contentEn}, 'customers', 'draft',
              null, null, ${author})`.execute(to);
    const accounts = await to
      .selectFrom("accounts")
      .select(["id", "accountKey"])
      .where("removedAt", "is", null)
      .execute();
    await sql`insert into announcement_receipts (announcement_id, account_id, read_at)
      select ${sentId}, a.id, case when a.id % 3 = 0 and a.account_key <> all(${[...demoLogins]}::text[]) then now() - interval '2 hours' end
        from accounts a where a.removed_at is null`.execute(to);
    const told = accounts.filter(({ accountKey }) => demoLogins.includes(accountKey));
    if (told.length > 0)
      await to
        .insertInto("messages")
        .values(
          told.map(({ id }) => ({
            ...notice,
            id: nextId(),
            accountId: id,
            kind: "announcement",
            announcementId: sentId,
          })),
        )
        .execute();
  });
}
