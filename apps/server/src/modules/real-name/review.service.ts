import {
  type BodyOf,
  claimMinutes,
  plainText,
  type QueryOf,
  type realNameDecide,
  type realNameFindings,
  realNameProcess,
  type realNameReviewPage,
} from "@herdwise/contract";
import { nextState } from "@herdwise/contract/process";
import {
  licenceWithoutEnd,
  normalizeRealName,
  type RealNameField,
  realNameItems,
} from "@herdwise/contract/real-name-checks";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { wireDate } from "../../http/present.ts";
import type { Session } from "../../http/session.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { RecordEvent } from "../account-log/index.ts";
import { applicationOf, isMasked, valuesOf } from "./present.ts";
import type { ApplicationRow, ItemRow, RealNameRepository } from "./real-name.repository.ts";
import type { RealNameParts, RealNameProcess } from "./real-name-process.ts";
import type { RemittanceRepository } from "./remittance.repository.ts";

export interface ReviewDependencies {
  process: RealNameProcess;
  applications: RealNameRepository;
  remittances: RemittanceRepository;
  inOne: <T>(work: (parts: RealNameParts) => Promise<T>) => Promise<T>;
  cipher: PersonalCipher;
  nextId: () => string;
  now: () => number;
  record: RecordEvent;
  /** A ticket for a file of somebody else, after the right to it was checked. */
  ticketOf: (
    session: Session,
    owner: { accountId: string; tenantId: string },
    id: string,
  ) => Promise<{ url: string; expiresIn: number; browserMark: string }>;
}

interface Finding {
  field: RealNameField;
  finding: (typeof realNameFindings)[number];
  days?: number;
}
const dayMs = 86_400_000;
/** A licence that ends within this time is pointed out, days. */
const soonDays = 30;

/** The reviewers' desk. Its scopes reach every tenant: only the group's staff get one. */
export function createReviewService(dependencies: ReviewDependencies) {
  const { process, applications, remittances, inOne, cipher, nextId, now, ticketOf } = dependencies;
  const today = () => wireDate(new Date(now()));

  const taskOf = (scope: TenantScope, row: ApplicationRow) => ({
    id: row.id,
    title: row.title,
    kind: row.kind,
    state: row.state,
    round: row.round,
    upgrade: row.upgrade,
    queueTime: row.queuedAt,
    dueTime: row.dueAt,
    decideTime: row.decidedAt,
    rejections: row.rejections,
    mine: row.claimedBy === scope.accountId,
    claimer: row.claimer,
    claimTime: row.claimedUntil,
  });

  const found = async (scope: TenantScope, id: string): Promise<ApplicationRow> => {
    const row = await applications.find(scope, id);
    if (row === undefined) throw refuse("real_name.not_found");
    return row;
  };

  /** What the server can tell of the items by itself. */
  const findingsOf = async (scope: TenantScope, row: ApplicationRow, items: readonly ItemRow[]): Promise<Finding[]> => {
    const values = valuesOf(items, cipher);
    const findings: Finding[] = realNameItems[row.kind].flatMap(({ field, form }) =>
      (form === "idNumber" || form === "creditCode") && values[field]
        ? [{ field, finding: "check_fits" as const }]
        : [],
    );
    const subject = row.kind === "personal" ? "idNumber" : "creditCode";
    const indexes = cipher.indexes(`real name ${values[subject] ?? ""}`);
    if (await applications.isUsedElsewhere(scope, { tenantId: row.tenantId, indexes }))
      findings.push({ field: subject, finding: "used_elsewhere" });
    const until = row.licenceUntil;
    if (until === licenceWithoutEnd) findings.push({ field: "licenceUntil", finding: "no_end" });
    else if (until !== null) {
      const days = Math.round((Date.parse(until) - Date.parse(today())) / dayMs);
      if (days < 0) findings.push({ field: "licenceUntil", finding: "expired", days: -days });
      else if (days <= soonDays) findings.push({ field: "licenceUntil", finding: "expiring", days });
    }
    return findings;
  };

  return {
    async page(scope: TenantScope, query: QueryOf<typeof realNameReviewPage>) {
      const request = pageRequest(query, []);
      const { rows, total } = await applications.page(scope, query, request);
      return pageOfRows(
        rows.map((row) => taskOf(scope, row)),
        total,
        request,
      );
    },

    async detail(scope: TenantScope, id: string) {
      const row = await found(scope, id);
      const [items, remittance, events] = await Promise.all([
        applications.items(scope, id),
        remittances.newest(scope, id),
        applications.events(scope, id),
      ]);
      return {
        ...applicationOf(row, { items, remittance, events }, cipher, { forStaff: true }),
        tenantId: row.tenantId,
        rejections: row.rejections,
        mine: row.claimedBy === scope.accountId,
        claimer: row.claimer,
        claimUntil: row.claimedUntil,
        firstLookMine: row.firstBy === scope.accountId,
        findings: await findingsOf(scope, row, items),
      };
    },

    /** @throws {Refusal} with who has it, that it is one's own, or that it waits for nobody */
    async claim(scope: TenantScope, id: string) {
      const claimUntil = await applications.claim(scope, id, claimMinutes);
      if (claimUntil !== undefined) return { claimUntil };
      const row = await found(scope, id);
      // What may not be decided is not taken in hand either.
      if (nextState(realNameProcess, row, "return", "desk") === undefined) throw refuse("real_name.state");
      if (await applications.isMember(scope, row.tenantId)) throw refuse("real_name.own");
      if (row.state === "second_look" && row.firstBy === scope.accountId) throw refuse("real_name.second_self");
      throw refuse("real_name.claimed", { values: { name: row.claimer } });
    },

    async release(scope: TenantScope, id: string): Promise<void> {
      if (!(await applications.release(scope, id))) {
        await found(scope, id);
        throw refuse("real_name.not_claimed");
      }
    },

    async decide(scope: TenantScope, { id, version, verdicts }: BodyOf<typeof realNameDecide>) {
      return inOne(async (parts) => {
        const returned = verdicts.filter(({ reason }) => reason !== "none");
        const event = returned.length > 0 ? "return" : "accept";
        const byDesk = { by: scope, party: "desk" } as const;
        const { row, state } = await process.hold(parts, { ...byDesk, row: id, event });
        if (row.version !== version) throw refuse("real_name.changed");
        const items = await parts.applications.items(scope, id);
        const byField = new Map(verdicts.map((verdict) => [verdict.field, verdict]));
        const known = new Set(items.map(({ field }) => field));
        if (byField.size !== verdicts.length || verdicts.some(({ field }) => !known.has(field)))
          throw refuse("real_name.verdicts");
        // The second look is one at everything; before it, what an earlier round accepted needs none.
        const needed = items.filter(({ verdict }) => row.state === "second_look" || verdict !== "accepted");
        if (needed.some(({ field }) => !byField.has(field))) throw refuse("real_name.verdicts");
        const licenceIsOver = row.licenceUntil !== null && row.licenceUntil < today();
        if (licenceIsOver && returned.length === 0) throw refuse("real_name.licence_over");
        for (const { field, reason, note = "", documentValue = "" } of verdicts) {
          const form = realNameItems[row.kind].find((item) => item.field === field)?.form ?? "text";
          const document = normalizeRealName(form, documentValue);
          const keeps = reason !== "none" && document !== "" && !isMasked(form) && form !== "picture";
          await parts.applications.saveVerdict(scope, id, {
            field,
            reason,
            note: reason === "none" ? "" : plainText(note, { lines: true }),
            documentEncrypted: keeps ? cipher.encrypt(document) : "",
          });
        }
        if (state === "passed") {
          const before = await parts.applications.currentOf(scope, row.tenantId, true);
          if (before !== undefined) await process.act(parts, { ...byDesk, row: before, event: "replace" });
          if (row.kind === "enterprise") await parts.applications.becomeEnterprise(scope, row.tenantId);
        }
        const isFirstLook = state === "second_look";
        await process.act(parts, {
          ...byDesk,
          row,
          event,
          take: () => ({
            change: {
              ...(isFirstLook ? { firstBy: scope.accountId } : { decidedBy: scope.accountId }),
              rejected: state === "rejected",
              items: returned.map(({ field, reason }) => ({ field, reason })),
            },
            // After the first look nothing is decided.
            ...(isFirstLook && { said: { to: [] } }),
            ...(returned.length > 0 && {
              audited: [
                {
                  field: "fields",
                  before: null,
                  after: returned.map(({ field, reason }) => `${field}: ${reason}`).join(", "),
                },
              ],
            }),
          }),
        });
        return { id, state };
      });
    },

    async picture(session: Session, scope: TenantScope, id: string, field: string) {
      const owner = await applications.pictureOwner(scope, id, field);
      if (owner === undefined) throw refuse("real_name.not_found");
      return ticketOf(session, owner, owner.attachmentId);
    },

    /** A number in full; the trail says who looked at which. */
    async reveal(scope: TenantScope, id: string, field: string) {
      const shown = await inOne(async (parts) => {
        const row = await parts.applications.find(scope, id);
        const item = (await parts.applications.items(scope, id)).find((one) => one.field === field);
        if (row === undefined || item === undefined || item.valueEncrypted === "") throw refuse("real_name.not_found");
        await parts.audit.append(
          row.tenantId,
          scope,
          [
            {
              resource: "real_name",
              rowId: id,
              rowTitle: row.title,
              action: "view",
              changes: [{ field, before: null, after: "shown" }],
            },
          ],
          nextId,
        );
        return { value: cipher.decrypt(item.valueEncrypted), of: row.submittedBy };
      });
      // The person sees that it was looked at.
      if (shown.of !== null) await dependencies.record(shown.of, "data_shown", { detail: field });
      return { value: shown.value };
    },

    figures: (scope: TenantScope) => applications.figures(scope),
  };
}
export type ReviewService = ReturnType<typeof createReviewService>;
