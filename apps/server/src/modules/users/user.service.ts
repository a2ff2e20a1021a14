import { createHash, randomInt } from "node:crypto";
import {
  type AccountType,
  mobilePhonePattern,
  normalizeMobilePhone,
  passwordProblem,
  type RoleChoice,
  realNameLength,
  type TenantType,
  type UserChange,
  usernameProblem,
  userSorts,
  wireMessage,
} from "@herdwise/contract";
import { notFound, Refusal, rejected } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { writePersonal } from "../../http/personal.ts";
import type { Session } from "../../http/session.ts";
import type { PersonalBox } from "../../personal-box.ts";
import type { AccountChange, UserFilter, UserRepository, UserRow } from "./user.repository.ts";

export interface UserNeeds {
  repository: UserRepository;
  inTransaction<T>(work: (repository: UserRepository) => Promise<T>): Promise<T>;
  box: PersonalBox;
  nextId: () => string;
  /** Form in which login names are compared. */
  accountKey(account: string): string;
  hashPassword(md5: string): Promise<string>;
  isDeniedPassword(passwordMd5: string, personal: readonly string[]): boolean;
  /** Which of these log-ins are locked after wrong passwords, in their order. */
  locked(logIns: readonly { account: string; phone: string }[]): Promise<boolean[]>;
  forgetFailures(account: string, phone: string): Promise<void>;
  /** Ends every session of an account, and what third-party applications hold of it. */
  endSessions(accountId: string, reason: string): Promise<void>;
  endMembershipSessions(membershipId: string, reason: string): Promise<void>;
  notify(accountId: string, title: string, content: string): Promise<void>;
  /** What a reset sets; undefined: a random password for each. */
  resetPassword: string | undefined;
}

const userTypeNames: Readonly<Record<number, string>> = { 1: "WEB", 2: "APP", 3: "OTHER" };
const sexNames: Readonly<Record<number, string>> = { 1: "男", 2: "女", 3: "未知" };
const typeOf = (tenant: TenantType): AccountType => (tenant === "group" ? "employee" : tenant);

const md5 = (text: string): string => createHash("md5").update(text).digest("hex");
const md5Hex = /^[0-9a-f]{32}$/i;
const mailPattern = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/;

// Without what is mistaken for another when it is read out.
const alphabets = ["ABCDEFGHJKMNPQRSTUVWXYZ", "abcdefghjkmnpqrstuvwxyz", "23456789"] as const;

/** A password to be told once and changed at the first log-in: 12 characters, about 68 bits, of three classes. */
function randomPassword(): string {
  const draw = (letters: string) => letters[randomInt(letters.length)] ?? "";
  for (;;) {
    const drawn = Array.from({ length: 12 }, () => draw(alphabets.join(""))).join("");
    if (alphabets.every((letters) => [...letters].some((letter) => drawn.includes(letter)))) return drawn;
  }
}

const idsOf = (text: string | undefined): string[] => {
  const ids = [...new Set((text ?? "").split(",").map((id) => id.trim()))].filter((id) => id !== "");
  if (ids.length > 500 || ids.some((id) => !/^\d{1,19}$/.test(id)))
    throw rejected("users.ids", `${wireMessage.parameterInvalid}: ids`);
  return ids;
};

/** The people of a tenant, as its administrators keep them. */
export function createUserService(needs: UserNeeds) {
  const { repository, inTransaction, box, nextId } = needs;
  const openBox = (held: string) => (held === "" ? "" : box.open(held));

  /** The group's staff see all tenants, everybody else the own one, whatever they ask for. */
  const scopeOf = (session: Session, asked: string | undefined): string | undefined =>
    session.tenantType === "group" ? asked || undefined : session.tenantId;

  const view = async (rows: readonly UserRow[]) => {
    const phones = rows.map(({ phoneBox }) => openBox(phoneBox));
    const locks = await needs.locked(rows.map(({ account }, at) => ({ account, phone: phones[at] ?? "" })));
    return rows.map(
      ({ membershipId, accountKey, nickName, emailBox, phoneBox, roleIds, roleNames, birthday, ...row }, at) => ({
        ...row,
        name: nickName,
        userTypeName: userTypeNames[row.userType] ?? "",
        sexName: sexNames[row.sex] ?? "",
        email: openBox(emailBox),
        phone: phones[at] ?? "",
        birthday: birthday === null ? "" : `${birthday} 00:00:00`,
        roleId: roleIds.join(","),
        roleName: roleNames.join(","),
        deptId: "",
        deptName: "",
        postId: "",
        postName: "",
        isDeleted: 0,
        userExt: "",
        locked: locks[at] ?? false,
      }),
    );
  };

  /**
   * The membership that is meant. @throws {Refusal} 404 for one of another tenant as for none
   */
  const memberOf = async (
    from: UserRepository,
    session: Session,
    id: string,
    tenantId: string | undefined,
  ): Promise<UserRow> => {
    const rows = await from.ofAccount(id, scopeOf(session, tenantId));
    const row = rows.find((held) => held.tenantId === session.tenantId) ?? rows[0];
    if (row === undefined) throw notFound("users.not_found");
    if (rows.length > 1 && row.tenantId !== session.tenantId) {
      throw rejected("users.which_tenant", "该用户属于多个租户，请指明租户");
    }
    return row;
  };

  /**
   * Nobody changes who may do more than they may: what the target's roles grant in the caller's own tenant must be a part
   * of what the caller's do.
   */
  const requireNotAbove = async (from: UserRepository, session: Session, accountId: string): Promise<void> => {
    const roleIds = await from.roleIdsIn(accountId, session.tenantId);
    if ((await from.rolesBeyond(session.membershipId, roleIds)).length > 0) {
      throw rejected("users.above", "无权配置管理员角色!");
    }
  };

  /** What belongs to the person and not to the tenant is out of reach of a tenant that shares the person with others. */
  const requireWhole = (session: Session, row: UserRow): void => {
    if (row.shared && session.tenantType !== "group") {
      throw rejected("users.shared", "该用户还属于其他租户，只能调整其在本租户的角色、编号和状态");
    }
  };

  /** Makes a change of a tenant's members, one at a time, unless it leaves nobody who can manage the tenant. */
  const keepingLeader = async (to: UserRepository, tenantId: string, work: () => Promise<void>): Promise<void> => {
    await to.lockTenant(tenantId);
    const before = await to.leaders(tenantId);
    await work();
    if (before > 0 && (await to.leaders(tenantId)) === 0) {
      throw rejected("users.last_leader", "不能移除最后一位管理员");
    }
  };

  /** Users whose log-in the caller may change as a whole. @throws {Refusal} 400, 404; then none is changed */
  const logInsOf = async (
    session: Session,
    userIds: string | undefined,
    tenantId: string | undefined,
  ): Promise<UserRow[]> => {
    const named = idsOf(userIds);
    if (named.length === 0) throw rejected("users.none", "请至少选择一个用户");
    const rows = await Promise.all(named.map((id) => memberOf(repository, session, id, tenantId)));
    for (const row of rows) {
      await requireNotAbove(repository, session, row.id);
      requireWhole(session, row);
    }
    return rows;
  };

  const requireRoles = async (
    from: UserRepository,
    session: Session,
    tenantId: string,
    roleIds: readonly string[],
  ): Promise<void> => {
    if (roleIds.length === 0) throw rejected("users.no_role", "请选择角色");
    if ((await from.rolesOf(tenantId, roleIds)).length !== roleIds.length) {
      throw rejected("users.unknown_role", "角色不存在，请重新选择");
    }
    if (tenantId === session.tenantId && (await from.rolesBeyond(session.membershipId, roleIds)).length > 0) {
      throw rejected("users.role_above", "无权配置管理员角色!");
    }
  };

  /** Checks what a form sends of a person and brings it into the form of the table. */
  const accountChange = (input: UserChange, held?: UserRow): AccountChange => {
    const change: AccountChange = {};
    const { name, realName, userType, sex, birthday, email, phone } = input;
    if (name !== undefined) change.nickName = name.trim();
    if (realName !== undefined && realName.trim() !== (held?.realName ?? "")) {
      const length = [...realName.trim()].length;
      if (length > 0 && (length < realNameLength.least || length > realNameLength.most)) {
        throw rejected("users.real_name", "姓名长度为 2 到 5 个字符");
      }
      change.realName = realName.trim();
    }
    if (userType !== undefined) change.userType = userType;
    if (sex !== undefined) change.sex = sex;
    if (birthday !== undefined) {
      const day = birthday.slice(0, 10);
      if (day !== "" && !isDay(day)) throw rejected("users.birthday", "生日不正确");
      change.birthday = day === "" ? null : day;
    }
    const heldMail = openBox(held?.emailBox ?? "");
    if (email !== undefined && email !== heldMail && email !== writePersonal("mask-email", heldMail)) {
      if (email !== "" && !mailPattern.test(email)) throw rejected("users.email", "请输入正确的邮箱");
      change.emailBox = email === "" ? "" : box.close(email);
    }
    const heldPhone = openBox(held?.phoneBox ?? "");
    if (phone !== undefined && phone !== writePersonal("mask-phone", heldPhone)) {
      const number = normalizeMobilePhone(phone);
      if (number !== "" && !mobilePhonePattern.test(number)) throw rejected("users.phone", "请输入正确的手机号");
      if (number !== heldPhone) {
        change.phoneBox = number === "" ? "" : box.close(number);
        change.phoneIndex = number === "" ? null : box.index(number);
        // Typed by somebody else: its owner proves it at the first code.
        change.phoneVerifiedAt = null;
      }
    }
    return change;
  };

  const nameOf = async (from: UserRepository, text: string, phone: string, exceptId: string): Promise<string> => {
    const name = text.normalize("NFKC").trim();
    const problem = usernameProblem(name, phone);
    if (problem !== "") throw rejected("users.account", problem);
    if (await from.isTaken(needs.accountKey(name), exceptId)) throw taken(name);
    return name;
  };
  const taken = (name: string) => rejected("users.account_taken", `当前用户 [${name}] 已存在!`);

  const passwordOf = (given: string, personal: readonly string[]): string => {
    if (!md5Hex.test(given)) {
      const problem = passwordProblem(given);
      if (problem !== "") throw rejected("users.password", problem);
    }
    const hashed = md5Hex.test(given) ? given : md5(given);
    if (needs.isDeniedPassword(hashed, personal)) throw rejected("users.common_password", "密码过于常见，请换一个");
    return hashed;
  };

  const add = async (session: Session, input: UserChange): Promise<{ id: string; password?: string }> => {
    const tenantId = scopeOf(session, input.tenantId) ?? session.tenantId;
    const [tenant] = await repository.tenants(tenantId, undefined);
    if (tenant === undefined) throw rejected("users.tenant", "租户不存在，请重新选择");
    if (!input.account?.trim()) throw rejected("users.account", "请输入用户名");
    const change = accountChange(input);
    const phone = openBox(change.phoneBox ?? "");
    const account = await nameOf(repository, input.account, phone, "0");
    const roleIds = idsOf(input.roleId);
    await requireRoles(repository, session, tenantId, roleIds);
    const drawn = input.password ? undefined : randomPassword();
    const passwordHash = await needs.hashPassword(
      drawn === undefined ? passwordOf(input.password ?? "", [account, phone]) : md5(drawn),
    );
    const id = nextId();
    await inTransaction(async (to) => {
      const row = { id, account, accountKey: needs.accountKey(account), passwordHash };
      if (!(await to.insertAccount({ ...row, type: typeOf(tenant.type as TenantType) }))) throw taken(account);
      await to.changeAccount(id, change, undefined);
      const membershipId = nextId();
      await to.insertMembership({ id: membershipId, accountId: id, tenantId });
      await to.changeMembership(membershipId, membershipChange(input));
      await to.setRoles(membershipId, roleIds);
    });
    return { id, ...(drawn !== undefined && { password: drawn }) };
  };

  const membershipChange = ({ code, status }: UserChange) => ({
    ...(code !== undefined && { code: code.trim() }),
    ...(status !== undefined && { status }),
  });

  const change = async (session: Session, id: string, input: UserChange): Promise<void> => {
    const lockedOut = await inTransaction(async (to) => {
      const held = await memberOf(to, session, id, input.tenantId);
      const personal: AccountChange = accountChange(input, held);
      const phone = openBox(personal.phoneBox ?? held.phoneBox);
      const renamed = input.account !== undefined && input.account.trim() !== held.account;
      if (renamed) {
        personal.account = await nameOf(to, input.account ?? "", phone, id);
        personal.accountKey = needs.accountKey(personal.account);
      }
      const changed = Object.entries(personal).filter(([field, value]) => held[field as keyof UserRow] !== value);
      if (id !== session.accountId) await requireNotAbove(to, session, id);
      if (changed.length > 0) requireWhole(session, held);
      const roleIds = input.roleId === undefined ? held.roleIds : idsOf(input.roleId);
      const rolesChanged = [...roleIds].sort().join() !== [...held.roleIds].sort().join();
      if (rolesChanged) await requireRoles(to, session, held.tenantId, roleIds);
      if (input.status === 0 && id === session.accountId) throw rejected("users.self", "不能停用本账号!");
      await keepingLeader(to, held.tenantId, async () => {
        if (!(await to.changeAccount(id, Object.fromEntries(changed), input.version))) {
          throw new Refusal(409, "users.changed_meanwhile", "该用户已被他人修改，请刷新后重试");
        }
        await to.changeMembership(held.membershipId, membershipChange(input));
        if (rolesChanged) await to.setRoles(held.membershipId, roleIds);
      });
      return input.status === 0 ? held.membershipId : undefined;
    });
    if (lockedOut !== undefined) await needs.endMembershipSessions(lockedOut, "locked");
  };

  return {
    async page(session: Session, query: Parameters<typeof pageRequest>[0] & UserFilter & { tenantId?: string }) {
      const request = pageRequest(query, userSorts);
      const { rows, total } = await repository.page(scopeOf(session, query.tenantId), query, request);
      return pageOfRows(await view(rows), total, request);
    },

    async detail(session: Session, id: string, tenantId: string | undefined) {
      const [user] = await view([await memberOf(repository, session, id, tenantId)]);
      if (user === undefined) throw notFound("users.not_found");
      return user;
    },

    /** Adds or changes a user. @throws {Refusal} 400 with what is wrong, 404, 409 when somebody else was quicker */
    async submit(session: Session, input: UserChange): Promise<{ id: string; password?: string }> {
      if (!input.id) return add(session, input);
      await change(session, input.id, input);
      return { id: input.id };
    },

    update: (session: Session, input: UserChange & { id: string }): Promise<void> => change(session, input.id, input),

    async remove(session: Session, ids: string | undefined, tenantId: string | undefined): Promise<void> {
      const named = idsOf(ids);
      if (named.length === 0) throw rejected("users.none", "请至少选择一条数据");
      if (named.includes(session.accountId)) throw rejected("users.self", "不能删除本账号!");
      const removed = await inTransaction(async (to) => {
        const rows: UserRow[] = [];
        for (const id of named) {
          const row = await memberOf(to, session, id, tenantId);
          await requireNotAbove(to, session, id);
          await keepingLeader(to, row.tenantId, async () => {
            // The sessions go with the membership; open streams see it at their next look.
            await to.removeMembership(row.membershipId);
            await to.emptyAccountWithoutTenant(id);
          });
          rows.push(row);
        }
        return rows;
      });
      for (const { id, shared } of removed) if (!shared) await needs.endSessions(id, "removed");
    },

    /** Replaces the roles of users. */
    async grant(
      session: Session,
      userIds: string | undefined,
      roles: string | undefined,
      tenantId: string | undefined,
    ): Promise<void> {
      const named = idsOf(userIds);
      if (named.length === 0) throw rejected("users.none", "请至少选择一个用户");
      const roleIds = idsOf(roles);
      await inTransaction(async (to) => {
        for (const id of named) {
          const row = await memberOf(to, session, id, tenantId);
          await requireNotAbove(to, session, id);
          await requireRoles(to, session, row.tenantId, roleIds);
          await keepingLeader(to, row.tenantId, async () => {
            await to.setRoles(row.membershipId, roleIds);
            await to.changeAccount(id, {}, undefined);
          });
        }
      });
    },

    /** @returns the new passwords, to be shown once, where they are random */
    async resetPasswords(
      session: Session,
      userIds: string | undefined,
      tenantId: string | undefined,
    ): Promise<{ passwords?: { account: string; password: string }[] }> {
      const passwords = [];
      for (const { id, account, phoneBox } of await logInsOf(session, userIds, tenantId)) {
        const password = needs.resetPassword ?? randomPassword();
        await repository.setPassword(id, await needs.hashPassword(md5(password)));
        await needs.endSessions(id, "password_reset");
        await needs.forgetFailures(account, openBox(phoneBox));
        await needs.notify(
          id,
          "密码已重置",
          "管理员重置了您的密码，所有登录均已退出。如非您的要求，请立即联系管理员。",
        );
        passwords.push({ account, password });
      }
      return needs.resetPassword === undefined ? { passwords } : {};
    },

    async unlock(session: Session, userIds: string | undefined, tenantId: string | undefined): Promise<void> {
      for (const { id, account, phoneBox } of await logInsOf(session, userIds, tenantId)) {
        await needs.forgetFailures(account, openBox(phoneBox));
        await needs.notify(id, "登录锁定已解除", "管理员解除了您账号的登录锁定。如非您的要求，请尽快修改密码。");
      }
    },

    async roles(session: Session, tenantId: string | undefined): Promise<RoleChoice[]> {
      const of = scopeOf(session, tenantId) ?? session.tenantId;
      const roles = await repository.rolesOf(of);
      const beyond =
        of === session.tenantId
          ? await repository.rolesBeyond(
              session.membershipId,
              roles.map(({ id }) => id),
            )
          : [];
      return roles.map((role) => ({ ...role, parentId: role.parentId ?? "0", grantable: !beyond.includes(role.id) }));
    },

    async tenants(session: Session, word: string | undefined) {
      const all = session.tenantType === "group" && session.permissions.has("user_view");
      return repository.tenants(all ? undefined : session.tenantId, word);
    },
  };
}
export type UserService = ReturnType<typeof createUserService>;

/** Whether yyyy-MM-dd is a day of the calendar that is not yet to come. */
function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) && at.getTime() <= Date.now() + 86_400_000;
}
