import { roleSelect, tenantSelect, type User, userDetail, userPage } from "@herdwise/contract";
import { useState } from "react";
import { call } from "../api/call.ts";
import { useLoad } from "../api/use-load.ts";
import { Icon } from "../icons/icon.tsx";
import { TableSkeleton } from "../kit/table-skeleton.tsx";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { Crumbs } from "../lists/crumbs.tsx";
import { Picker, WordField } from "../lists/filters.tsx";
import { known, knownId, readPaging, useListAddress } from "../lists/list-address.ts";
import { useLast } from "../lists/use-last.ts";
import { ChosenBar } from "../resource/bulk-actions.tsx";
import { countText } from "../resource/count-text.ts";
import { PageOf } from "../resource/pager.tsx";
import { useAccess } from "../session/access-context.ts";
import { ExceptionView } from "../states/exception-view.tsx";
import { LoadingProblem } from "../states/loading-problem.tsx";
import { showToast } from "../states/toast-store.ts";
import { ActOnUsers, actionNames, NewPasswords, rightOf, type UserAction } from "./user-actions.tsx";
import { UserForm } from "./user-form.tsx";
import { rowKey, UserTable } from "./user-table.tsx";
import "./users.css";

const statuses = ["1", "0"] as const;
const bulkActions: readonly UserAction[] = ["grant", "unlock", "reset", "disable", "remove"];
const newUser = "new";

/** What the address says: conditions, page, the open row. */
function useUserAddress() {
  const [search, change] = useListAddress("user");
  const user = search.get("user");
  const tenantId = search.get("tenant") ?? "";
  return {
    change,
    word: (search.get("word") ?? "").slice(0, 64),
    roleId: knownId(search.get("role")),
    status: known(search.get("status"), statuses),
    tenantId: /^\d{6,12}$/.test(tenantId) ? tenantId : undefined,
    /** Id of the open user with the tenant behind an @; "new" for the empty form. */
    open: user === newUser || /^\d{1,19}@\d{6,12}$/.test(user ?? "") ? (user ?? undefined) : undefined,
    ...readPaging(search),
  };
}

/** The users of a tenant, or of all for the group's staff: find, add, change, unlock, reset, remove. */
export function UserScreen({ title }: { title: string }) {
  const t = useTranslate();
  const { number } = useFormats();
  const { user: me, permissions } = useAccess();
  const ofGroup = me.tenant_type === "group";
  const { change, word, roleId, status, tenantId, open, current, size } = useUserAddress();
  const query = {
    current,
    size,
    ...(word === "" ? {} : { keyword: word }),
    ...(roleId ? { roleId } : {}),
    ...(status ? { status: Number(status) } : {}),
    ...(tenantId && ofGroup ? { tenantId } : {}),
  };
  const loaded = useLoad(`users ${JSON.stringify(query)}`, (signal) => call(userPage, { query, signal, quiet: true }));
  const tenants = useLoad(ofGroup ? "tenants" : undefined, (signal) => call(tenantSelect, { signal, quiet: true }));
  const rolesOf = ofGroup ? (tenantId ?? me.tenant_id) : "";
  const roles = useLoad(`roles ${rolesOf}`, (signal) =>
    call(roleSelect, { query: rolesOf === "" ? {} : { tenantId: rolesOf }, signal, quiet: true }),
  );
  const shown = useLast(loaded.value);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [acting, setActing] = useState<{ action: UserAction; users: readonly User[] }>();
  const [passwords, setPasswords] = useState<readonly { account: string; password: string }[]>();
  const [openId = "", openTenant = ""] = (open ?? "").split("@");
  const opened = useLoad(open && open !== newUser ? `user ${open}` : undefined, (signal) =>
    call(userDetail, { query: { id: openId, tenantId: openTenant }, signal, quiet: true }),
  );
  const reload = (): void => {
    loaded.reload();
    if (open && open !== newUser) opened.reload();
  };
  const close = (): void => change({ user: undefined });
  const records = shown?.records ?? [];
  const chosenUsers = records.filter((user) => chosen.has(rowKey(user)));
  const offered = bulkActions.filter((action) => permissions.has(rightOf[action]));
  const actOnChosen = (action: UserAction): void => {
    // product.md 5: a reset is for exactly one; roles are those of one tenant.
    const oneTenant = new Set(chosenUsers.map((user) => user.tenantId)).size === 1;
    if (action === "reset" && chosenUsers.length !== 1) showToast({ kind: "error", text: "只能选择一条数据" });
    else if (action === "grant" && !oneTenant) showToast({ kind: "error", text: "请只选择同一租户的用户" });
    else setActing({ action, users: chosenUsers });
  };
  const bounded = word !== "" || roleId !== undefined;
  const filtered = word !== "" || roleId !== undefined || status !== undefined || tenantId !== undefined;
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t(title)}</h1>
        {shown && (
          <span className="mut num">{t("{count} 人", { count: countText(shown.total, number, bounded) })}</span>
        )}
        <span className="spacer" />
        {permissions.has("user_edit") && (
          <button type="button" className="btn primary" onClick={() => change({ user: newUser })}>
            <Icon name="plus" small />
            {t("新增用户")}
          </button>
        )}
      </div>
      {loaded.error && (
        <LoadingProblem error={loaded.error} onRetry={loaded.reload} what={t("用户列表")} kept={shown !== undefined} />
      )}
      <section className="card" aria-label={t("用户列表")}>
        <search className="filters">
          <WordField label={t("姓名、登录名或编号")} value={word} onChange={(next) => change({ word: next })} />
          {ofGroup && (
            <Picker
              label={t("租户")}
              value={tenantId ?? ""}
              options={(tenants.value ?? []).map((tenant) => [tenant.tenantId, tenant.tenantName])}
              onChange={(tenant) => change({ tenant, role: undefined })}
            />
          )}
          <Picker
            label={t("角色")}
            value={roleId ?? ""}
            options={(roles.value ?? []).map(({ id, roleName }) => [id, t(roleName)])}
            onChange={(role) => change({ role })}
          />
          <Picker
            label={t("状态")}
            value={status ?? ""}
            options={[
              ["1", t("启用")],
              ["0", t("已停用")],
            ]}
            onChange={(next) => change({ status: next })}
          />
        </search>
        {chosenUsers.length > 0 && (
          <ChosenBar count={chosenUsers.length} onClear={() => setChosen(new Set())}>
            {offered.map((action) => (
              <button
                key={action}
                type="button"
                className={action === "remove" ? "btn danger" : "btn"}
                onClick={() => actOnChosen(action)}
              >
                {t(actionNames[action])}
              </button>
            ))}
          </ChosenBar>
        )}
        <div className={loaded.loading && shown && !loaded.value ? "dim" : ""}>
          {!shown && !loaded.error && <TableSkeleton />}
          {records.length > 0 && (
            <UserTable
              users={records}
              chosen={chosen}
              onChoose={setChosen}
              onOpen={(user) => change({ user: rowKey(user) })}
              withTenant={ofGroup}
              choosable={offered.length > 0}
            />
          )}
          {shown && records.length === 0 && (
            <ExceptionView
              type="empty"
              title={filtered ? t("没有符合条件的用户") : t("还没有用户")}
              text={filtered ? t("放宽条件再看，或清除全部条件。") : t("新增用户并授予角色后，对方就能登录本组织。")}
            >
              {filtered && (
                <button
                  type="button"
                  className="btn"
                  onClick={() => change({ word: undefined, role: undefined, status: undefined, tenant: undefined })}
                >
                  {t("清除条件")}
                </button>
              )}
            </ExceptionView>
          )}
        </div>
        {shown && shown.total > 0 && <PageOf page={shown} change={change} bounded={bounded} />}
      </section>
      {(open === newUser || opened.value) && (
        <UserForm
          key={`${open} ${opened.value?.version ?? ""}`}
          user={open === newUser ? undefined : opened.value}
          tenantId={tenantId ?? me.tenant_id}
          tenants={tenants.value ?? []}
          self={opened.value?.id === me.user_id}
          permissions={permissions}
          onSaved={(password) => {
            if (password) setPasswords([password]);
            loaded.reload();
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
            setChosen(new Set());
            if (acting.action === "remove") close();
            reload();
          }}
          onClose={() => setActing(undefined)}
        />
      )}
      {passwords && <NewPasswords passwords={passwords} onClose={() => setPasswords(undefined)} />}
    </>
  );
}
