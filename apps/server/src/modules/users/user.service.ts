import {
  type AccountType,
  type BodyOf,
  isPersonName,
  judgedTooMildly,
  mobilePhonePattern,
  narrowText,
  normalizePersonName,
  normalizePhone,
  type PasswordRule,
  type Problem,
  passwordFault,
  passwordRuleValues,
  plainText,
  type ReplyOf,
  type RoleChoice,
  type TenantType,
  type UserChange,
  usernameProblem,
  type userResetPassword,
  userSorts,
  type userStatus,
} from "@herdwise/contract";
import { Refusal, refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { writePersonal } from "../../http/personal.ts";
import type { Reason } from "../../http/reasons.ts";
import { readIds, readSomeIds } from "../../ids.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import { accountScope, inTenant, systemScope, type TenantScope } from "../../tenant-scope.ts";
import type { AuditRepository } from "../audit/index.ts";
import type { ContactRepository, ContactService } from "../profile/index.ts";
import { md5, randomPassword } from "./random-password.ts";
import type { AccountChange, UserCursor, UserFilter, UserRepository, UserRow } from "./user.repository.ts";

interface UserTransaction {
  users: UserRepository;
  contacts: ContactRepository;
}
interface AuditedUsers {
  users: UserRepository;
  audit: Pick<AuditRepository, "append">;
}

export interface UserDependencies {
  repository: UserRepository;
  inTransaction<T>(work: (to: UserTransaction) => Promise<T>): Promise<T>;
  /** Runs in one transaction with its entries of the audit trail. */
  withAudit<T>(work: (to: AuditedUsers) => Promise<T>): Promise<T>;
  cipher: PersonalCipher;
  nextId: () => string;
  /** Form in which login names are compared. */
  accountKey(account: string): string;
  hashPassword(md5: string): Promise<string>;
  isDeniedPassword(passwordMd5: string, personal: readonly string[]): boolean;
  /** What new passwords must have now. */
  passwordRule(): PasswordRule;
  /** Which of these log-ins are locked after wrong passwords, in their order. */
  locked(logIns: readonly { account: string; phone: string }[]): Promise<boolean[]>;
  forgetFailures(account: string, phone: string): Promise<void>;
  /** Ends every session of an account, and what third-party applications hold of it. */
  endSessions(accountId: string, reason: string): Promise<void>;
  endMembershipSessions(membershipId: string, reason: string): Promise<void>;
  notify(accountId: string, title: string, content: string): Promise<void>;
  /** Sends a link to the proven phone of an account with which its owner chooses a password. @throws {Refusal} */
  sendResetLink(of: { id: string; account: string; phone: string }, remoteAddress: string): Promise<void>;
  contact: Pick<ContactService, "changeByStaff">;
  /** What a reset sets where no link is sent; undefined: a random password for each. */
  resetPassword: string | undefined;
}

const userTypeNames: Readonly<Record<number, string>> = { 1: "WEB", 2: "APP", 3: "OTHER" };
const sexNames: Readonly<Record<number, string>> = { 1: "男", 2: "女", 3: "未知" };
const typeOf = (tenant: TenantType): AccountType => (tenant === "group" ? "employee" : tenant);

const md5Hex = /^[0-9a-f]{32}$/i;
const mailPattern = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/;

/** Masked texts that are kept; beyond it all are forgotten. */
const keptMasks = 10_000;

/**
 * What lists show of encrypted texts. Decrypting the phones of a page took as long as reading it, so that masks are kept: of the text itself nothing
 * stays in memory.
 */
function createMask(rule: "mask-phone" | "mask-email", decrypt: (encrypted: string) => string) {
  const kept = new Map<string, string>();
  return (encrypted: string): string => {
    let masked = kept.get(encrypted);
    if (masked === undefined) {
      masked = writePersonal(rule, decrypt(encrypted)) as string;
      if (kept.size >= keptMasks) kept.clear();
      kept.set(encrypted, masked);
    }
    return masked;
  };
}

const typedByStaff = systemScope("an administrator changes the contact data of somebody else, who is told");

/** The people of a tenant, as its administrators keep them. */
export function createUserService(dependencies: UserDependencies) {
  const { repository, inTransaction, withAudit, cipher, nextId } = dependencies;
  const decryptOrEmpty = (held: string) => (held === "" ? "" : cipher.decrypt(held));

  const maskedPhone = createMask("mask-phone", decryptOrEmpty);
  const maskedEmail = createMask("mask-email", decryptOrEmpty);

  const view = async (rows: readonly UserRow[]) => {
    const locks = rows[0]?.anyLocked
      ? await dependencies.locked(
          rows.map(({ account, phoneEncrypted }) => ({ account, phone: decryptOrEmpty(phoneEncrypted) })),
        )
      : [];
    // Field by field: taking a row apart and spreading its rest costs as much as reading it from the database.
    return rows.map((row, at) => ({
      id: row.id,
      tenantId: row.tenantId,
      tenantName: row.tenantName,
      code: row.code,
      userType: row.userType,
      userTypeName: userTypeNames[row.userType] ?? "",
      account: row.account,
      name: row.nickName,
      realName: row.realName,
      avatar: row.avatar,
      email: maskedEmail(row.emailEncrypted),
      phone: maskedPhone(row.phoneEncrypted),
      birthday: row.birthday === null ? "" : `${row.birthday} 00:00:00`,
      sex: row.sex,
      sexName: sexNames[row.sex] ?? "",
      roleId: row.roleIds,
      roleName: row.roleNames,
      deptId: row.deptIds,
      deptName: row.deptNames,
      postId: row.postIds,
      postName: row.postNames,
      status: row.status,
      isDeleted: 0,
      createUser: row.createUser,
      createDept: row.createDept,
      createTime: row.createTime,
      updateUser: row.updateUser,
      updateTime: row.updateTime,
      lastLoginTime: row.lastLoginTime,
      userExt: row.userExt,
      locked: locks[at] ?? false,
      mustChangePassword: row.mustChangePassword,
      phoneProven: row.phoneProven,
      shared: row.shared,
      version: row.version,
    }));
  };

  /**
   * The memberships that are meant, one for each account. @throws {Refusal} 404 for one of another tenant as for none
   */
  const membersOf = async (
    from: UserRepository,
    scope: TenantScope,
    ids: readonly string[],
    tenantId: string | undefined,
  ): Promise<UserRow[]> => {
    const byAccount = Map.groupBy(await from.ofAccounts(inTenant(scope, tenantId), ids), ({ id }) => id);
    return ids.map((id) => {
      const rows = byAccount.get(id) ?? [];
      const row = rows.find((held) => held.tenantId === scope.tenantId) ?? rows[0];
      if (row === undefined) throw refuse("users.not_found");
      if (rows.length > 1 && row.tenantId !== scope.tenantId) throw refuse("users.which_tenant");
      return row;
    });
  };
  const memberOf = async (from: UserRepository, scope: TenantScope, id: string, tenantId: string | undefined) => {
    const [row] = await membersOf(from, scope, [id], tenantId);
    if (row === undefined) throw refuse("users.not_found");
    return row;
  };

  /**
   * Nobody changes who may do more than they may: what the target's roles grant in the caller's own tenant must be a part
   * of what the caller's do.
   */
  const requireNotAbove = async (from: UserRepository, scope: TenantScope, ids: readonly string[]): Promise<void> => {
    if ((await from.accountsBeyond(scope, ids)).length > 0) throw refuse("users.above");
  };

  /** What belongs to the person and not to the tenant is out of reach of a tenant that shares the person with others. */
  const requireWhole = (scope: TenantScope, row: UserRow): void => {
    if (row.shared && !scope.everyTenant) {
      throw refuse("users.shared");
    }
  };

  /** Makes a change of a tenant's members, one at a time, unless it leaves nobody who can manage the tenant. */
  const keepingLeaders = async (
    to: UserRepository,
    scope: TenantScope,
    tenantIds: readonly string[],
    work: () => Promise<void>,
  ): Promise<void> => {
    // In one order, so that two such changes can't wait for each other.
    const tenants = [...new Set(tenantIds)].sort().map((tenantId) => inTenant(scope, tenantId));
    const before = new Map<TenantScope, number>();
    for (const tenant of tenants) {
      await to.lockTenant(tenant);
      before.set(tenant, await to.leaders(tenant));
    }
    await work();
    for (const [tenant, leaders] of before) {
      if (leaders > 0 && (await to.leaders(tenant)) === 0) throw refuse("users.last_leader");
    }
  };

  /** Users whose log-in the caller may change as a whole. @throws {Refusal} 400, 404; then none is changed */
  const logInsOf = async (
    scope: TenantScope,
    userIds: string | undefined,
    tenantId: string | undefined,
  ): Promise<UserRow[]> => {
    const rows = await membersOf(repository, scope, readSomeIds(userIds, "users.none"), tenantId);
    await requireNotAbove(
      repository,
      scope,
      rows.map(({ id }) => id),
    );
    for (const row of rows) requireWhole(scope, row);
    return rows;
  };

  const requireRoles = async (
    from: UserRepository,
    scope: TenantScope,
    tenantId: string,
    roleIds: readonly string[],
  ): Promise<void> => {
    if (roleIds.length === 0) throw refuse("users.no_role", { field: "roleId" });
    if ((await from.rolesOf(inTenant(scope, tenantId), roleIds)).length !== roleIds.length) {
      throw refuse("users.unknown_role", { field: "roleId" });
    }
    if (tenantId === scope.tenantId && (await from.rolesBeyond(scope, roleIds)).length > 0) {
      throw refuse("users.role_above", { field: "roleId" });
    }
  };

  /**
   * Where a form puts somebody in the tenant, as far as it says so and it differs from `held`. Whose data scope is limited to
   * departments puts nobody into others: rows count to the department of who adds them.
   */
  const placesOf = async (
    from: UserRepository,
    scope: TenantScope,
    tenantId: string,
    input: UserChange,
    held: Pick<UserRow, "deptIds" | "postIds"> = { deptIds: "", postIds: "" },
  ): Promise<{ deptIds?: string[]; postIds?: string[] }> => {
    const places: { deptIds?: string[]; postIds?: string[] } = {};
    const differs = (a: readonly string[], b: readonly string[]) => [...a].sort().join() !== [...b].sort().join();
    const deptIds = readIds(input.deptId);
    const heldDeptIds = readIds(held.deptIds);
    if (input.deptId !== undefined && differs(deptIds, heldDeptIds)) {
      if ((await from.departmentsOf(inTenant(scope, tenantId), deptIds)).length !== deptIds.length) {
        throw refuse("users.unknown_department", { field: "deptId" });
      }
      const { all, departmentIds } = scope.rows;
      const touched = [...deptIds, ...heldDeptIds].filter((id) => !(deptIds.includes(id) && heldDeptIds.includes(id)));
      if (!all && touched.some((id) => !departmentIds.includes(id))) {
        throw refuse("users.department_above", { field: "deptId" });
      }
      places.deptIds = deptIds;
    }
    const postIds = readIds(input.postId);
    if (input.postId !== undefined && differs(postIds, readIds(held.postIds))) {
      if ((await from.postsOf(inTenant(scope, tenantId), postIds)).length !== postIds.length) {
        throw refuse("users.unknown_post", { field: "postId" });
      }
      places.postIds = postIds;
    }
    return places;
  };

  const setPlaces = async (
    to: UserRepository,
    scope: TenantScope,
    membershipId: string,
    { deptIds, postIds }: { deptIds?: string[]; postIds?: string[] },
  ): Promise<void> => {
    if (deptIds) await to.setDepartments(scope, membershipId, deptIds);
    if (postIds) await to.setPosts(scope, membershipId, postIds);
  };

  /** Checks what a form sends of a person and brings it into the form of the table; of phone and e-mail, what differs from the held ones. */
  const accountChange = (input: UserChange, held?: UserRow) => {
    const change: AccountChange = {};
    const contact: { phone?: string; email?: string } = {};
    const { name, realName, userType, sex, birthday, email, phone } = input;
    if (name !== undefined) change.nickName = plainText(name);
    if (realName !== undefined && realName !== (held?.realName ?? "")) {
      const person = normalizePersonName(realName);
      if (person !== "" && !isPersonName(person)) throw refuse("users.real_name", { field: "realName" });
      if (person !== held?.realName) change.realName = person;
    }
    if (userType !== undefined) change.userType = userType;
    if (sex !== undefined) change.sex = sex;
    if (birthday !== undefined) {
      const day = birthday.slice(0, 10);
      if (day !== "" && !isDay(day)) throw refuse("users.birthday", { field: "birthday" });
      change.birthday = day === "" ? null : day;
    }
    const heldMail = decryptOrEmpty(held?.emailEncrypted ?? "");
    if (email !== undefined && email !== heldMail && email !== writePersonal("mask-email", heldMail)) {
      const mail = narrowText(email);
      if (mail !== "" && !mailPattern.test(mail)) throw refuse("users.email", { field: "email" });
      if (mail !== heldMail) contact.email = mail;
    }
    const heldPhone = decryptOrEmpty(held?.phoneEncrypted ?? "");
    if (phone !== undefined && phone !== writePersonal("mask-phone", heldPhone)) {
      const number = normalizePhone(phone);
      if (number !== "" && !mobilePhonePattern.test(number)) throw refuse("users.phone", { field: "phone" });
      if (number !== heldPhone) contact.phone = number;
    }
    return { change, contact };
  };

  const nameOf = async (from: UserRepository, text: string, phone: string, exceptId: string): Promise<string> => {
    const name = text.normalize("NFKC").trim();
    const problem = usernameProblem(name, phone);
    if (problem !== "") throw refuse("users.account", { field: "account", values: { problem } });
    if (await from.isTaken(dependencies.accountKey(name), exceptId)) throw taken(name);
    return name;
  };
  const taken = (name: string) => refuse("users.account_taken", { field: "account", values: { name } });

  /** @param judgedBy the rule that the form checked, where it says so */
  const passwordOf = (given: string, judgedBy: string | undefined, personal: readonly string[]): string => {
    const rule = dependencies.passwordRule();
    const fault = md5Hex.test(given) ? undefined : passwordFault(given, rule);
    if (fault !== undefined) throw refuse(`password.${fault}`, { field: "password", values: passwordRuleValues(rule) });
    if (judgedBy !== undefined && judgedTooMildly(judgedBy, rule))
      throw refuse("password.rule_changed", { field: "password", values: passwordRuleValues(rule) });
    const hashed = md5Hex.test(given) ? given : md5(given);
    if (dependencies.isDeniedPassword(hashed, personal)) throw refuse("users.common_password", { field: "password" });
    return hashed;
  };

  const add = async (
    scope: TenantScope,
    input: UserChange,
    confirmed: () => Promise<void>,
  ): Promise<{ id: string; password?: string }> => {
    await confirmed();
    const within = inTenant(scope, input.tenantId || scope.tenantId);
    const { tenantId } = within;
    const [tenant] = await repository.tenants(within, undefined);
    if (tenant === undefined) throw refuse("users.tenant", { field: "tenantId" });
    if (!input.account?.trim()) throw refuse("users.account_missing", { field: "account" });
    const { change, contact } = accountChange(input);
    const { phone = "", email = "" } = contact;
    const account = await nameOf(repository, input.account, phone, "0");
    const roleIds = readIds(input.roleId);
    await requireRoles(repository, scope, tenantId, roleIds);
    const places = await placesOf(repository, scope, tenantId, input);
    const drawn = input.password ? undefined : randomPassword(dependencies.passwordRule());
    const passwordHash = await dependencies.hashPassword(
      drawn === undefined ? passwordOf(input.password ?? "", input.passwordRule, [account, phone]) : md5(drawn),
    );
    const id = nextId();
    await inTransaction(async ({ users: to }) => {
      const type = typeOf(tenant.type as TenantType);
      const row = { id, account, accountKey: dependencies.accountKey(account), passwordHash, type };
      const membershipId = nextId();
      if (await to.isFull(within)) throw refuse("users.quota");
      if (!(await to.insertMember(within, membershipId, row))) throw taken(account);
      // Typed and not proven: nothing that opens the account goes there.
      const typed = {
        ...(phone !== "" && { phoneEncrypted: cipher.encrypt(phone), phoneIndex: cipher.index(phone) }),
        ...(email !== "" && { emailEncrypted: cipher.encrypt(email) }),
      };
      await to.changeAccount(within, id, { ...change, ...typed }, undefined);
      await to.changeMembership(within, membershipId, membershipChange(input));
      await to.setRoles(within, membershipId, roleIds);
      await setPlaces(to, within, membershipId, places);
    });
    return { id, ...(drawn !== undefined && { password: drawn }) };
  };

  const membershipChange = ({ code, status }: UserChange) => ({
    ...(code !== undefined && { code: plainText(code) }),
    ...(status !== undefined && { status }),
  });

  /** Whether a change leads codes elsewhere, gives rights, or lets somebody in again. */
  const needsConfirmation = (held: UserRow, input: UserChange): boolean => {
    const { contact } = accountChange(input, held);
    const heldIds = readIds(held.roleIds);
    const granted = readIds(input.roleId).filter((roleId) => !heldIds.includes(roleId));
    const renamed = input.account !== undefined && input.account.trim() !== held.account;
    return (
      Object.keys(contact).length > 0 || granted.length > 0 || renamed || (input.status === 1 && held.status !== 1)
    );
  };

  const change = async (
    scope: TenantScope,
    id: string,
    input: UserChange,
    confirmed: () => Promise<void>,
  ): Promise<{ phoneWaits: boolean }> => {
    if (needsConfirmation(await memberOf(repository, scope, id, input.tenantId), input)) await confirmed();
    const { lockedOut, contact } = await inTransaction(async ({ users: to, contacts }) => {
      const held = await memberOf(to, scope, id, input.tenantId);
      const { change: personal, contact } = accountChange(input, held);
      const [typed] = Object.keys(contact);
      if (typed !== undefined && id === scope.accountId) throw refuse("users.own_contact", { field: typed });
      if (input.account !== undefined && input.account.trim() !== held.account) {
        personal.account = await nameOf(to, input.account, contact.phone ?? decryptOrEmpty(held.phoneEncrypted), id);
        personal.accountKey = dependencies.accountKey(personal.account);
      }
      const changed = Object.entries(personal).filter(([field, value]) => held[field as keyof UserRow] !== value);
      if (id !== scope.accountId) await requireNotAbove(to, scope, [id]);
      if (changed.length > 0 || typed !== undefined) requireWhole(scope, held);
      const heldIds = readIds(held.roleIds);
      const roleIds = input.roleId === undefined ? heldIds : readIds(input.roleId);
      const rolesChanged = roleIds.toSorted().join() !== heldIds.toSorted().join();
      if (rolesChanged) await requireRoles(to, scope, held.tenantId, roleIds);
      const places = await placesOf(to, scope, held.tenantId, input, held);
      if (input.status === 0 && id === scope.accountId) throw refuse("users.disable_self");
      await keepingLeaders(to, scope, [held.tenantId], async () => {
        if (!(await to.changeAccount(scope, id, Object.fromEntries(changed), input.version))) {
          throw refuse("row.changed_meanwhile");
        }
        await to.changeMembership(scope, held.membershipId, membershipChange(input));
        if (rolesChanged) await to.setRoles(scope, held.membershipId, roleIds);
        await setPlaces(to, scope, held.membershipId, places);
      });
      return {
        lockedOut: input.status === 0 ? held.membershipId : undefined,
        contact:
          typed === undefined
            ? undefined
            : await dependencies.contact.changeByStaff(
                contacts,
                accountScope(typedByStaff, id),
                contact,
                scope.remoteAddress,
              ),
      };
    });
    if (lockedOut !== undefined) await dependencies.endMembershipSessions(lockedOut, "locked");
    await contact?.tell();
    return { phoneWaits: contact?.waits ?? false };
  };

  type Resettable = Pick<UserRow, "id" | "tenantId" | "account"> & { phone: string };

  /** @param way whether the password is told to the person, or they get a link and choose one */
  const storeReset = async (
    { users, audit }: AuditedUsers,
    scope: TenantScope,
    { id, tenantId, account }: Resettable,
    hash: string,
    way: "told" | "link",
  ): Promise<void> => {
    await users.setPassword(scope, id, hash, way === "told");
    const changes = [{ field: "password", before: "", after: way }];
    const record = { resource: "user", rowId: id, rowTitle: account, action: "reset", changes } as const;
    await audit.append(tenantId, scope, [record], nextId);
  };

  const afterReset = async ({ id, account, phone }: Resettable): Promise<void> => {
    await dependencies.endSessions(id, "password_reset");
    await dependencies.forgetFailures(account, phone);
    await dependencies.notify(
      id,
      "密码已重置",
      "管理员重置了您的密码，所有登录均已退出。如非您的要求，请立即联系管理员。",
    );
  };

  return {
    async page(scope: TenantScope, query: Parameters<typeof pageRequest>[0] & UserFilter & { tenantId?: string }) {
      const request = pageRequest(query, userSorts);
      const { rows, total } = await repository.page(inTenant(scope, query.tenantId), query, request);
      return pageOfRows(await view(rows), total, request);
    },

    /** All users that conditions select, without pages. @param limit those beyond it are left out */
    async all(scope: TenantScope, query: UserFilter & { tenantId?: string | undefined }, limit: number) {
      const { rows, total } = await repository.page(inTenant(scope, query.tenantId), query, {
        offset: 0,
        limit,
        orders: [],
      });
      return { users: await view(rows), total };
    },

    /** Users after a given one, in the order of their ids, for exports that read in parts. @param limit users of a part */
    async after(scope: TenantScope, filter: UserFilter, cursor: UserCursor | undefined, limit: number) {
      const rows = await repository.after(scope, filter, cursor, limit);
      return (await view(rows)).map((user, at) => ({
        user,
        cursor: [user.id, rows[at]?.membershipId ?? "0"] as const,
      }));
    },

    /** Keeps what a platform knows of a user. @throws {Refusal} 400, 404 */
    async setPlatform(
      scope: TenantScope,
      given: {
        userId?: string | undefined;
        userType?: number | undefined;
        userExt?: string | undefined;
        tenantId?: string | undefined;
      },
    ): Promise<void> {
      const { userId, userType, userExt = "", tenantId } = given;
      for (const [field, value] of [
        ["userId", userId],
        ["userType", userType],
      ] as const)
        if (value === undefined) throw refuse("parameter.missing", { field, values: { field } });
      const { id } = await memberOf(repository, scope, userId ?? "", tenantId);
      if (id !== scope.accountId) await requireNotAbove(repository, scope, [id]);
      await repository.setPlatform(scope, id, userType ?? 1, plainText(userExt, { lines: true }));
    },

    async detail(scope: TenantScope, id: string, tenantId: string | undefined) {
      const [user] = await view([await memberOf(repository, scope, id, tenantId)]);
      if (user === undefined) throw refuse("users.not_found");
      return user;
    },

    /**
     * Adds or changes a user.
     * @param confirmed refuses a caller without a fresh password; asked where the change needs one
     * @throws {Refusal} 400 with what is wrong, 404, 409 when somebody else was quicker
     */
    async submit(
      scope: TenantScope,
      input: UserChange,
      confirmed: () => Promise<void>,
    ): Promise<{ id: string; password?: string; phoneWaits?: boolean }> {
      if (!input.id) return add(scope, input, confirmed);
      return { id: input.id, ...(await change(scope, input.id, input, confirmed)) };
    },

    update: (scope: TenantScope, input: UserChange & { id: string }, confirmed: () => Promise<void>) =>
      change(scope, input.id, input, confirmed),

    /**
     * Disables or enables members, all or nobody.
     * @returns those who were not so before
     * @throws {Refusal} with a problem for each who can't be changed so, whose field is the account's id
     */
    async setStatus(
      scope: TenantScope,
      { users: named, status }: BodyOf<typeof userStatus>,
      confirmed: () => Promise<void>,
    ): Promise<ReplyOf<typeof userStatus>> {
      const changed = await inTransaction(async ({ users: to }) => {
        const ids = [...new Set(named.map(({ id }) => id))];
        const held = new Map(
          (await to.ofAccounts(inTenant(scope, undefined), ids)).map((row) => [`${row.id} ${row.tenantId}`, row]),
        );
        const beyond = new Set(await to.accountsBeyond(scope, ids));
        const problems: Problem[] = [];
        const problem = (field: string, reason: Reason): void => {
          const { problems: own } = refuse(reason, { field }).answer;
          problems.push(...(own as Problem[]));
        };
        const rows: UserRow[] = [];
        for (const { id, tenantId } of named) {
          const row = held.get(`${id} ${tenantId}`);
          if (row === undefined) problem(id, "users.not_found");
          else if (id === scope.accountId) problem(id, "users.disable_self");
          else if (beyond.has(id)) problem(id, "users.above");
          else if (row.status !== status) rows.push(row);
        }
        if (status === 1 && rows.length > 0) await confirmed();
        // In one order, so that two such changes can't wait for each other.
        const byTenant = [...Map.groupBy(rows, (row) => row.tenantId)].toSorted(([a], [b]) => (a < b ? -1 : 1));
        for (const [tenantId, members] of byTenant) {
          const work = () =>
            to.setStatus(
              scope,
              members.map(({ membershipId }) => membershipId),
              status,
            );
          const fault = await keepingLeaders(to, scope, [tenantId], work).catch((error: unknown) => error);
          if (fault === undefined) continue;
          if (!(fault instanceof Refusal)) throw fault;
          const leading = await to.leading(
            scope,
            members.map(({ membershipId }) => membershipId),
          );
          for (const { id, membershipId } of members) if (leading.has(membershipId)) problem(id, fault.reason);
        }
        if (problems.length > 0) throw refuse("users.status", { values: { count: problems.length }, problems });
        if (rows.length > 0) await to.touchAccounts(scope, ids);
        return rows;
      });
      if (status === 0)
        for (const { membershipId } of changed) await dependencies.endMembershipSessions(membershipId, "locked");
      return { changed: changed.map(({ id, tenantId }) => ({ id, tenantId })) };
    },

    async remove(scope: TenantScope, ids: string | undefined, tenantId: string | undefined): Promise<void> {
      const named = readSomeIds(ids);
      if (named.includes(scope.accountId)) throw refuse("users.remove_self");
      const removed = await inTransaction(async ({ users: to }) => {
        const rows = await membersOf(to, scope, named, tenantId);
        await requireNotAbove(to, scope, named);
        await keepingLeaders(
          to,
          scope,
          rows.map((row) => row.tenantId),
          async () => {
            // The sessions go with the memberships; open streams see it at their next look.
            await to.removeMembers(
              scope,
              rows.map(({ membershipId }) => membershipId),
            );
          },
        );
        return rows;
      });
      for (const { id, shared } of removed) if (!shared) await dependencies.endSessions(id, "removed");
    },

    /** Replaces the roles of users. */
    async grant(
      scope: TenantScope,
      userIds: string | undefined,
      roles: string | undefined,
      tenantId: string | undefined,
    ): Promise<void> {
      const named = readSomeIds(userIds, "users.none");
      const roleIds = readIds(roles);
      await inTransaction(async ({ users: to }) => {
        const rows = await membersOf(to, scope, named, tenantId);
        await requireNotAbove(to, scope, named);
        const tenants = [...new Set(rows.map((row) => row.tenantId))];
        for (const one of tenants) await requireRoles(to, scope, one, roleIds);
        await keepingLeaders(to, scope, tenants, async () => {
          for (const { membershipId } of rows) await to.setRoles(scope, membershipId, roleIds);
          await to.touchAccounts(scope, named);
        });
      });
    },

    /**
     * Ends the old passwords. Who proved a phone gets a link there, so that nobody else reads the new one; the others get a
     * password that is told to them.
     * @returns the new passwords, to be shown once, where they are random, and where links went
     * @throws {Refusal} when a link can't be sent; the people before it in the list are done then
     */
    async resetPasswords(
      scope: TenantScope,
      userIds: string | undefined,
      tenantId: string | undefined,
    ): Promise<ReplyOf<typeof userResetPassword>> {
      const people = (await logInsOf(scope, userIds, tenantId)).map((row) => ({
        ...row,
        phone: decryptOrEmpty(row.phoneEncrypted),
      }));
      const told = people
        .filter(({ phoneProven }) => !phoneProven)
        .map((person) => ({
          person,
          password: dependencies.resetPassword ?? randomPassword(dependencies.passwordRule()),
        }));
      // Hashed one after the other: each takes its share of memory on purpose. Stored for all or for nobody.
      const hashed: { person: Resettable; hash: string }[] = [];
      for (const { person, password } of told)
        hashed.push({ person, hash: await dependencies.hashPassword(md5(password)) });
      await withAudit(async (to) => {
        for (const { person, hash } of hashed) await storeReset(to, scope, person, hash, "told");
      });
      for (const { person } of told) await afterReset(person);
      const sent: { account: string; phone: string }[] = [];
      for (const person of people.filter(({ phoneProven }) => phoneProven)) {
        await dependencies.sendResetLink(person, scope.remoteAddress);
        // A password that nobody knows.
        const hash = await dependencies.hashPassword(md5(randomPassword(dependencies.passwordRule())));
        await withAudit((to) => storeReset(to, scope, person, hash, "link"));
        await afterReset(person);
        sent.push({ account: person.account, phone: person.phone });
      }
      return {
        ...(told.length > 0 &&
          dependencies.resetPassword === undefined && {
            passwords: told.map(({ person: { account }, password }) => ({ account, password })),
          }),
        ...(sent.length > 0 && { sent }),
      };
    },

    async unlock(scope: TenantScope, userIds: string | undefined, tenantId: string | undefined): Promise<void> {
      for (const { id, account, phoneEncrypted } of await logInsOf(scope, userIds, tenantId)) {
        await dependencies.forgetFailures(account, decryptOrEmpty(phoneEncrypted));
        await dependencies.notify(id, "登录锁定已解除", "管理员解除了您账号的登录锁定。如非您的要求，请尽快修改密码。");
      }
    },

    async roles(scope: TenantScope, tenantId: string | undefined): Promise<RoleChoice[]> {
      const within = inTenant(scope, tenantId);
      const roles = await repository.rolesOf(within);
      const beyond =
        within.tenantId === scope.tenantId
          ? await repository.rolesBeyond(
              scope,
              roles.map(({ id }) => id),
            )
          : [];
      return roles.map((role) => ({ ...role, parentId: role.parentId ?? "0", grantable: !beyond.includes(role.id) }));
    },

    /** Tenants that the scope reaches, by a part of the name. */
    tenants: (scope: TenantScope, word: string | undefined) => repository.tenants(scope, word),
  };
}
export type UserService = ReturnType<typeof createUserService>;

/** Whether yyyy-MM-dd is a day of the calendar that is not yet to come. */
function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) && at.getTime() <= Date.now() + 86_400_000;
}
