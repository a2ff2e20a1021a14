import {
  type BodyOf,
  type RealNameState,
  type realNameConfirm,
  type realNameDraft,
  type realNameResubmit,
  type realNameSubmit,
  remittanceFen,
  remittanceProcess,
  remittancesPerDay,
  remittanceTries,
} from "@herdwise/contract";
import { nextState } from "@herdwise/contract/process";
import {
  checkRealName,
  normalizeRealName,
  type RealNameKind,
  type RealNameProblem,
  realNameItems,
  realNameProblem,
} from "@herdwise/contract/real-name-checks";
import { refuse } from "../../http/errors.ts";
import { wireDate } from "../../http/present.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import type { MemberScope, TenantScope } from "../../tenant-scope.ts";
import type { ServiceCalendar } from "../service-calendar/index.ts";
import { applicationOf, shown, valuesOf } from "./present.ts";
import type { ApplicationRow, RealNameRepository } from "./real-name.repository.ts";
import type { RealNameParts, RealNameProcess } from "./real-name-process.ts";
import type { RemittanceRepository } from "./remittance.repository.ts";

type Values = Readonly<Partial<Record<string, string>>>;

export interface RealNameDependencies {
  process: RealNameProcess;
  applications: RealNameRepository;
  remittances: RemittanceRepository;
  inOne: <T>(work: (parts: RealNameParts) => Promise<T>) => Promise<T>;
  cipher: PersonalCipher;
  nextId: () => string;
  now: () => number;
  /** Whether a file is a private picture of this person. */
  isOwnPicture: (owner: MemberScope, id: string) => Promise<boolean>;
  /** Whether remittances are pretended. */
  sandbox: boolean;
  /** A remittance was ordered; called after the commit. */
  onOrdered: (applicationId: string) => void;
  /** By when reviewers are expected to decide. */
  calendar: ServiceCalendar;
}

/** Working days of service until an application is due. */
const reviewDays = 1;

/** Hours in which a remittance must arrive, and in which its amount must be typed afterwards. */
export const remittanceHours = 72;
const hourMs = 3_600_000;
const bankFields: ReadonlySet<string> = new Set(
  realNameItems.enterprise.filter(({ part }) => part === "bank").map(({ field }) => field),
);

/** Values as they are stored; what a kind does not have is left out. */
function stored(kind: RealNameKind, values: Values): Record<string, string> {
  return Object.fromEntries(
    realNameItems[kind].flatMap(({ field, form }) => {
      const value = values[field];
      return value === undefined ? [] : [[field, normalizeRealName(form, value)]];
    }),
  );
}

/** How customers show who they are. */
export function createRealNameService(dependencies: RealNameDependencies) {
  const { process, applications, remittances, inOne, cipher, nextId, now } = dependencies;
  const { isOwnPicture, sandbox, onOrdered, calendar } = dependencies;
  const today = () => wireDate(new Date(now()));

  const titleOf = (kind: RealNameKind, values: Values): string =>
    (kind === "personal" ? values.personName : values.enterpriseName) ?? "";
  const subjectOf = (kind: RealNameKind, values: Values): Buffer =>
    cipher.index(`real name ${(kind === "personal" ? values.idNumber : values.creditCode) ?? ""}`);
  const licenceOf = (kind: RealNameKind, values: Values): string | null =>
    kind === "enterprise" ? (values.licenceUntil ?? null) : null;
  const queueNow = async () => {
    const at = new Date(now());
    return { at, due: await calendar.afterWorkingDays(at, reviewDays) };
  };
  const itemOf = (kind: RealNameKind, field: string, value: string) => {
    const isPicture = realNameItems[kind].find((item) => item.field === field)?.form === "picture";
    return {
      field,
      valueEncrypted: isPicture || value === "" ? "" : cipher.encrypt(value),
      attachmentId: isPicture && value !== "" ? value : null,
    };
  };

  const byOwner = (by: TenantScope) => ({ by, party: "owner" as const });

  /** Pictures that were named must be files of the person who sends them. */
  const pictureProblems = async (owner: MemberScope, kind: RealNameKind, given: Values): Promise<RealNameProblem[]> => {
    const found: RealNameProblem[] = [];
    for (const { field, form } of realNameItems[kind]) {
      const id = given[field];
      if (form !== "picture" || id === undefined || id === "") continue;
      if (!(await isOwnPicture(owner, id))) found.push(realNameProblem(kind, field, "real_name.no_file"));
    }
    return found;
  };
  const requireNone = (problems: readonly RealNameProblem[]): void => {
    if (problems.length > 0) throw refuse("real_name.invalid", { values: { count: problems.length }, problems });
  };

  /** @throws {Refusal} when the remittances of a day are spent */
  const order = async (parts: RealNameParts, scope: TenantScope, applicationId: string): Promise<void> => {
    if ((await parts.remittances.ordersOfDay(scope)) >= remittancesPerDay) throw refuse("real_name.sends_spent");
    const expiresAt = new Date(now() + remittanceHours * hourMs);
    await parts.remittances.insert(scope, {
      id: nextId(),
      applicationId,
      amountFen: remittanceFen,
      sandbox,
      expiresAt,
    });
  };

  const draftOf = async (owner: MemberScope, of = applications) => {
    const row = await of.draft(owner);
    if (row === undefined) return undefined;
    return { ...row, values: JSON.parse(cipher.decrypt(row.valuesEncrypted)) as Record<string, string> };
  };
  const draftView = (draft: { kind: RealNameKind; values: Record<string, string>; updateTime: Date }) => ({
    kind: draft.kind,
    values: Object.fromEntries(
      realNameItems[draft.kind].flatMap(({ field, form }) => {
        const value = draft.values[field];
        return value === undefined ? [] : [[field, shown(form, value)]];
      }),
    ),
    updateTime: draft.updateTime,
  });

  const view = async (scope: TenantScope, row: ApplicationRow | undefined) => {
    if (row === undefined) return undefined;
    const [items, remittance, events] = await Promise.all([
      applications.items(scope, row.id),
      remittances.newest(scope, row.id),
      applications.events(scope, row.id),
    ]);
    return applicationOf(row, { items, remittance, events }, cipher, { forStaff: false });
  };

  return {
    /** Whether the tenant may bind, order and bid. */
    isOpen: (scope: MemberScope): Promise<boolean> => applications.isOpen(scope, today()),

    /** ID number of who sent the authentication that is in force, for that person alone; undefined where there is none. */
    async idNumberOf(owner: MemberScope): Promise<string | undefined> {
      const encrypted = await applications.ownIdNumber(owner);
      return encrypted === undefined ? undefined : cipher.decrypt(encrypted);
    },

    /** The name that is proven and lets the tenant do business; undefined where there is none. */
    async provenNameOf(owner: MemberScope): Promise<string | undefined> {
      return (await applications.isOpen(owner, today())) ? (await applications.current(owner))?.title : undefined;
    },

    async detail(scope: TenantScope) {
      const [current, application, draft, orders, open] = await Promise.all([
        applications.current(scope),
        applications.openOne(scope),
        draftOf(scope),
        remittances.ordersOfDay(scope),
        applications.isOpen(scope, today()),
      ]);
      const [currentView, applicationView] = [await view(scope, current), await view(scope, application)];
      const until = current?.licenceUntil ?? "";
      const daysLeft = until === "" ? undefined : Math.round((Date.parse(until) - Date.parse(today())) / (24 * hourMs));
      return {
        status: current?.kind ?? ("none" as const),
        open,
        ...(daysLeft !== undefined && { daysLeft }),
        ...(currentView && { current: currentView }),
        ...(applicationView && { application: applicationView }),
        ...(draft && { draft: draftView(draft) }),
        sendsLeft: Math.max(0, remittancesPerDay - orders),
      };
    },

    async saveDraft(scope: TenantScope, { kind, values }: BodyOf<typeof realNameDraft>) {
      const given = stored(kind, values);
      requireNone(await pictureProblems(scope, kind, given));
      return inOne(async ({ applications: rows }) => {
        await rows.lockDraft(scope);
        const before = await draftOf(scope, rows);
        const kept = { ...(before?.kind === kind ? before.values : {}), ...given };
        await rows.saveDraft(scope, kind, cipher.encrypt(JSON.stringify(kept)));
        return draftView({ kind, values: kept, updateTime: new Date(now()) });
      });
    },

    async submit(scope: TenantScope, { kind, values, lastSix }: BodyOf<typeof realNameSubmit>) {
      const current = await applications.current(scope);
      if (current?.kind === "enterprise" && kind === "personal") throw refuse("real_name.no_downgrade");
      const base = current?.kind === kind ? valuesOf(await applications.items(scope, current.id), cipher) : {};
      const draft = await draftOf(scope);
      const given = { ...(draft?.kind === kind ? draft.values : {}), ...stored(kind, values) };
      const all: Record<string, string> = { ...base, ...given };
      const changed = realNameItems[kind]
        .map(({ field }) => field)
        .filter((field) => (all[field] ?? "") !== (base[field] ?? ""));
      const problems: RealNameProblem[] = [
        ...checkRealName(kind, all, today()),
        ...(await pictureProblems(scope, kind, Object.fromEntries(changed.map((field) => [field, all[field]])))),
      ];
      if (kind === "personal" && (lastSix ?? "").trim().toUpperCase() !== (all.idNumber ?? "").slice(-6))
        problems.push(realNameProblem(kind, "lastSix", "real_name.last_six"));
      requireNone(problems);
      if (changed.length === 0) throw refuse("real_name.unchanged");
      // An account that was tried before needs no second remittance.
      const remits = changed.some((field) => bankFields.has(field));
      const state: RealNameState = remits ? "remitting" : "waiting";
      const id = nextId();
      const title = titleOf(kind, all);
      const queue = await queueNow();
      await inOne(async (parts) => {
        const inserted = await parts.applications.insert(scope, {
          id,
          kind,
          state,
          title,
          subjectIndex: subjectOf(kind, all),
          upgrade: current?.kind === "personal" && kind === "enterprise",
          licenceUntil: licenceOf(kind, all),
          queue: remits ? undefined : queue,
        });
        if (!inserted) throw refuse("real_name.under_way");
        const items = realNameItems[kind].filter(({ field, optional }) => !optional || (all[field] ?? "") !== "");
        await parts.applications.saveItems(
          scope,
          id,
          1,
          items.map(({ field }) => itemOf(kind, field, all[field] ?? "")),
        );
        if (remits) await order(parts, scope, id);
        await parts.applications.addEvent(scope, id, { id: nextId(), what: "submitted" });
        await parts.applications.removeDraft(scope);
        const sent = { id, tenantId: scope.tenantId, title };
        await process.audit(parts, scope, sent, { event: "submit", before: null, after: state });
      });
      if (remits) onOrdered(id);
      return { id, state };
    },

    /** Returned items once more, or the account that the bank refused. */
    async resubmit(scope: TenantScope, { id, values }: BodyOf<typeof realNameResubmit>) {
      const queue = await queueNow();
      const result = await inOne(async (parts) => {
        // Whether the account is among what is sent is known further down.
        const { row } = await process.hold(parts, {
          ...byOwner(scope),
          row: id,
          event: ({ state }) => (state === "remitting" ? "resubmit_account" : "resubmit"),
        });
        const corrects = row.state === "remitting";
        const { kind } = row;
        const items = await parts.applications.items(scope, id);
        const remittance = await parts.remittances.newest(scope, id, true);
        if (corrects && remittance?.state !== "failed") throw refuse("real_name.state");
        const before = valuesOf(items, cipher);
        const returned = new Set<string>(
          items.filter(({ verdict }) => verdict === "returned").map(({ field }) => field),
        );
        const isOpen = (field: string) => (corrects ? bankFields.has(field) : returned.has(field));
        const draft = await draftOf(scope, parts.applications);
        const kept = Object.entries(draft?.kind === kind ? draft.values : {});
        // A field that was emptied again is not sent.
        const drafted = Object.fromEntries(kept.filter(([field, value]) => isOpen(field) && value !== ""));
        const given: Record<string, string> = { ...drafted, ...stored(kind, values) };
        const sent = Object.keys(given);
        const problems: RealNameProblem[] = sent
          .filter((field) => !isOpen(field))
          .map((field) => realNameProblem(kind, field, "real_name.not_returned"));
        // What is back must be changed: the same again would come back again.
        const same = (field: string) => given[field] === undefined || given[field] === (before[field] ?? "");
        if (corrects) {
          if (sent.every(same)) throw refuse("real_name.unchanged");
        } else {
          for (const field of returned)
            if (same(field)) problems.push(realNameProblem(kind, field, "real_name.same_value"));
        }
        const all = { ...before, ...given };
        // What nobody asked for again is not checked again: a licence may have become older since.
        problems.push(...checkRealName(kind, all, today()).filter(({ field }) => sent.includes(field)));
        problems.push(...(await pictureProblems(scope, kind, given)));
        requireNone(problems);
        const changed = sent.filter((field) => !same(field));
        if (changed.length === 0) throw refuse("real_name.unchanged");
        const remits = corrects || changed.some((field) => bankFields.has(field));
        const round = row.round + 1;
        const { state } = await process.act(parts, {
          ...byOwner(scope),
          row,
          event: remits ? "resubmit_account" : "resubmit",
          take: () => ({
            change: {
              round,
              title: titleOf(kind, all),
              subjectIndex: subjectOf(kind, all),
              licenceUntil: licenceOf(kind, all),
              queue: remits ? null : queue,
              firstBy: null,
              items: changed.map((field) => ({ field, reason: "" })),
            },
            audited: [{ field: "fields", before: null, after: changed.join(", ") }],
          }),
        });
        await parts.applications.saveItems(
          scope,
          id,
          round,
          changed.map((field) => itemOf(kind, field, given[field] ?? "")),
        );
        if (remits) await order(parts, scope, id);
        await parts.applications.removeDraft(scope);
        return { id, state, remits };
      });
      if (result.remits) onOrdered(id);
      return { id, state: result.state };
    },

    async withdraw(scope: TenantScope, id: string): Promise<void> {
      await inOne((parts) => process.act(parts, { ...byOwner(scope), row: id, event: "withdraw" }));
    },

    async confirm(scope: TenantScope, { id, amountFen }: BodyOf<typeof realNameConfirm>) {
      const queue = await queueNow();
      const left = await inOne(async (parts) => {
        const { row } = await process.hold(parts, { ...byOwner(scope), row: id, event: "confirm" });
        const remittance = await parts.remittances.newest(scope, id, true);
        if (remittance?.state !== "arrived" || remittance.expiresAt.getTime() <= now())
          throw refuse("real_name.nothing_to_confirm");
        const isRight = amountFen === remittance.amountFen;
        const tries = remittance.tries + (isRight ? 0 : 1);
        const event = isRight ? "confirm" : tries >= remittanceTries ? "spend_tries" : "mistype";
        const after = nextState(remittanceProcess, remittance, event, "owner");
        if (after === undefined) throw refuse("real_name.state");
        const failure = after === "failed" ? "tries" : "";
        await parts.remittances.learn(scope, remittance.id, { state: after, failure, tries });
        await process.act(parts, {
          ...byOwner(scope),
          row,
          event,
          take: () => ({
            ...(isRight && { change: { queue } }),
            audited: [{ field: "remittance", before: remittance.state, after }],
          }),
        });
        // Counted whatever is answered: a refusal in here would take the try back.
        if (!isRight) return remittanceTries - tries;
        return undefined;
      });
      if (left === 0) throw refuse("real_name.tries_spent");
      if (left !== undefined) throw refuse("real_name.amount", { field: "amountFen", values: { left } });
      return { id, state: "waiting" as const };
    },

    async remitAgain(scope: TenantScope, id: string): Promise<void> {
      await inOne(async (parts) => {
        await process.act(parts, {
          ...byOwner(scope),
          row: id,
          event: "remit_again",
          async take() {
            const remittance = await parts.remittances.newest(scope, id, true);
            // One that is under way is waited for.
            if (remittance !== undefined && nextState(remittanceProcess, remittance, "follow", "owner") === undefined)
              throw refuse("real_name.state");
            await order(parts, scope, id);
            return { audited: [{ field: "fields", before: null, after: "bankAccount" }] };
          },
        });
      });
      onOrdered(id);
    },
  };
}
export type RealNameService = ReturnType<typeof createRealNameService>;
