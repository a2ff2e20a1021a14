import {
  mobilePhonePattern,
  normalizeMobilePhone,
  passwordProblem,
  realNameLength,
  type User,
  type UserChange,
  usernameProblem,
} from "@herdwise/contract";

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

/** What is wrong with the changed fields, as keys of the translations; the server checks the same. */
export function problemsOf(draft: UserDraft, stored: UserDraft, isNew: boolean): DraftProblems {
  const problems: DraftProblems = {};
  const changed = new Set(changedFields(draft, stored));
  const phone = normalizeMobilePhone(draft.phone);
  if (isNew || changed.has("account")) {
    const problem = draft.account.trim() === "" ? "请输入用户名" : usernameProblem(draft.account, phone);
    if (problem !== "") problems.account = problem;
  }
  const length = [...draft.realName.trim()].length;
  if (changed.has("realName") && length > 0 && (length < realNameLength.min || length > realNameLength.max)) {
    problems.realName = "姓名长度为 2 到 5 个字符";
  }
  if (changed.has("phone") && phone !== "" && !mobilePhonePattern.test(phone)) problems.phone = "请输入正确的手机号";
  if (changed.has("email") && draft.email !== "" && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(draft.email)) {
    problems.email = "请输入正确的邮箱";
  }
  if (draft.roleIds.length === 0) problems.roleIds = "请选择角色";
  if (draft.password !== "") {
    const problem = passwordProblem(draft.password);
    if (problem !== "") problems.password = problem;
    if (draft.confirmation !== draft.password) problems.confirmation = "两次密码不一致";
  }
  return problems;
}

/** What is sent: only what changed (product.md 5). @param md5 of the wire's form of a password */
export function changeOf(
  draft: UserDraft,
  stored: UserDraft,
  user: User | undefined,
  md5: (text: string) => string,
): UserChange {
  const { tenantId, roleIds, deptIds, postIds, sex, userType, password } = draft;
  const changed = new Set(changedFields(draft, stored));
  const texts = (["account", "realName", "name", "phone", "email", "code", "birthday"] as const)
    .filter((field) => changed.has(field))
    .map((field) => [field, draft[field].trim()] as const);
  return {
    ...(user && { id: user.id, version: user.version }),
    tenantId,
    ...Object.fromEntries(texts),
    ...(changed.has("sex") && { sex: Number(sex) }),
    ...(changed.has("userType") && { userType: Number(userType) }),
    ...(changed.has("roleIds") && { roleId: roleIds.join(",") }),
    ...(changed.has("deptIds") && { deptId: deptIds.join(",") }),
    ...(changed.has("postIds") && { postId: postIds.join(",") }),
    ...(changed.has("password") && { password: md5(password) }),
  };
}
