import type { AccountEventKind } from "@herdwise/contract";
import type { Kysely } from "kysely";
import type { DB } from "../generated/database.ts";

const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36 Edg/142.0";
const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 Version/19.1 Safari/604.1";
const android = "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/142.0 Mobile Safari/537.36";
const dayMs = 86_400_000;

interface EventSeed {
  daysAgo: number;
  kind: AccountEventKind;
  detail?: string;
  userAgent?: string;
}

/** When the demo's passwords were last changed. */
export const passwordDaysAgo = 152.3;

/** Half a year of plausible events; the addresses are from the range for documentation. */
const events: readonly EventSeed[] = [
  { daysAgo: passwordDaysAgo, kind: "password_changed", userAgent: windows },
  { daysAgo: 96.1, kind: "phone_proven", userAgent: windows },
  { daysAgo: 96.1, kind: "phone_changed", detail: "138****0002", userAgent: windows },
  { daysAgo: 41.7, kind: "log_in", userAgent: android },
  { daysAgo: 41.6, kind: "session_ended", detail: "1", userAgent: windows },
  { daysAgo: 23.2, kind: "data_shown", detail: "legalIdNumber" },
  { daysAgo: 8.9, kind: "log_in_locked", userAgent: android },
  { daysAgo: 8.8, kind: "log_in", userAgent: windows },
  { daysAgo: 1.4, kind: "log_in", userAgent: iphone },
];

/**
 * History of the demo owner's account before the demo began.
 * @param now ms since 1970
 */
export async function seedDemoAccountEvents(db: Kysely<DB>, nextId: () => string, now = Date.now()): Promise<void> {
  const account = await db
    .selectFrom("accounts")
    .select("id")
    .where("accountKey", "=", "farm")
    .where("demoNote", "is not", null)
    .executeTakeFirst();
  if (account === undefined) return;
  await db
    .insertInto("accountEvents")
    .values(
      events.map(({ daysAgo, kind, detail = "", userAgent = "" }) => ({
        id: nextId(),
        accountId: account.id,
        kind,
        detail,
        userAgent,
        remoteAddress: userAgent === "" ? "" : "203.0.113.24",
        createdAt: new Date(now - daysAgo * dayMs),
      })),
    )
    .execute();
}
