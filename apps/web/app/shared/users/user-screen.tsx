import { type User, userDetail, userExportRows } from "@herdwise/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { useAddressValues } from "../address/use-address.ts";
import { call } from "../api/call.ts";
import { useLoad } from "../api/use-load.ts";
import { Button } from "../kit/button.tsx";
import { useTranslate } from "../language/use-language.ts";
import { ChosenBar } from "../resource/bulk-actions.tsx";
import { ListScreen } from "../resource/list-screen.tsx";
import { whereOf } from "../resource/list-state.ts";
import { keysOf } from "../resource/resource-api.ts";
import { AccessReasons } from "../roles/access-reasons.tsx";
import { useAccess } from "../session/access-context.ts";
import { tellJobBegun } from "../session/job-begun.ts";
import { LoadingProblem } from "../states/loading-problem.tsx";
import { showToast } from "../states/toast-store.ts";
import {
  ActOnUsers,
  actionIcons,
  actionNames,
  actionsOf,
  NewPasswords,
  rightOf,
  type UserAction,
} from "./user-actions.tsx";
import { UserForm } from "./user-form.tsx";
import { userCells, userOf, useUserList } from "./user-list.tsx";
import "./users.css";

const bulkActions: readonly UserAction[] = ["grant", "unlock", "reset", "enable", "disable", "remove"];
const newUser = "new";

/** The users of a tenant, or of all for the group's staff: find, add, change, unlock, reset, remove. */
export function UserScreen({ menuCode, title }: { menuCode: string; title: string }) {
  const t = useTranslate();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { user: me, permissions } = useAccess();
  const ofGroup = me.tenant_type === "group";
  const { list, tenantId, tenants } = useUserList(menuCode, title);
  const { selection } = list;
  const [search, change] = useAddressValues({ isStep: true });
  /** Id of the open user with the tenant behind an @; "new" for the empty form. */
  const [open] = /^(new|\d{1,19}@\d{6,12})$/.exec(search.get("user") ?? "") ?? [];
  const [acting, setActing] = useState<{ action: UserAction; users: readonly User[] }>();
  const [wondering, setWondering] = useState<User>();
  const [passwords, setPasswords] = useState<readonly { account: string; password: string }[]>();
  // Selected rows may be on other pages of the list.
  const seen = useRef(new Map<string, User>());
  for (const row of list.rows ?? []) seen.current.set(row.id, userOf(row));
  const [openId = "", openTenant = ""] = (open ?? "").split("@");
  const opened = useLoad(open && open !== newUser ? `user ${open}` : undefined, (signal) =>
    call(userDetail, { query: { id: openId, tenantId: openTenant }, signal, quiet: true }),
  );
  const openUser = ({ id, tenantId }: User): void => change({ user: `${id}@${tenantId}` });
  const close = (): void => change({ user: undefined });
  const reload = (): void => {
    void client.invalidateQueries({ queryKey: keysOf(list.of) });
    opened.reload();
  };
  const startExport = (chosen: { ids: string } | { where: Readonly<Record<string, unknown>> }): void =>
    void call(userExportRows, { body: chosen }).then(
      () => {
        tellJobBegun();
        showToast({ kind: "ok", text: "导出已开始，完成后在顶栏和消息里下载" });
      },
      // A refusal shows as a toast.
      () => undefined,
    );
  const chosenIds = () => new Set([...selection.ids].map((id) => id.split(" ")[0] ?? ""));
  const mayExport = permissions.has("user_export");
  const offered = bulkActions.filter((action) => permissions.has(rightOf[action]));
  const actOnChosen = (action: UserAction): void => {
    const users = [...selection.ids].flatMap((id) => seen.current.get(id) ?? []);
    // product.md 5: a reset is for exactly one; roles are those of one tenant.
    const oneTenant = new Set(users.map((user) => user.tenantId)).size === 1;
    if (action === "reset" && users.length !== 1) showToast({ kind: "error", text: "只能选择一条数据" });
    else if (action === "grant" && !oneTenant) showToast({ kind: "error", text: "请只选择同一租户的用户" });
    else setActing({ action, users });
  };
  return (
    <>
      <ListScreen
        list={list}
        cells={userCells}
        onOpen={(row) => openUser(userOf(row))}
        choosable={offered.length > 0 || mayExport}
        actions={(row) => {
          const user = userOf(row);
          return [
            { id: "open", icon: "eye", name: t("打开"), shortcut: "Enter", onAction: () => openUser(user) },
            ...actionsOf(user, user.id === me.user_id, permissions).map((action) => ({
              id: action,
              icon: actionIcons[action],
              name: t(actionNames[action]),
              danger: action === "remove",
              onAction: () => setActing({ action, users: [user] }),
            })),
            ...(permissions.has("audit_view")
              ? [
                  {
                    id: "trail",
                    icon: "history" as const,
                    name: t("做过的操作"),
                    onAction: () => void navigate(`/system/audit?by=person&person=${user.id}`),
                  },
                ]
              : []),
            ...(permissions.has("role_view")
              ? [{ id: "reasons", icon: "help" as const, name: t("为什么看不到…"), onAction: () => setWondering(user) }]
              : []),
          ];
        }}
        nothing={ofGroup ? "新增用户并授予角色后，对方就能登录本组织。" : "新增成员并授予角色后，对方就能登录本组织。"}
        actionsOnAll={[
          ...(permissions.has("user_import")
            ? [
                {
                  id: "import",
                  icon: "upload" as const,
                  name: t("导入"),
                  onAction: () => void navigate(`${location.pathname.replace(/\/+$/, "")}/import`),
                },
              ]
            : []),
          ...(mayExport
            ? [
                {
                  id: "export",
                  icon: "download" as const,
                  name: t("导出"),
                  onAction: () => startExport({ where: whereOf(list.state) }),
                },
              ]
            : []),
        ]}
        main={
          permissions.has("user_edit") && {
            icon: "plus",
            name: t(ofGroup ? "新增用户" : "新增成员"),
            onAction: () => change({ user: newUser }),
          }
        }
        bulk={
          <ChosenBar count={selection.count} onClear={selection.clear}>
            {mayExport && (
              <Button small icon="download" onPress={() => startExport({ ids: [...chosenIds()].join(",") })}>
                {t("导出")}
              </Button>
            )}
            {offered.map((action) => (
              <Button
                key={action}
                small
                {...(action === "remove" && { kind: "danger" })}
                onPress={() => actOnChosen(action)}
              >
                {t(actionNames[action])}
              </Button>
            ))}
          </ChosenBar>
        }
      />
      {(open === newUser || opened.value) && (
        <UserForm
          key={`${open} ${opened.value?.version ?? ""}`}
          user={open === newUser ? undefined : opened.value}
          tenantId={tenantId}
          tenants={tenants}
          self={opened.value?.id === me.user_id}
          permissions={permissions}
          onSaved={(password) => {
            if (password) setPasswords([password]);
            reload();
            close();
          }}
          onAct={(action) => opened.value && setActing({ action, users: [opened.value] })}
          onClose={close}
        />
      )}
      {opened.error && open && open !== newUser && (
        <LoadingProblem error={opened.error} onRetry={opened.reload} what={t("用户")} kept={false} />
      )}
      {acting && (
        <ActOnUsers
          {...acting}
          onPasswords={setPasswords}
          onDone={() => {
            selection.clear();
            if (acting.action === "remove") close();
            reload();
          }}
          onClose={() => setActing(undefined)}
        />
      )}
      {wondering && (
        <AccessReasons
          person={{
            accountId: wondering.id,
            tenantId: wondering.tenantId,
            name: wondering.realName || wondering.account,
          }}
          onClose={() => setWondering(undefined)}
        />
      )}
      {passwords && <NewPasswords passwords={passwords} onClose={() => setPasswords(undefined)} />}
    </>
  );
}
