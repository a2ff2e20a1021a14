import { dictionary, type User, userSubmit } from "@herdwise/contract";
import { type FormEvent, useRef, useState } from "react";
import { asApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { useLoad } from "../api/use-load.ts";
import { ConfirmLeave } from "../forms/confirm-leave.tsx";
import { DayField } from "../forms/date-fields.tsx";
import { PasswordField, SelectField, TextField } from "../forms/fields.tsx";
import { focusFirstProblem } from "../forms/focus-problem.ts";
import { passwordRuleHint } from "../forms/new-password.tsx";
import { usePasswordRule } from "../forms/password-rule.ts";
import { Problem } from "../forms/problem.tsx";
import { Translated } from "../language/translated.tsx";
import { useTranslate } from "../language/use-language.ts";
import { Drawer } from "../lists/drawer.tsx";
import { ReferencesInput } from "../resource/references-input.tsx";
import { md5 } from "../session/md5.ts";
import { useUnsaved } from "../session/use-unsaved.ts";
import { showToast } from "../states/toast-store.ts";
import { RoleBoxes } from "./role-boxes.tsx";
import { actionNames, actionsOf, type UserAction } from "./user-actions.tsx";
import {
  changedFields,
  changeOf,
  type DraftField,
  type DraftProblems,
  draftOf,
  personalFields,
  problemsOf,
} from "./user-draft.ts";
import { sexNames } from "./user-words.ts";

/** Fields of the form whose name on the wire is another. */
const fieldOfPart: Readonly<Record<string, DraftField>> = { roleId: "roleIds", deptId: "deptIds", postId: "postIds" };

interface UserFormProps {
  /** None: a new user. */
  user: User | undefined;
  tenantId: string;
  /** Tenants that a new user may be put into; empty where there is no choice. */
  tenants: readonly { tenantId: string; tenantName: string }[];
  /** Whether it is the person who looks. */
  self: boolean;
  permissions: ReadonlySet<string>;
  onSaved: (password: { account: string; password: string } | undefined) => void;
  onAct: (action: UserAction) => void;
  onClose: () => void;
}

/** Everybody changes the own phone and e-mail in the security settings, by codes. */
const ownContact: readonly DraftField[] = ["phone", "email"];

/** A user to look at and to change, beside the list. */
export function UserForm({ user, tenantId, tenants, self, permissions, onSaved, onAct, onClose }: UserFormProps) {
  const t = useTranslate();
  const form = useRef<HTMLFormElement>(null);
  const stored = draftOf(user, tenantId);
  const [draft, setDraft] = useState(stored);
  const [problems, setProblems] = useState<DraftProblems & { form?: string }>({});
  const [busy, setBusy] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const rule = usePasswordRule();
  const platforms = useLoad("dictionary user_type", (signal) =>
    call(dictionary, { query: { code: "user_type" }, signal, quiet: true }),
  );
  const changed = changedFields(draft, stored);
  useUnsaved(changed.length > 0);
  const mayEdit = permissions.has("user_edit");
  const fixed = (field: DraftField): boolean =>
    !mayEdit ||
    (self && ownContact.includes(field)) ||
    ((user?.shared ?? false) && tenants.length === 0 && personalFields.includes(field));
  const set = (field: DraftField, value: string | readonly string[]): void => {
    setDraft((now) => ({ ...now, [field]: value }));
    setProblems(({ [field]: _solved, form: _told, ...rest }) => rest);
  };
  const was = (field: "account" | "realName" | "name" | "phone" | "email" | "code" | "birthday") =>
    user && changed.includes(field) ? t("原为：{before}", { before: stored[field] || t("空") }) : undefined;
  const text = (
    field: "account" | "realName" | "name" | "phone" | "email" | "code",
    label: string,
    more: Partial<Parameters<typeof TextField>[0]> = {},
  ) => (
    <TextField
      id={`user-${field}`}
      label={label}
      autoComplete="off"
      value={draft[field]}
      onChange={(value) => set(field, value)}
      problem={problems[field] && t(problems[field])}
      hint={was(field)}
      disabled={fixed(field)}
      {...more}
    />
  );

  const close = (): void => (changed.length > 0 ? setLeaving(true) : onClose());
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const found = problemsOf(draft, stored, { isNew: user === undefined, rule: rule.rule, t });
    setProblems(found);
    if (Object.keys(found).length > 0) return focusFirstProblem(form.current);
    setBusy(true);
    try {
      const { password, phoneWaits = false } = await call(userSubmit, {
        body: changeOf(draft, stored, user, { md5, rule: rule.rule }),
        quiet: true,
      });
      showToast({ kind: "ok", text: phoneWaits ? "已保存；新手机号 48 小时后生效，原号会收到短信" : "操作成功" });
      onSaved(password === undefined ? undefined : { account: draft.account.trim(), password });
    } catch (error) {
      const { message, problems: told } = asApiError(error);
      const about = told.map(({ field }) => fieldOfPart[field] ?? field).find((field) => field in stored);
      setProblems(about === undefined ? { form: message } : { [about]: message });
      if (about === "password") void rule.ask();
      focusFirstProblem(form.current);
    } finally {
      setBusy(false);
    }
  };

  const actions = user ? actionsOf(user, self, permissions) : [];
  return (
    <>
      <Drawer
        title={user ? user.realName || user.account : t("新增用户")}
        mark={user && <span className="mut">{user.account}</span>}
        onClose={close}
        footer={
          mayEdit && (
            <>
              <span className="mut num">
                {changed.length > 0 ? t("改动 {count} 处", { count: changed.length }) : t("没有改动")}
              </span>
              <span className="spacer" />
              <button type="button" className="btn" onClick={close}>
                {t("取消")}
              </button>
              <button type="submit" form="user-form" className="btn primary" disabled={busy || changed.length === 0}>
                {t("保存")}
              </button>
            </>
          )
        }
      >
        {actions.length > 0 && (
          <div className="user-acts">
            {actions.map((action) => (
              <button
                key={action}
                type="button"
                className={action === "remove" ? "btn danger" : "btn"}
                onClick={() => onAct(action)}
              >
                {t(actionNames[action])}
              </button>
            ))}
          </div>
        )}
        {user?.shared && (
          <p className="user-note">
            {t("此人还属于其他组织；登录名、密码和个人资料由本人管理，这里只能调整角色、部门、岗位、编号和状态。")}
          </p>
        )}
        <form id="user-form" ref={form} onSubmit={(event) => void save(event)} noValidate autoComplete="off">
          <div className="user-grid">
            {tenants.length > 0 && !user && (
              <SelectField
                id="user-tenantId"
                label={t("租户")}
                required
                value={draft.tenantId}
                options={tenants.map((tenant) => [tenant.tenantId, tenant.tenantName])}
                onChange={(value) =>
                  setDraft((now) => ({ ...now, tenantId: value, roleIds: [], deptIds: [], postIds: [] }))
                }
              />
            )}
            {text("account", t("登录名"), { required: true, maxLength: 32 })}
            {text("realName", t("姓名"), { maxLength: 40 })}
            {text("phone", t("手机"), { inputMode: "tel", maxLength: 20 })}
            {text("code", t("用户编号"), { maxLength: 32 })}
            {text("name", t("昵称"), { maxLength: 32 })}
            {text("email", t("邮箱"), { maxLength: 120 })}
            <SelectField
              id="user-sex"
              label={t("性别")}
              value={draft.sex}
              options={sexNames.map(([key, name]) => [key, t(name)])}
              onChange={(value) => set("sex", value)}
              disabled={fixed("sex")}
            />
            <DayField
              id="user-birthday"
              label={t("生日")}
              value={draft.birthday}
              problem={problems.birthday && t(problems.birthday)}
              hint={was("birthday")}
              readOnly={fixed("birthday")}
              onChange={(value) => set("birthday", value)}
            />
            <SelectField
              id="user-userType"
              label={t("用户平台")}
              value={draft.userType}
              options={(platforms.value ?? []).map(({ dictKey, dictValue }) => [dictKey, dictValue])}
              onChange={(value) => set("userType", value)}
              disabled={fixed("userType")}
            />
            {user && tenants.length > 0 && (
              <div className="form-field">
                <div className="f-head">{t("租户")}</div>
                <p className="user-tenant">
                  <Translated text={user.tenantName} />
                </p>
              </div>
            )}
          </div>
          {!user && (
            <div className="user-grid">
              <PasswordField
                id="user-password"
                label={t("密码")}
                autoComplete="new-password"
                value={draft.password}
                onChange={(value) => set("password", value)}
                problem={problems.password && t(problems.password)}
                hint={[
                  t("留空则生成随机密码，只显示一次；首次登录须修改。"),
                  rule.known && draft.password !== "" ? passwordRuleHint(rule.rule, t) : "",
                ]
                  .filter(Boolean)
                  .join(" ")}
              />
              {draft.password !== "" && (
                <PasswordField
                  id="user-confirmation"
                  label={t("再输入一次")}
                  autoComplete="new-password"
                  value={draft.confirmation}
                  onChange={(value) => set("confirmation", value)}
                  problem={problems.confirmation && t(problems.confirmation)}
                />
              )}
            </div>
          )}
          <RoleBoxes
            tenantId={draft.tenantId || undefined}
            value={draft.roleIds}
            onChange={(roleIds) => set("roleIds", roleIds)}
            problem={problems.roleIds && t(problems.roleIds)}
          />
          <div className="user-grid">
            {permissions.has("dept_view") && (
              <ReferencesInput
                id="user-deptIds"
                label={t("所在部门")}
                to="dept"
                tenantId={draft.tenantId || undefined}
                value={draft.deptIds}
                onChange={(deptIds) => set("deptIds", deptIds)}
                problem={problems.deptIds && t(problems.deptIds)}
                disabled={!mayEdit}
              />
            )}
            {permissions.has("post_view") && (
              <ReferencesInput
                id="user-postIds"
                label={t("所在岗位")}
                to="post"
                tenantId={draft.tenantId || undefined}
                value={draft.postIds}
                onChange={(postIds) => set("postIds", postIds)}
                problem={problems.postIds && t(problems.postIds)}
                disabled={!mayEdit}
              />
            )}
          </div>
          <Problem id="user-form-problem" text={problems.form && t(problems.form)} />
        </form>
      </Drawer>
      {leaving && <ConfirmLeave onLeave={onClose} onStay={() => setLeaving(false)} />}
    </>
  );
}
