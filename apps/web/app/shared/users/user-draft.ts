import {
  isPersonName,
  mobilePhonePattern,
  narrowText,
  normalizePersonName,
  normalizePhone,
  type PasswordRule,
  passwordRuleText,
  plainText,
  type User,
  type UserChange,
  usernameProblem,
} from "@herdwise/contract";
import { passwordProblem } from "../forms/new-password.tsx";
import type { Translate } from "../language/use-language.ts";

/** What the form holds, as text. */
export interface UserDraft {
  tenantId: string;
  account: string;
  realName: string;
  name: string;
  phone: string;
  email: string;
  code: string;
  sex: string;
  /** yyyy-MM-dd */
  birthday: string;
  userType: string;
  roleIds: readonly string[];
  deptIds: readonly string[];
  postIds: readonly string[];
  password: string;
  confirmation: string;
}
export type DraftField = keyof UserDraft;
export type DraftProblems = Partial<Record<DraftField, string>>;

const idsOf = (list: string | undefined): readonly string[] => (list ?? "").split(",").filter(Boolean);

/** The form of a user, or of a new one. */
export const draftOf = (user: User | undefined, tenantId: string): UserDraft => ({
  tenantId: user?.tenantId ?? tenantId,
  account: user?.account ?? "",
  realName: user?.realName ?? "",
  name: user?.name ?? "",
  phone: user?.phone ?? "",
  email: user?.email ?? "",
  code: user?.code ?? "",
  sex: String(user?.sex ?? 3),
  birthday: (user?.birthday ?? "").slice(0, 10),
  userType: String(user?.userType ?? 1),
  roleIds: idsOf(user?.roleId),
  deptIds: idsOf(user?.deptId),
  postIds: idsOf(user?.postId),
  password: "",
  confirmation: "",
});

/** Fields of a person, which a tenant that shares the person with others can't change. */
export const personalFields: readonly DraftField[] = [
  "account",
  "realName",
  "name",
  "phone",
  "email",
  "sex",
  "birthday",
  "userType",
];

const same = (a: UserDraft[DraftField], b: UserDraft[DraftField]): boolean =>
  Array.isArray(a) && Array.isArray(b) ? a.toSorted().join() === b.toSorted().join() : a === b;

/** Which fields differ from what is stored. The repetition of a password is no field of its own. */
export const changedFields = (draft: UserDraft, stored: UserDraft): DraftField[] =>
  (Object.keys(draft) as DraftField[]).filter(
    (field) => field !== "confirmation" && field !== "tenantId" && !same(draft[field], stored[field]),
  );

/** The draft with what changed as it is stored; what is as it was stays so, masked or of an earlier form. */
function plainDraft(draft: UserDraft, stored: UserDraft): UserDraft {
  const plain = {
    account: draft.account.trim(),
    realName: normalizePersonName(draft.realName),
    name: plainText(draft.name),
    phone: normalizePhone(draft.phone),
    email: narrowText(draft.email),
    code: plainText(draft.code),
  };
  const changed = new Set(changedFields(draft, stored));
  return {
    ...draft,
    ...Object.fromEntries(Object.entries(plain).filter(([field]) => changed.has(field as DraftField))),
  };
}

/** What is wrong with the changed fields, in words or as keys of the translations; the server checks the same. */
export function problemsOf(
  typed: UserDraft,
  stored: UserDraft,
  { isNew, rule, t }: { isNew: boolean; rule: PasswordRule; t: Translate },
): DraftProblems {
  const draft = plainDraft(typed, stored);
  const problems: DraftProblems = {};
  const changed = new Set(changedFields(draft, stored));
  const { phone, realName } = draft;
  if (isNew || changed.has("account")) {
    const problem = draft.account === "" ? "请输入用户名" : usernameProblem(draft.account, phone);
    if (problem !== "") problems.account = problem;
  }
  if (changed.has("realName") && realName !== "" && !isPersonName(realName))
    problems.realName = "姓名为 2 到 5 个汉字；有间隔号（·）或字母的为 2 到 30 个字符";
  if (changed.has("phone") && phone !== "" && !mobilePhonePattern.test(phone)) problems.phone = "请输入正确的手机号";
  if (changed.has("email") && draft.email !== "" && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(draft.email)) {
    problems.email = "请输入正确的邮箱";
  }
  if (draft.roleIds.length === 0) problems.roleIds = "请选择角色";
  if (draft.password !== "") {
    const problem = passwordProblem(draft.password, rule, t);
    if (problem !== "") problems.password = problem;
    if (draft.confirmation !== draft.password) problems.confirmation = "两次密码不一致";
  }
  return problems;
}

/** What is sent: only what changed (product.md 5). @param md5 of the wire's form of a password @param rule that a password was checked by */
export function changeOf(
  typed: UserDraft,
  stored: UserDraft,
  user: User | undefined,
  { md5, rule }: { md5: (text: string) => string; rule: PasswordRule },
): UserChange {
  const draft = plainDraft(typed, stored);
  const { tenantId, roleIds, deptIds, postIds, sex, userType, password } = draft;
  const changed = new Set(changedFields(draft, stored));
  const texts = (["account", "realName", "name", "phone", "email", "code", "birthday"] as const)
    .filter((field) => changed.has(field))
    .map((field) => [field, draft[field]] as const);
  return {
    ...(user && { id: user.id, version: user.version }),
    tenantId,
    ...Object.fromEntries(texts),
    ...(changed.has("sex") && { sex: Number(sex) }),
    ...(changed.has("userType") && { userType: Number(userType) }),
    ...(changed.has("roleIds") && { roleId: roleIds.join(",") }),
    ...(changed.has("deptIds") && { deptId: deptIds.join(",") }),
    ...(changed.has("postIds") && { postId: postIds.join(",") }),
    ...(changed.has("password") && { password: md5(password), passwordRule: passwordRuleText(rule) }),
  };
}
