import {
  type CustomerRule,
  customerLicenceDays,
  customerLockTimes,
  customerRules,
  customerSilentDays,
} from "@herdwise/contract";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

const today = sql`(now() at time zone 'Asia/Shanghai')::date`;
/** The beginning of a day in Asia/Shanghai. */
const dayStart = (day: RawBuilder<unknown>) => sql`(${day})::timestamp at time zone 'Asia/Shanghai'`;

/** What each rule finds: tenant, since when, and what it is about. One table of rules; what they mean stands in the web. */
const statements: Readonly<Record<CustomerRule, RawBuilder<unknown>>> = {
  licence_expired: sql`
    select n.tenant_id, ${dayStart(sql`n.licence_until + 1`)} as since_at, n.licence_until::text as detail
      from real_name_applications n
     where n.state in ('passed', 'suspended') and n.licence_until < ${today}`,
  licence_expiring: sql`
    select n.tenant_id, ${dayStart(sql`n.licence_until - ${customerLicenceDays}::int`)} as since_at, n.licence_until::text as detail
      from real_name_applications n
     where n.state = 'passed' and n.licence_until between ${today} and ${today} + ${customerLicenceDays}::int`,
  authentication_suspended: sql`
    select n.tenant_id,
           coalesce((select max(v.created_at) from real_name_events v where v.real_name_application_id = n.id and v.what = 'suspended'),
                    n.decided_at, n.submitted_at) as since_at, '' as detail
      from real_name_applications n
     where n.state = 'suspended' and coalesce(n.licence_until >= ${today}, true)`,
  complaint_overdue: sql`
    select w.tenant_id, min(least(case when w.first_answered_at is null then w.first_due_at end, w.solve_due_at)) as since_at,
           count(*)::text as detail
      from work_orders w
     where w.type = 'complaint' and w.state in ('pending', 'in_process', 'waiting_customer')
       and ((w.first_answered_at is null and w.first_due_at < now()) or w.solve_due_at < now())
     group by w.tenant_id`,
  sign_in_locked: sql`
    select m.tenant_id, min(v.created_at) as since_at, count(*)::text as detail
      from account_events v join memberships m on m.account_id = v.account_id
     where v.kind = 'log_in_locked' and v.created_at > now() - interval '24 hours'
     group by m.tenant_id having count(*) >= ${customerLockTimes}::int`,
  phone_on_hold: sql`
    select m.tenant_id, min(h.created_at) as since_at, to_char(min(h.effective_at) at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as detail
      from contact_changes h join memberships m on m.account_id = h.account_id
     where h.kind = 'phone' and h.state = 'waiting'
     group by m.tenant_id`,
  device_silent: sql`
    select d.tenant_id, min(coalesce(s.reported_at, d.activated_at)) + make_interval(days => ${customerSilentDays}::int) as since_at,
           count(*)::text as detail
      from devices d left join device_states s on s.device_id = d.id
     where d.activated_at is not null and d.blocked_at is null
       and coalesce(s.reported_at, d.activated_at) < now() - make_interval(days => ${customerSilentDays}::int)
     group by d.tenant_id`,
  owner_disabled: sql`
    select e.tenant_id, coalesce((select max(a.updated_at) from memberships m join accounts a on a.id = m.account_id
                                   where m.tenant_id = e.tenant_id), e.created_at) as since_at, '' as detail
      from customer_entries e where e.state = 'disabled'`,
};

/**
 * Finds abnormal customers, whosever they are.
 * @param db a pool or an open transaction
 */
export function findingRepository(db: Kysely<DB>, scope: SystemScope) {
  requireSystemScope(scope);
  return {
    /** Looks by every rule: what still holds keeps its beginning, what does not is gone. @returns how many findings there are */
    async look(): Promise<number> {
      let found = 0;
      for (const rule of customerRules) {
        const { rows } = await sql<{ found: number }>`
          with found as materialized (
            select f.tenant_id, f.since_at, f.detail from (${statements[rule]}) f
              join customer_entries e on e.tenant_id = f.tenant_id and e.state <> 'cancelled'),
          gone as (
            delete from customer_findings c where c.rule = ${rule} and not exists (select from found f where f.tenant_id = c.tenant_id)),
          kept as (
            insert into customer_findings as c (tenant_id, rule, since_at, detail)
            select f.tenant_id, ${rule}, f.since_at, f.detail from found f
            on conflict (tenant_id, rule) do update set since_at = excluded.since_at, detail = excluded.detail
              where (c.since_at, c.detail) is distinct from (excluded.since_at, excluded.detail))
          select count(*)::int as found from found`.execute(db);
        found += rows[0]?.found ?? 0;
      }
      await sql`insert into customer_looks (id, looked_at) values (1, now())
        on conflict (id) do update set looked_at = excluded.looked_at`.execute(db);
      return found;
    },
  };
}
