import {
  answerWorkingDays,
  blockingEffects,
  type CancellationEffect,
  type CancellationKind,
  type cancellationDeskPage,
  cancellationEffects,
  cancellationProcess,
  coolingDays,
  erasureHours,
  plainText,
  type QueryOf,
  retentionRules,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { wireDate } from "../../http/present.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import {
  type ClockParts,
  createProcess,
  type DueRepository,
  eachDue,
  eachDueId,
  type StepParts,
} from "../../processes/index.ts";
import {
  type AccountScope,
  accountScope,
  type MemberScope,
  type SystemScope,
  type TenantScope,
} from "../../tenant-scope.ts";
import type { EventCaller, RecordEvent } from "../account-log/index.ts";
import type { AuditRepository } from "../audit/index.ts";
import type { PersonalDataRepository, Touched } from "../personal-data/index.ts";
import type { ServiceCalendar } from "../service-calendar/index.ts";
import type { VerificationService } from "../verification/index.ts";
import {
  type CancellationChange,
  type CancellationRepository,
  type CancellationRow,
  type Closing,
  cancellationDue,
} from "./cancellation.repository.ts";

export interface CancellationParts extends StepParts {
  due: DueRepository;
  rows: CancellationRepository;
  personal: PersonalDataRepository;
  audit: Pick<AuditRepository, "append" | "redact">;
  /** Tells a phone or a mailbox, which are still there when the account's messages are not. */
  tellOutside: (of: ToldOutside) => Promise<void>;
}

/** What a phone or a mailbox is told; the address is ciphertext, as it outlives the account in the queue. */
export interface ToldOutside {
  way: "sms" | "mail";
  toEncrypted: string;
  /** Of the mail; the SMS has a template of its own. */
  text: string;
}

export interface CancellationDependencies extends ClockParts<CancellationParts> {
  rows: CancellationRepository;
  inOne: <T>(work: (parts: CancellationParts) => Promise<T>) => Promise<T>;
  cipher: PersonalCipher;
  calendar: ServiceCalendar;
  verification: Pick<VerificationService, "send" | "prove">;
  record: RecordEvent;
  endSessions: (accountId: string, reason: string) => Promise<void>;
  /** Who of the group answers. */
  deskPeople: () => Promise<readonly string[]>;
  /** Who of a customer may close it. */
  closersOf: (tenantId: string) => Promise<readonly string[]>;
  nextId: () => string;
  now: () => number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const customerScreen: Readonly<Record<CancellationKind, string>> = {
  account: "/selfCenter/safeManage?view=cancel",
  tenant: "/selfCenter/safeManage?view=cancel&kind=tenant",
};
const deskScreen = (id: string) => `/customer/cancellation/detail?id=${id}`;

/** `yyyy-MM-dd` so many months after a day. */
function monthsLater(day: string, months: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  const wanted = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(wanted, last));
  return date.toISOString().slice(0, 10);
}

const merged = (lists: readonly (readonly Touched[])[]): Touched[] => {
  const sums = new Map<string, number>();
  for (const { what, rows } of lists.flat()) sums.set(what, (sums.get(what) ?? 0) + rows);
  return [...sums].map(([what, rows]) => ({ what, rows }));
};

/** How accounts and customers are closed: asked for, cooled off, answered, and erased. */
export function createCancellationService(dependencies: CancellationDependencies) {
  const { rows, inOne, scope: system, cipher, calendar, verification, record, nextId, now } = dependencies;
  const byTheClock = { by: system, party: "clock" } as const;
  const open = (encrypted: string) => (encrypted === "" ? "" : cipher.decrypt(encrypted));

  /** What it touches now, by the rows as they stand. */
  const touchesOf = async (
    of: Pick<CancellationRow, "kind" | "accountId" | "tenantId">,
    from = rows,
    closing?: Closing,
  ) => {
    const counts = await from.touched(system, of, closing ?? (await from.closing(system, of)));
    return cancellationEffects.flatMap((effect: CancellationEffect) =>
      counts[effect] > 0 ? [{ effect, count: counts[effect], blocks: blockingEffects.has(effect) }] : [],
    );
  };
  const view = (row: CancellationRow) => ({
    id: row.id,
    kind: row.kind,
    state: row.state,
    version: row.version,
    reason: row.reason,
    askTime: row.askedAt,
    coolUntil: row.coolUntil,
    dueTime: row.dueAt,
    decideTime: row.decidedAt,
    eraseTime: row.eraseAt,
    answer: row.answer,
  });
  const detail = async (owner: MemberScope, kind: CancellationKind) => {
    const [current, account, touches] = await Promise.all([
      kind === "account" ? rows.ofAccount(owner) : rows.ofTenant(owner),
      rows.account(owner),
      touchesOf({ kind, accountId: owner.accountId, tenantId: owner.tenantId }),
    ]);
    return {
      kind,
      title: kind === "account" ? (account?.account ?? "") : await rows.customerName(owner),
      phone: open(account?.phoneEncrypted ?? ""),
      touches,
      kept: retentionRules.map(({ category, months }) => ({ category, months })),
      ...(current && { current: view(current) }),
    };
  };

  /** Who is to be told of an account's or a customer's cancellation. */
  const concerned = async (
    row: Pick<CancellationRow, "kind" | "accountId" | "tenantId">,
  ): Promise<readonly string[]> =>
    row.kind === "account"
      ? [row.accountId]
      : [...new Set([row.accountId, ...(await dependencies.closersOf(row.tenantId))])];
  const { act, audit } = createProcess(cancellationProcess, {
    async find(parts: CancellationParts, by: TenantScope | SystemScope, id: string) {
      const row = await parts.rows.find(by, id, true);
      // Nobody answers for themselves.
      if (row !== undefined && "accountId" in by && row.accountId === by.accountId) throw refuse("cancellation.own");
      return row;
    },
    // No name, which would outlive the erasure.
    title: (row: CancellationRow) => row.kind,
    changed: () => refuse("cancellation.changed"),
    guards: {
      accept: async (row, look: Pick<CancellationParts, "rows">) =>
        (await touchesOf(row, look.rows)).some(({ blocks }) => blocks) ? refuse("cancellation.blocked") : undefined,
    },
    move: (parts, { row, state }, change: CancellationChange | undefined) =>
      parts.rows.move(system, row.id, state, change),
    note: (parts, { row, event, party, by }, id) =>
      parts.rows.addStep(system, row.id, {
        id,
        what: event,
        ...(party === "desk" && "accountId" in by && { accountId: by.accountId }),
      }),
    receivers: {
      customer: { of: concerned, link: ({ kind }) => customerScreen[kind] },
      desk: { of: dependencies.deskPeople, link: ({ id }) => deskScreen(id) },
    },
    nextId,
  });
  /** @param author as the journal has them: who closes the own account has no scope of a tenant, and no name in its entry */
  const ask = async (
    by: MemberScope,
    author: TenantScope | SystemScope,
    kind: CancellationKind,
    given: { reason?: string; codeId?: string; code?: string },
    caller: EventCaller,
  ) => {
    if (await rows.isStaff(by)) throw refuse("cancellation.group");
    const account = await rows.account(by);
    const phone = open(account?.phoneEncrypted ?? "");
    if (phone === "") throw refuse("cancellation.no_phone");
    const of = { kind, accountId: by.accountId, tenantId: by.tenantId };
    const requireFree = (touches: Awaited<ReturnType<typeof touchesOf>>) => {
      if (touches.some(({ blocks }) => blocks)) throw refuse("cancellation.blocked");
    };
    requireFree(await touchesOf(of));
    const askedAt = new Date(now());
    const coolUntil = new Date(askedAt.getTime() + coolingDays * dayMs);
    const dueAt = await calendar.afterWorkingDays(coolUntil, answerWorkingDays);
    const code = await verification.prove({ phone, id: given.codeId, code: given.code }, "close-account");
    const id = nextId();
    try {
      await inOne(async (parts) => {
        const added = await parts.rows.insert(by, { id, kind, reason: given.reason ?? "", askedAt, coolUntil, dueAt });
        if (!added) throw refuse("cancellation.under_way");
        await parts.rows.addStep(system, id, { id: nextId(), what: "ask" });
        const row = await parts.rows.find(system, id);
        if (row === undefined) throw refuse("cancellation.not_found");
        const told = await concerned(row);
        await parts.tell({
          to: told,
          title: kind === "account" ? "注销账号进入 7 天冷静期" : "注销企业进入 7 天冷静期",
          content: "到期前点一下就能取回，什么都没变。如非本人操作，请取回并修改密码。",
          link: customerScreen[kind],
        });
        if (kind === "tenant")
          await parts.tell({
            to: (await parts.rows.members(system, by.tenantId)).filter((accountId) => !told.includes(accountId)),
            title: "您所在的企业提出了注销",
            content: "7 天冷静期后由客服答复。注销后您不能再进入这个企业，请尽早保存需要的资料。",
            link: "",
          });
        // The phone has just had the code.
        const mailbox = open(account?.emailEncrypted ?? "");
        if (mailbox !== "")
          await parts.tellOutside({
            way: "mail",
            toEncrypted: cipher.encrypt(mailbox),
            text: "您的账号提出了注销，7 天冷静期内可以取回。如非本人操作，请取回并修改密码。",
          });
        await audit(parts, author, { ...row, title: kind }, { event: "ask", before: null, after: row.state });
      });
    } catch (error) {
      await code.giveBack();
      throw error;
    }
    await record(by.accountId, "closing_asked", { caller });
    return detail(by, kind);
  };

  const takeBack = async (
    by: MemberScope,
    author: TenantScope | SystemScope,
    kind: CancellationKind,
    id: string,
    caller: EventCaller,
  ) => {
    await inOne(async (parts) =>
      act(parts, {
        by: author,
        party: "owner",
        row: await parts.rows.own(by, kind, id),
        event: "take_back",
        take: () => (kind === "tenant" ? { said: { title: "注销已取回，企业照常用" } } : {}),
      }),
    );
    await record(by.accountId, "closing_taken_back", { caller });
    return detail(by, kind);
  };

  /** A login name for the desk: enough to tell two apart. */
  const deskTitle = ({ kind, title }: CancellationRow) =>
    kind === "tenant" || title.startsWith("removed-") ? title : `${[...title].slice(0, 2).join("")}***`;
  const deskView = (row: CancellationRow) => ({
    ...view(row),
    title: deskTitle(row),
    customer: row.customer,
    decider: row.decider,
  });
  const deskDetail = async (scope: TenantScope, id: string) => {
    const row = await rows.find(scope, id);
    if (row === undefined) throw refuse("cancellation.not_found");
    const isOpen = row.state === "cooling" || row.state === "waiting" || row.state === "accepted";
    const [touches, steps, retained] = await Promise.all([
      isOpen ? touchesOf(row) : [],
      rows.steps(scope, id),
      rows.retained(scope, id),
    ]);
    return { ...deskView(row), touches, steps, retained, ...(row.report && { report: row.report }) };
  };
  const decide = async (
    scope: TenantScope,
    { id, version }: { id: string; version: number },
    event: "accept" | "refuse",
    answer: () => { change: CancellationChange; said?: { content: string } },
  ) => {
    const { row } = await inOne((parts) =>
      act(parts, { by: scope, party: "desk", row: id, version, event, take: answer }),
    );
    for (const accountId of await concerned(row)) await record(accountId, "closing_answered");
    return deskDetail(scope, id);
  };

  /** What law keeps, each kind closed as a whole. */
  const keepByLaw = async (parts: CancellationParts, cancellationId: string, closing: Closing): Promise<void> => {
    const { accounts, items, consents, payments, logIns } = await parts.rows.keptByLaw(system, closing);
    const opened = (list: readonly Record<string, unknown>[]) =>
      list.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) =>
            name.endsWith("Encrypted")
              ? [name.slice(0, -"Encrypted".length), open(String(value ?? ""))]
              : [name, value],
          ),
        ),
      );
    const contents = {
      identity: { accounts: opened(accounts), items: opened(items) },
      consents,
      payments,
      log_ins: logIns,
    } as const;
    const today = wireDate(new Date(now()));
    for (const { category, months } of retentionRules) {
      const content = contents[category];
      if (Array.isArray(content) && content.length === 0) continue;
      await parts.rows.keep(system, {
        id: nextId(),
        cancellationId,
        category,
        contentEncrypted: cipher.encrypt(JSON.stringify(content)),
        keepUntil: monthsLater(today, months),
      });
    }
  };

  const erase = async (row: CancellationRow): Promise<void> => {
    const before = await rows.closing(system, row);
    // Streams of open pages close by this; the rows go below. Nobody is logged out for what is held up.
    if (!(await touchesOf(row, rows, before)).some(({ blocks }) => blocks))
      for (const accountId of before.accountIds) await dependencies.endSessions(accountId, "cancelled");
    await inOne(async (parts) => {
      const held = await parts.rows.find(system, row.id, true);
      if (held?.state !== "accepted" || held.eraseAt === null || held.eraseAt.getTime() > now()) return;
      const closing = await parts.rows.closing(system, held, true);
      const touches = await touchesOf(held, parts.rows, closing);
      if (touches.some(({ blocks }) => blocks)) {
        const dueAt = await calendar.afterWorkingDays(new Date(now()), answerWorkingDays);
        await act(parts, { ...byTheClock, row: held, event: "hold", take: () => ({ change: { dueAt } }) });
        return;
      }
      // Messages are gone with the account. A phone or mailbox of several accounts of the customer is told once.
      const contacts = { sms: new Set<string>(), mail: new Set<string>() };
      for (const accountId of closing.accountIds) {
        const account = await parts.rows.account(accountScope(system, accountId));
        contacts.sms.add(open(account?.phoneEncrypted ?? ""));
        contacts.mail.add(open(account?.emailEncrypted ?? ""));
      }
      for (const way of ["sms", "mail"] as const)
        for (const to of contacts[way])
          if (to !== "")
            await parts.tellOutside({ way, toEncrypted: cipher.encrypt(to), text: "注销已完成，个人信息已清除。" });
      await keepByLaw(parts, held.id, closing);
      const done = [];
      for (const tenantId of closing.tenantIds) done.push(await parts.personal.eraseTenant(system, tenantId));
      for (const accountId of closing.accountIds) done.push(await parts.personal.eraseAccount(system, accountId));
      const report = {
        erased: merged(done.map(({ erased }) => erased)),
        anonymized: merged(done.map(({ anonymized }) => anonymized)),
      };
      await act(parts, { ...byTheClock, row: held, event: "erase", take: () => ({ change: { report } }) });
      const entries = await parts.audit.redact(system, { cancellationId: held.id, ...closing }, nextId);
      if (entries > 0)
        await parts.rows.setReport(system, held.id, {
          ...report,
          anonymized: merged([
            report.anonymized.filter(({ what }) => what !== "操作记录"),
            [{ what: "操作记录", rows: entries }],
          ]),
        });
    });
  };

  return {
    detail,

    async sendCode(owner: AccountScope, remoteAddress: string) {
      const account = await rows.account(owner);
      const phone = open(account?.phoneEncrypted ?? "");
      if (phone === "") throw refuse("cancellation.no_phone");
      return verification.send(phone, ["close-account"], remoteAddress);
    },
    ask,
    takeBack,

    async page(scope: TenantScope, query: QueryOf<typeof cancellationDeskPage>) {
      const request = pageRequest(query, []);
      const [{ rows: found, total }, counts] = await Promise.all([
        rows.page(scope, query, request),
        rows.counts(scope),
      ]);
      return { ...pageOfRows(found.map(deskView), total, request), counts };
    },
    deskDetail,

    accept: (scope: TenantScope, shown: { id: string; version: number }) =>
      decide(scope, shown, "accept", () => ({
        change: { decidedBy: scope.accountId, eraseAt: new Date(now() + erasureHours * hourMs) },
      })),

    refuse(scope: TenantScope, shown: { id: string; version: number; answer: string }) {
      const content = plainText(shown.answer, { lines: true });
      return decide(scope, shown, "refuse", () => ({
        change: { decidedBy: scope.accountId, answer: content },
        said: { content },
      }));
    },

    /** What law keeps, opened; the trail says who looked, and why. */
    async showRetained(scope: TenantScope, id: string, reason: string) {
      return inOne(async (parts) => {
        const row = await parts.rows.retainedOne(scope, id);
        if (row === undefined) throw refuse("cancellation.not_found");
        await parts.audit.append(
          row.tenantId,
          scope,
          [
            {
              resource: "cancellation",
              rowId: row.cancellationId,
              rowTitle: row.category,
              action: "view",
              changes: [
                { field: "retained", before: null, after: row.category },
                { field: "reason", before: null, after: reason },
              ],
            },
          ],
          nextId,
        );
        return { content: cipher.decrypt(row.contentEncrypted) };
      });
    },

    /** What time does: ends cooling off, erases, reminds the desk. One that fails leaves the others alone. */
    async tick(signal: AbortSignal): Promise<void> {
      const { cooled, erasure, late } = cancellationDue(new Date(now()));
      await eachDue(
        dependencies,
        cooled,
        (parts, id) => act(parts, { ...byTheClock, row: id, event: "ripen" }),
        signal,
      );
      await eachDueId(
        dependencies,
        erasure,
        async (id) => {
          const row = await rows.find(system, id);
          if (row?.state === "accepted") await erase(row);
        },
        signal,
      );
      const people = await dependencies.deskPeople();
      await eachDue(dependencies, late, ({ tell }, id) =>
        tell({
          to: people,
          title: "有注销超时没有答复",
          content: "答应客户 3 个工作日内答复。",
          link: deskScreen(id),
        }),
      );
    },

    endRetained: (): Promise<number> => rows.endRetained(system, wireDate(new Date(now()))),
  };
}
