import { type User, userGrant, userRemove, userResetPassword, userStatus, userUnlock } from "@herdwise/contract";
import { useEffect, useRef, useState } from "react";
import { type ApiError, asApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { CopyButton } from "../forms/copy-button.tsx";
import type { IconName } from "../icons/icon.tsx";
import { ConfirmDialog } from "../kit/dialog.tsx";
import { tellIn } from "../language/tell.ts";
import { useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import { Confirm } from "../states/confirm.tsx";
import { showToast } from "../states/toast-store.ts";
import { RoleBoxes } from "./role-boxes.tsx";

export type UserAction = "unlock" | "reset" | "disable" | "enable" | "remove" | "grant";

/** Rights that the actions need; the server asks for them again. */
export const rightOf: Readonly<Record<UserAction, string>> = {
  unlock: "user_reset",
  reset: "user_reset",
  disable: "user_edit",
  enable: "user_edit",
  remove: "user_delete",
  grant: "user_grant",
};

/** Actions that the reader may take on a user. @param self whether the user is the reader, who can't disable or remove themselves */
export const actionsOf = (user: User, self: boolean, permissions: ReadonlySet<string>): readonly UserAction[] =>
  [
    ...(user.locked ? (["unlock"] as const) : []),
    "reset" as const,
    ...(self ? [] : ([user.status === 1 ? "disable" : "enable", "remove"] as const)),
  ].filter((action) => permissions.has(rightOf[action]));

export const actionNames: Readonly<Record<UserAction, string>> = {
  unlock: "解除锁定",
  reset: "重置密码",
  disable: "停用成员",
  enable: "启用成员",
  remove: "移出",
  grant: "授予角色",
};

export const actionIcons: Readonly<Record<UserAction, IconName>> = {
  unlock: "unlock",
  reset: "key",
  disable: "lock",
  enable: "check",
  remove: "trash",
  grant: "shield",
};

const questions: Readonly<Record<Exclude<UserAction, "grant" | "reset">, { title: string; text: string }>> = {
  unlock: { title: "解除 {who} 的登录锁定？", text: "连续输错密码的计数会清零，本人会收到一条消息。" },
  disable: { title: "停用 {who}？", text: "立即退出登录，启用前不能再进入本组织；资料和记录都保留。" },
  enable: { title: "启用 {who}？", text: "可以重新登录本组织。" },
  remove: {
    title: "将 {who} 移出？",
    text: "立即退出登录并失去在本组织的角色；不属于其他组织的账号会被删除，个人资料一并清除，不能恢复。",
  },
};

/** Words for one or several users. */
const who = (
  users: readonly User[],
  t: (text: string, fillings?: Record<string, string | number>) => string,
): string => {
  const [first] = users;
  if (first === undefined) return "";
  const name = first.realName || first.account;
  return users.length === 1 ? name : t("{name} 等 {count} 人", { name, count: users.length });
};

interface NewPasswordsProps {
  passwords: readonly { account: string; password: string }[];
  onClose: () => void;
}

/** Random passwords, which nobody will see again. */
export function NewPasswords({ passwords, onClose }: NewPasswordsProps) {
  const t = useTranslate();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  return (
    // Escape must not lose what is shown once.
    <dialog
      ref={dialog}
      className="confirm"
      aria-labelledby="passwords-title"
      onCancel={(event) => event.preventDefault()}
    >
      <h2 id="passwords-title">{t("请转告新密码")}</h2>
      <div className="confirm-text">
        <p>{t("密码只在这里显示一次。请当面或电话告知本人，首次登录后须修改。")}</p>
        <dl className="once">
          {passwords.map(({ account, password }) => (
            <div key={account}>
              <dt>{account}</dt>
              <dd>
                <code>{password}</code>
                <CopyButton text={password} label={t("密码")} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <div className="confirm-actions">
        <button type="button" className="btn primary" onClick={onClose}>
          {t("我已记下")}
        </button>
      </div>
    </dialog>
  );
}

interface ActProps {
  action: UserAction;
  users: readonly User[];
  onDone: () => void;
  onClose: () => void;
  onPasswords: NewPasswordsShown;
}
type NewPasswordsShown = (passwords: NewPasswordsProps["passwords"]) => void;

/** Resets passwords; who is not known for sure any more gives the own password first. */
function ResetPasswords({ users, onDone, onClose, onPasswords }: Omit<ActProps, "action">) {
  const t = useTranslate();
  const [first] = users;
  const proven = users.filter(({ phoneProven }) => phoneProven);
  const reset = async (): Promise<void> => {
    for (const tenantId of new Set(users.map((user) => user.tenantId))) {
      const userIds = users.flatMap((user) => (user.tenantId === tenantId ? [user.id] : [])).join(",");
      const { passwords } = await call(userResetPassword, { query: { userIds, tenantId } });
      if (passwords) onPasswords(passwords);
    }
    showToast({ kind: "ok", text: proven.length > 0 ? "重置链接已发送" : "操作成功" });
    onDone();
  };
  return (
    <Confirm
      title={t("重置 {who} 的密码？", { who: who(users, t) })}
      action={t(actionNames.reset)}
      onConfirm={reset}
      onClose={onClose}
    >
      <p>{t("原密码立即失效，全部登录和已授权的应用都会退出。")}</p>
      {proven.length > 0 && (
        <p>
          {users.length === 1
            ? t("链接会发到本人已验证的手机 {phone}，30 分钟内由本人设置新密码，他人看不到。", {
                phone: first?.phone ?? "",
              })
            : t("已验证手机号的成员会收到链接，30 分钟内由本人设置新密码，他人看不到。")}
        </p>
      )}
      {proven.length < users.length && <p>{t("没有已验证手机号的成员，新密码由您转告本人，下次登录须先改密码。")}</p>}
    </Confirm>
  );
}

const doneTexts: Readonly<Partial<Record<UserAction, string>>> = {
  unlock: "已解除 {count} 人的锁定",
  disable: "已停用 {count} 人",
  enable: "已启用 {count} 人",
  remove: "已移出 {count} 人",
  grant: "已给 {count} 人授予角色",
};

const named = (users: readonly User[]) => users.map(({ id, tenantId }) => ({ id, tenantId }));

/** Gives users back what they had before an action: their state, or their roles. */
async function takeBack(action: UserAction, users: readonly User[]): Promise<void> {
  if (action === "grant")
    for (const { id, tenantId, roleId } of users)
      await call(userGrant, { query: { userIds: id, tenantId, roleIds: roleId } });
  else await call(userStatus, { body: { users: named(users), status: action === "enable" ? 0 : 1 } });
  showToast({ kind: "ok", text: "已撤销" });
}

/** Disables or enables users, all or nobody; who stands in the way is told by name. */
function SetStatus({ action, users, onDone, onClose }: Omit<ActProps, "action" | "onPasswords"> & StatusAction) {
  const t = useTranslate();
  const [refused, setRefused] = useState<ApiError>();
  const { title, text } = questions[action];
  const act = async (): Promise<void> => {
    setRefused(undefined);
    try {
      const status = action === "enable" ? 1 : 0;
      // Who is as wanted already is not changed, and not changed back by an undo.
      const { changed } = await call(userStatus, { body: { users: named(users), status }, quiet: true });
      const were = users.filter((user) =>
        changed.some(({ id, tenantId }) => id === user.id && tenantId === user.tenantId),
      );
      showToast({
        kind: "ok",
        text: doneTexts[action] ?? "操作成功",
        values: { count: were.length },
        ...(were.length > 0 && { undo: () => takeBack(action, were).then(onDone) }),
      });
      onDone();
    } catch (error) {
      setRefused(asApiError(error));
      throw error;
    }
  };
  const inLanguage = useNames();
  const nameOf = (id: string): string => {
    const user = users.find((one) => one.id === id);
    return user === undefined ? id : inLanguage(user.realName) || user.account;
  };
  return (
    <ConfirmDialog
      title={t(title, { who: who(users, t) })}
      action={t(actionNames[action])}
      kind={action === "enable" ? "primary" : "danger"}
      onConfirm={act}
      onClose={onClose}
    >
      <p>{t(text)}</p>
      {refused && (
        <div role="alert">
          <p className="prob">{tellIn(t, refused)}</p>
          {refused.problems.length > 0 && (
            <ul className="stood">
              {refused.problems.map((problem) => (
                <li key={`${problem.field} ${problem.reason}`}>
                  <b>{nameOf(problem.field)}</b> {tellIn(t, problem)}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </ConfirmDialog>
  );
}
interface StatusAction {
  action: "enable" | "disable";
}

/** Asks, does it for every chosen user, tenant by tenant, and says so. */
export function ActOnUsers({ action, users, onDone, onClose, onPasswords }: ActProps) {
  const t = useTranslate();
  const [roleIds, setRoleIds] = useState<readonly string[]>([]);
  const [first] = users;
  const tenants = [...new Set(users.map(({ tenantId }) => tenantId))];
  const act = async (): Promise<void> => {
    for (const tenantId of tenants) {
      const userIds = users.flatMap((user) => (user.tenantId === tenantId ? [user.id] : [])).join(",");
      if (action === "unlock") await call(userUnlock, { query: { userIds, tenantId } });
      else if (action === "grant") await call(userGrant, { query: { userIds, tenantId, roleIds: roleIds.join(",") } });
      else await call(userRemove, { query: { ids: userIds, tenantId } });
    }
    showToast({
      kind: "ok",
      text: doneTexts[action] ?? "操作成功",
      values: { count: users.length },
      ...(action === "grant" && { undo: () => takeBack(action, users).then(onDone) }),
    });
    onDone();
  };
  if (action === "grant") {
    return (
      <Confirm
        title={t("给 {who} 授予角色", { who: who(users, t) })}
        action={t("授予")}
        onConfirm={act}
        onClose={onClose}
        calm
        ready={roleIds.length > 0}
      >
        <p>{t("选中的角色会替换现有角色，下一次操作起生效。")}</p>
        <RoleBoxes tenantId={first?.tenantId} value={roleIds} onChange={setRoleIds} />
      </Confirm>
    );
  }
  if (action === "reset") {
    return <ResetPasswords users={users} onDone={onDone} onClose={onClose} onPasswords={onPasswords} />;
  }
  if (action === "enable" || action === "disable")
    return <SetStatus action={action} users={users} onDone={onDone} onClose={onClose} />;
  const { title, text } = questions[action];
  return (
    <Confirm
      title={t(title, { who: who(users, t) })}
      action={t(actionNames[action])}
      onConfirm={act}
      onClose={onClose}
      calm={action === "unlock"}
    >
      <p>{t(text)}</p>
    </Confirm>
  );
}
