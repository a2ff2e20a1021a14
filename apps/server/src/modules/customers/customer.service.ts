import {
  addressLength,
  type BodyOf,
  type CustomerSecret,
  type customerPage,
  customerReasonLength,
  type customerReveal,
  type customerSubmit,
  customerTextLength,
  isPersonName,
  mobilePhonePattern,
  normalizePersonName,
  normalizePhone,
  plainText,
  type QueryOf,
} from "@herdwise/contract";
import { deviceKinds } from "@herdwise/device-kinds";
import { describeDevice } from "../../callers.ts";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { writePersonal } from "../../http/personal.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import { inTenant, type TenantScope } from "../../tenant-scope.ts";
import type { RecordEvent } from "../account-log/index.ts";
import type { AuditRecord, AuditRepository, TellEntries } from "../audit/index.ts";
import type { CustomerFilter, CustomerRepository, CustomerRow } from "./customer.repository.ts";

interface CustomerParts {
  customers: CustomerRepository;
  audit: Pick<AuditRepository, "append" | "page">;
  /** Leaves a message for the customer's first member. */
  tell(accountId: string, title: string, content: string): Promise<void>;
}

export interface CustomerDependencies {
  customers: CustomerRepository;
  audit: Pick<AuditRepository, "page">;
  tellEntries: TellEntries;
  inOne<T>(work: (parts: CustomerParts) => Promise<T>): Promise<T>;
  cipher: PersonalCipher;
  nextId: () => string;
  /** Tells the person that their data were looked at. */
  record: RecordEvent;
}

/** Fields that a customer is told of when they change. */
const fieldWords = { name: "名称", contactName: "联系人", regionCode: "所在地区", address: "地址" } as const;
const numberForm = /^(\d{17}[\dX]|\d{15}|[0-9A-HJ-NPQRTUWXY]{18})$/;

type FilterQuery = Omit<QueryOf<typeof customerPage>, "current" | "size" | "ascs" | "descs">;

/** A filter as the database takes it: a whole number is looked up by its keyed index. */
export function filterOf(cipher: PersonalCipher, { keyword, ...query }: FilterQuery): CustomerFilter {
  const word = plainText(keyword ?? "");
  if (!word) return query;
  const phone = normalizePhone(word);
  const number = word.toUpperCase();
  return {
    ...query,
    word,
    ...(mobilePhonePattern.test(phone) && { phoneIndexes: cipher.indexes(phone) }),
    ...(numberForm.test(number) && { numberIndexes: cipher.indexes(`real name ${number}`) }),
  };
}

/** A customer as a list shows it; what is personal is masked when it is written. */
export const customerOf = (row: CustomerRow, cipher: PersonalCipher) => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  state: row.state,
  authentication: row.authentication,
  regionCode: row.regionCode,
  account: row.account,
  contactName: row.contactNameEncrypted === "" ? row.realName : cipher.decrypt(row.contactNameEncrypted),
  phone: row.phoneEncrypted === "" ? "" : cipher.decrypt(row.phoneEncrypted),
  members: row.members,
  farms: row.farms,
  devices: row.devices,
  createTime: row.createTime,
  endTime: row.endTime,
});

/** @throws {Refusal} for a reason that says nothing */
export function requireReason(reason: string | undefined): string {
  const text = plainText(reason ?? "");
  if ([...text].length < customerReasonLength.min || [...text].length > customerReasonLength.max)
    throw refuse("customers.reason", { field: "reason", values: customerReasonLength });
  return text;
}

/** Customers as the group's staff see, find and correct them. Its scopes reach every tenant: only the group's staff get one. */
export function createCustomerService(dependencies: CustomerDependencies) {
  const { customers, audit, tellEntries, inOne, cipher, nextId, record } = dependencies;

  const withFindings = async (scope: TenantScope, rows: readonly CustomerRow[]) => {
    const findings = await customers.findings(
      scope,
      rows.map(({ id }) => id),
    );
    const byTenant = Map.groupBy(findings, ({ tenantId }) => tenantId);
    return rows.map((row) => ({ ...customerOf(row, cipher), findings: byTenant.get(row.id) ?? [] }));
  };

  /** The member that is meant; the first where none is named. */
  const memberOf = async (from: CustomerRepository, scope: TenantScope, row: CustomerRow, memberId?: string) => {
    const accountId = memberId ?? row.accountId;
    const member = accountId === null ? undefined : await from.member(scope, row.id, accountId);
    if (accountId === null || member === undefined) throw refuse("customers.not_found");
    return { accountId, ...member };
  };

  const secretOf = async (
    from: CustomerRepository,
    scope: TenantScope,
    row: NonNullable<Awaited<ReturnType<CustomerRepository["find"]>>>,
    field: CustomerSecret,
    memberId: string | undefined,
  ): Promise<{ value: string; accountId: string }> => {
    const member = await memberOf(from, scope, row, field === "phone" || field === "email" ? memberId : undefined);
    const opened = (encrypted: string): string => (encrypted === "" ? "" : cipher.decrypt(encrypted));
    const values: Readonly<Record<CustomerSecret, () => Promise<string> | string>> = {
      phone: () => opened(member.phoneEncrypted),
      email: () => opened(member.emailEncrypted),
      name: () => opened(row.contactNameEncrypted) || member.realName,
      address: () => opened(row.addressEncrypted),
      idNumber: async () => opened((await from.authentication(scope, row.id))?.numberEncrypted ?? ""),
    };
    return { value: await values[field](), accountId: member.accountId };
  };

  /** What changes, and what a field was; only what differs. */
  const changesOf = (
    row: NonNullable<Awaited<ReturnType<CustomerRepository["find"]>>>,
    body: BodyOf<typeof customerSubmit>,
  ) => {
    const before = {
      name: row.name,
      contactName: row.contactNameEncrypted === "" ? row.realName : cipher.decrypt(row.contactNameEncrypted),
      regionCode: row.regionCode,
      address: row.addressEncrypted === "" ? "" : cipher.decrypt(row.addressEncrypted),
      remark: row.remark,
    };
    const fields = Object.keys(before) as (keyof typeof before)[];
    return fields.flatMap((field) => {
      const sent = body[field];
      if (sent === undefined || sent === before[field]) return [];
      const after =
        field === "contactName" ? normalizePersonName(sent) : plainText(sent, { lines: field === "remark" });
      return after === before[field] ? [] : [{ field, before: before[field], after }];
    });
  };

  return {
    async page(scope: TenantScope, { current, size, ascs, descs, ...query }: QueryOf<typeof customerPage>) {
      const request = pageRequest({ current, size, ascs, descs }, []);
      const { rows, total } = await customers.page(scope, filterOf(cipher, query), request);
      return pageOfRows(await withFindings(scope, rows), total, request);
    },

    figures: (scope: TenantScope) => customers.figures(scope),

    async detail(scope: TenantScope, id: string) {
      const row = await customers.find(scope, id);
      if (row === undefined) throw refuse("customers.not_found");
      const [[basic], proof, memberList, farmList, deviceStates, deviceList, orderList, alarms] = await Promise.all([
        withFindings(scope, [row]),
        customers.authentication(scope, id),
        customers.members(scope, id),
        customers.farms(scope, id),
        customers.deviceStates(scope, id),
        customers.devices(scope, id),
        customers.orders(scope, id),
        customers.alarms(scope, id),
      ]);
      const [contractList, cardList, closings] = await Promise.all([
        customers.contracts(scope, id),
        customers.bankCards(scope, id),
        customers.closings(scope, id),
      ]);
      const [consentList, sessions, entries] = await Promise.all([
        customers.consents(scope, id),
        customers.sessions(scope, id),
        audit.page(inTenant(scope, id), {}, { offset: 0, limit: 30 }),
      ]);
      const phoneOf = (encrypted: string): string => (encrypted === "" ? "" : cipher.decrypt(encrypted));
      return {
        ...customerOf(row, cipher),
        findings: basic?.findings ?? [],
        email: phoneOf(row.emailEncrypted),
        remark: row.remark,
        version: row.version,
        nameProven: isNameProven(row),
        contactProven: isContactProven(row),
        hasAddress: row.addressEncrypted !== "",
        proof: {
          title:
            proof === undefined
              ? ""
              : proof.kind === "personal"
                ? String(writePersonal("mask-name", proof.title))
                : proof.title,
          state: row.authentication,
          licenceUntil: proof?.licenceUntil ?? "",
          submitTime: proof?.submitTime ?? null,
          decideTime: proof?.decideTime ?? null,
          hasNumber: proof !== undefined && proof.numberEncrypted !== "",
        },
        memberList: memberList.map(({ phoneEncrypted, emailEncrypted, ...member }) => ({
          ...member,
          phone: phoneOf(phoneEncrypted),
          email: phoneOf(emailEncrypted),
        })),
        farmList,
        deviceStates,
        deviceList,
        orderList,
        contractList,
        cardList,
        closingList: closings.map(({ member, ...closing }) => ({
          ...closing,
          member: String(writePersonal("mask-name", member)),
        })),
        alarmList: alarms.map(({ ruleName, ...alarm }) => ({
          ...alarm,
          ruleName:
            deviceKinds[alarm.kind].alarmRules.find(({ id: ruleId }) => ruleId === alarm.ruleId)?.name.zh ??
            (ruleName || alarm.ruleId),
        })),
        openAlarms: alarms[0]?.total ?? 0,
        consentList,
        sessionList: sessions.map(({ userAgent, member, ...session }) => ({
          ...session,
          member: String(writePersonal("mask-name", member)),
          device: describeDevice(userAgent),
        })),
        history: (await tellEntries(scope, entries.rows)).map(({ id: entryId, sentence, details, createdAt }) => ({
          id: entryId,
          sentence,
          details,
          createTime: createdAt,
        })),
      };
    },

    /** A value in full; the trail says who looked and why, and so does the person's own history. */
    async reveal(scope: TenantScope, { id, memberId, field, reason }: BodyOf<typeof customerReveal>) {
      const why = requireReason(reason);
      const shown = await inOne(async (parts) => {
        const row = await parts.customers.find(scope, id);
        if (row === undefined) throw refuse("customers.not_found");
        const { value, accountId } = await secretOf(parts.customers, scope, row, field, memberId);
        if (value === "") throw refuse("customers.nothing_to_show");
        await parts.audit.append(
          id,
          scope,
          [
            auditOf(row, "view", [
              { field, before: null, after: "shown" },
              { field: "reason", before: null, after: why },
            ]),
          ],
          nextId,
        );
        return { value, accountId };
      });
      await record(shown.accountId, "data_shown", { detail: `${field}|${why}` });
      return { value: shown.value };
    },

    async submit(scope: TenantScope, body: BodyOf<typeof customerSubmit>): Promise<{ version: number }> {
      return inOne(async (parts) => {
        await parts.customers.lock(scope, body.id);
        const row = await parts.customers.find(scope, body.id);
        if (row === undefined) throw refuse("customers.not_found");
        if (row.version !== body.version) throw refuse("customers.changed");
        const changes = changesOf(row, body);
        if (changes.length === 0) throw refuse("customers.unchanged");
        const to = Object.fromEntries(changes.map(({ field, after }) => [field, after]));
        await requireFitting(parts.customers, row, to);
        if (to.name !== undefined) await parts.customers.rename(scope, row.id, to.name);
        const version = await parts.customers.saveProfile(scope, row.id, {
          contactNameEncrypted:
            to.contactName === undefined
              ? row.contactNameEncrypted
              : to.contactName === ""
                ? ""
                : cipher.encrypt(to.contactName),
          regionCode: to.regionCode ?? row.ownRegionCode,
          addressEncrypted:
            to.address === undefined ? row.ownAddressEncrypted : to.address === "" ? "" : cipher.encrypt(to.address),
          remark: to.remark ?? row.remark,
        });
        const told = changes.flatMap(({ field }) => (field === "remark" ? [] : [fieldWords[field]]));
        if (told.length > 0 && row.accountId !== null) {
          const by = await parts.customers.staffName(scope);
          await parts.tell(row.accountId, "客服更新了您的资料", [...told, `由${by}更新`].join(" · "));
        }
        const masked = changes.map(({ field, before, after }) =>
          field === "contactName"
            ? { field, before: writePersonal("mask-name", before), after: writePersonal("mask-name", after) }
            : field === "address"
              ? { field, before: before && "****", after: after && "****" }
              : { field, before, after },
        );
        await parts.audit.append(row.id, scope, [auditOf(row, "update", masked)], nextId);
        return { version };
      });
    },
  };
}
export type CustomerService = ReturnType<typeof createCustomerService>;

/** An enterprise that showed its licence is called as the licence says. */
const isNameProven = ({ kind, authentication }: CustomerRow): boolean =>
  kind === "enterprise" && (authentication === "passed" || authentication === "suspended");

/** A person who was authenticated is called as the ID card says. */
const isContactProven = ({ kind, authentication }: CustomerRow): boolean =>
  kind === "personal" && (authentication === "passed" || authentication === "suspended");

const auditOf = (row: CustomerRow, action: AuditRecord["action"], changes: AuditRecord["changes"]): AuditRecord => ({
  resource: "customer",
  rowId: row.id,
  rowTitle: row.name,
  action,
  changes,
});

/** @throws {Refusal} for what can't be so */
async function requireFitting(
  customers: Pick<CustomerRepository, "isRegion">,
  row: CustomerRow,
  { name, contactName, regionCode, address, remark }: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const length = (text: string): number => [...text].length;
  if (row.state === "cancelled") throw refuse("customers.cancelled");
  if (name !== undefined && isNameProven(row)) throw refuse("customers.name_proven", { field: "name" });
  if (name !== undefined && (length(name) < 2 || length(name) > customerTextLength.name))
    throw refuse("customers.name", { field: "name", values: { max: customerTextLength.name } });
  if (contactName !== undefined && isContactProven(row))
    throw refuse("customers.contact_proven", { field: "contactName" });
  if (contactName && !isPersonName(contactName)) throw refuse("customers.contact_name", { field: "contactName" });
  if (regionCode && !(await customers.isRegion(regionCode))) throw refuse("customers.region", { field: "regionCode" });
  if (address !== undefined && length(address) > addressLength)
    throw refuse("profile.address", { field: "address", values: { most: addressLength } });
  if (remark !== undefined && length(remark) > customerTextLength.remark)
    throw refuse("customers.remark", { field: "remark", values: { max: customerTextLength.remark } });
}
