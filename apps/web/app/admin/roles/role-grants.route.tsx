import { type DataScope, dataScopes, grantTree, type RoleKeys, roleGrant, roleTreeKeys } from "@herdwise/contract";
import { loadResource } from "@herdwise/contract/resource-loader";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { Link, useBlocker, useLocation, useNavigate } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Button } from "../../shared/kit/button.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { Picker } from "../../shared/lists/filters.tsx";
import { known, knownId, useListAddress } from "../../shared/lists/list-address.ts";
import type { Row } from "../../shared/resource/form-values.ts";
import { LeaveDialog } from "../../shared/resource/leave-dialog.tsx";
import { callResource, type RowPage } from "../../shared/resource/resource-api.ts";
import { RestoredDraft } from "../../shared/resource/restored-draft.tsx";
import { AccessReasons } from "../../shared/roles/access-reasons.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { openPreview } from "../../shared/session/preview.ts";
import { useUnsaved } from "../../shared/session/use-unsaved.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { CloneRole } from "./clone-role.tsx";
import { DataScopeEditor, flatDepartments, useDepartments } from "./data-scope.tsx";
import panel from "./effect-panel.module.css";
import { EffectPanel, NotSaved } from "./effect-panel.tsx";
import { GrantChanges, scopeName, UnreachableNote } from "./grant-changes.tsx";
import { GrantPreview, useGrantPreview } from "./grant-preview.tsx";
import { isGroup, unreachable, withBelow } from "./grant-states.ts";
import { GrantTree } from "./grant-tree.tsx";
import { type HeldScopes, RoleDifference, scopeNames } from "./role-difference.tsx";
import styles from "./role-grants.module.css";
import { inTree, RoleList } from "./role-list.tsx";
import { RolePreview } from "./role-preview.tsx";
import { type StoredRole, useRoleEdits } from "./use-role-edits.ts";

/** Roles of one tenant that are offered beside the open one. */
const mostRoles = 500;
const tabs = ["menus", "scope", "preview", "difference"] as const;

interface Loaded {
  role: Row;
  /** All of its tenant, the role itself among them. */
  roles: readonly Row[];
  stored: StoredRole;
  /** Ids of scopes of single resources and paths, which other screens change. */
  rules: Pick<RoleKeys, "dataScope" | "apiScope">;
}

const keysOfRole = (id: string, signal: AbortSignal) =>
  call(roleTreeKeys, { query: { roleIds: id }, signal, quiet: true });

async function loadRole(id: string, signal: AbortSignal): Promise<Loaded> {
  const of = await loadResource("role");
  if (!of) throw new Error("the declaration of roles is missing");
  const [role, keys] = await Promise.all([
    callResource<Row>(of, "detail", { query: { id }, signal, quiet: true }),
    keysOfRole(id, signal),
  ]);
  // A role of another tenant grants other things.
  const query = { tenantId: String(role.tenantId), current: 1, size: mostRoles };
  const { records } = await callResource<RowPage>(of, "page", { query, signal, quiet: true });
  return {
    role,
    roles: records,
    stored: {
      menus: new Set(keys.menu),
      dataScope: role.dataScope as DataScope,
      departments: new Set(keys.departments),
    },
    rules: { dataScope: keys.dataScope, apiScope: keys.apiScope },
  };
}

/** What a role grants and whose rows it reaches; says whom a change concerns before it is saved. */
function GrantsOf({ id, loaded: { role, roles, stored, rules } }: { id: string; loaded: Loaded }) {
  const t = useTranslate();
  const join = useJoin();
  const nameOf = useNames();
  const { number } = useFormats();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { user, permissions } = useAccess();
  const readOnly = !permissions.has("role_edit");
  const [search, change] = useListAddress("id");
  const otherId = knownId(search.get("with"));
  const named = known(search.get("tab"), tabs) ?? "menus";
  const tab = named === "difference" && otherId === undefined ? "menus" : named;
  const edits = useRoleEdits(user.user_id, id, role.version, stored);
  const { granted, changes, dataScope } = edits;
  const tree = useQuery({
    queryKey: ["grant tree", id, otherId],
    queryFn: ({ signal }) =>
      call(grantTree, { query: { roleIds: otherId ? `${id},${otherId}` : id }, signal, quiet: true }),
    placeholderData: keepPreviousData,
  });
  const compared = useQuery({
    queryKey: ["role keys", otherId],
    queryFn: ({ signal }) => keysOfRole(otherId ?? "", signal),
    enabled: otherId !== undefined,
  });
  const departments = useDepartments(
    String(role.tenantId),
    dataScope === "chosen" || edits.edits.departments.taken.length > 0 || (compared.data?.departments ?? []).length > 0,
  );
  const asked = useGrantPreview(id, granted, !readOnly);
  const [wondering, setWondering] = useState(false);
  const [cloning, setCloning] = useState(false);
  const [saving, setSaving] = useState(false);
  const [refused, setRefused] = useState<string>();
  const [scopeProblem, setScopeProblem] = useState<string>();
  const leaving = useRef(false);
  useUnsaved(changes > 0);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      changes > 0 &&
      !leaving.current &&
      (currentLocation.pathname !== nextLocation.pathname || new URLSearchParams(nextLocation.search).get("id") !== id),
  );
  const nodes = tree.data?.menu ?? [];
  const flat = useMemo(() => nodes.flatMap(withBelow), [nodes]);
  const byId = useMemo(() => new Map(flat.map((node) => [node.id, node])), [flat]);
  const codes = useMemo(() => new Map(flat.map((node) => [node.code, node])), [flat]);
  const nodesOf = (ids: readonly string[]) => flat.filter((node) => ids.includes(node.id));
  const placed = (node: (typeof flat)[number]): string => {
    const above = byId.get(node.parentId);
    return above ? `${t(above.title)} · ${t(node.title)}` : t(node.title);
  };
  const nameOfCode = (code: string): string => {
    const node = codes.get(code);
    return node ? placed(node) : code;
  };
  const departmentNodes = flatDepartments(departments.data ?? []);
  const other = otherId === undefined ? undefined : roles.find((held) => held.id === otherId);
  const save = async (): Promise<void> => {
    if (dataScope === "chosen" && edits.departments.size === 0) {
      setScopeProblem(t("请至少选一个部门"));
      change({ tab: "scope" });
      return;
    }
    setSaving(true);
    setRefused(undefined);
    setScopeProblem(undefined);
    try {
      const departmentIds = dataScope === "chosen" ? { departmentIds: [...edits.departments] } : {};
      await call(roleGrant, {
        body: { roleIds: [id], menuIds: [...granted], dataScope, ...departmentIds, version: role.version },
        quiet: true,
      });
      edits.clear();
      showToast({ kind: "ok", text: "角色的授权已保存" });
    } catch (reason) {
      const error = asApiError(reason);
      const ofScope = error.fieldProblems().dataScope ?? error.fieldProblems().departmentIds;
      if (ofScope) {
        setScopeProblem(tellIn(t, ofScope));
        change({ tab: "scope" });
      } else if (error.reason === "row.changed_meanwhile")
        setRefused(t("这个角色刚被别人改过。已换成新的授权，您的改动还在上面，请看一遍再保存。"));
      else setRefused(tellIn(t, error));
    }
    await client.invalidateQueries({ queryKey: ["role", id] });
    void client.invalidateQueries({ queryKey: ["role keys"] });
    void client.invalidateQueries({ queryKey: ["resource", "role"] });
    setSaving(false);
  };
  const cut = unreachable(nodes, granted);
  const givable = cut.filter(({ disabled }) => !disabled).map((node) => node.id);
  const count = flat.filter((node) => granted.has(node.id) && !isGroup(node)).length;
  const scopeChanged =
    edits.edits.dataScope !== undefined ||
    edits.edits.departments.given.length + edits.edits.departments.taken.length > 0;
  const reach =
    dataScope === "chosen"
      ? t("指定部门：{names}", {
          names: join(
            departmentNodes.filter((node) => edits.departments.has(node.id)).map(({ title }) => nameOf(title)),
          ),
        })
      : t(scopeName(dataScopes, dataScope));
  const members = asked.data?.members;
  const departmentNames = (ids: Iterable<string>): string[] => {
    const wanted = new Set(ids);
    return departmentNodes.filter((node) => wanted.has(node.id)).map(({ title }) => title);
  };
  const heldScopes = (
    scope: DataScope,
    chosen: Iterable<string>,
    { dataScope: data, apiScope: api }: Pick<RoleKeys, "dataScope" | "apiScope">,
  ): HeldScopes => {
    const unknown = (unseen: number): string => t("{count} 项", { count: unseen });
    return {
      reach: t(scopeName(dataScopes, scope)),
      departments: scope === "chosen" ? departmentNames(chosen) : [],
      dataScopes: scopeNames(tree.data?.dataScope ?? [], data, unknown),
      apiScopes: scopeNames(tree.data?.apiScope ?? [], api, unknown),
    };
  };
  const tabNames = { menus: t("菜单与按钮"), scope: t("数据范围"), preview: t("保存后的样子"), difference: t("差异") };
  const listPath = pathname.replace(/\/grants\/?$/, "");
  return (
    <>
      <Crumbs more={[{ name: "角色管理", to: listPath }, { name: String(role.roleName) }]} />
      <div className="page-head">
        <h1>{nameOf(String(role.roleName))}</h1>
        {members !== undefined && <span className="mut num">{t("{count} 人", { count: number(members) })}</span>}
        <span className="spacer" />
        <div className={styles.tools} data-comparing={other !== undefined || undefined}>
          <span className={styles.pick}>
            <Picker
              label={t("换一个角色")}
              value={id}
              options={inTree(roles).map(({ role: { id: key, roleName } }) => [key, nameOf(String(roleName))])}
              onChange={(next) => next !== "" && void navigate(`?id=${next}`)}
            />
          </span>
          <Picker
            label={t("与另一角色比较")}
            value={otherId ?? ""}
            options={roles.filter((held) => held.id !== id).map((held) => [held.id, nameOf(String(held.roleName))])}
            onChange={(next) => change({ with: next, tab: undefined })}
          />
          {String(role.tenantId) === user.tenant_id && !user.preview && (
            <Button icon="eye" isDisabled={changes > 0} onPress={() => void openPreview(id).catch(() => undefined)}>
              {t("以此角色预览")}
            </Button>
          )}
          <Button icon="help" onPress={() => setWondering(true)}>
            {t("为什么看不到")}
          </Button>
          {!readOnly && (
            <Button icon="copy" onPress={() => setCloning(true)}>
              {t("复制角色")}
            </Button>
          )}
        </div>
      </div>
      <EffectPanel
        columns={{ className: styles.columns, "data-comparing": other !== undefined || undefined }}
        edited={
          <>
            <RoleList roles={roles} current={id} />
            <section className="card" aria-label={t("角色授权")}>
              <div className={styles.tabs} role="tablist" aria-label={t("角色授权")}>
                {tabs
                  .filter((name) => name !== "difference" || other !== undefined)
                  .map((name) => (
                    <button
                      key={name}
                      type="button"
                      role="tab"
                      id={`tab-${name}`}
                      aria-selected={tab === name}
                      aria-controls="role-panel"
                      onClick={() => change({ tab: name === "menus" ? undefined : name })}
                    >
                      {tabNames[name]}
                      {name === "menus" && tree.data && <span className={styles.count}>{number(count)}</span>}
                    </button>
                  ))}
              </div>
              {edits.restored && <RestoredDraft {...edits.restored} onDiscard={edits.clear} />}
              <NotSaved why={refused} />
              <div role="tabpanel" id="role-panel" aria-labelledby={`tab-${tab}`}>
                {!tree.data &&
                  (tree.error ? (
                    <LoadingProblem
                      error={asApiError(tree.error)}
                      onRetry={() => void tree.refetch()}
                      what={t("菜单与按钮")}
                    />
                  ) : (
                    <TableSkeleton rows={10} />
                  ))}
                {tree.data && tab === "menus" && (
                  <>
                    <p className={panel.say}>{t("只存勾选的项，以后新增的菜单不会自动带上。")}</p>
                    <GrantTree
                      nodes={nodes}
                      granted={granted}
                      stored={stored.menus}
                      other={
                        other && compared.data
                          ? { held: new Set(compared.data.menu), name: nameOf(String(other.roleName)) }
                          : undefined
                      }
                      readOnly={readOnly || saving}
                      set={edits.setMenus}
                    />
                  </>
                )}
                {tree.data && tab === "scope" && (
                  <DataScopeEditor
                    tenantId={String(role.tenantId)}
                    value={dataScope}
                    stored={stored.dataScope}
                    departments={edits.departments}
                    storedDepartments={stored.departments}
                    problem={scopeProblem}
                    readOnly={readOnly || saving}
                    onValue={(value) => {
                      setScopeProblem(undefined);
                      edits.setDataScope(value);
                    }}
                    onDepartments={(ids, on) => {
                      setScopeProblem(undefined);
                      edits.setDepartments(ids, on);
                    }}
                  />
                )}
                {tree.data && tab === "difference" && other && !compared.data && <TableSkeleton rows={6} />}
                {tree.data && tab === "difference" && other && compared.data && (
                  <RoleDifference
                    nodes={nodes}
                    own={{
                      name: nameOf(String(role.roleName)),
                      menus: granted,
                      scopes: heldScopes(dataScope, edits.departments, rules),
                    }}
                    other={{
                      name: nameOf(String(other.roleName)),
                      menus: new Set(compared.data.menu),
                      scopes: heldScopes(other.dataScope as DataScope, compared.data.departments, compared.data),
                    }}
                    otherPath={`?id=${other.id}&with=${id}&tab=difference`}
                    give={readOnly || saving ? undefined : (ids) => edits.setMenus(ids, true)}
                  />
                )}
                {tree.data && tab === "preview" && (
                  <RolePreview
                    nodes={nodes}
                    roleName={nameOf(String(role.roleName))}
                    granted={granted}
                    stored={stored.menus}
                    reach={reach}
                  />
                )}
              </div>
            </section>
          </>
        }
        changes={changes}
        readOnly={readOnly}
        saving={saving}
        onRevert={edits.clear}
        onSave={() => void save()}
        notes={
          <>
            <UnreachableNote
              menus={cut}
              onGive={readOnly || givable.length === 0 ? undefined : () => edits.setMenus(givable, true)}
            />
            {!readOnly && changes > 0 && (
              <GrantPreview asked={asked} nameOfCode={nameOfCode} scopeChanged={scopeChanged} />
            )}
          </>
        }
      >
        <GrantChanges
          given={nodesOf(edits.edits.menus.given)}
          taken={nodesOf(edits.edits.menus.taken)}
          scope={
            edits.edits.dataScope && {
              before: scopeName(dataScopes, stored.dataScope),
              after: scopeName(dataScopes, dataScope),
            }
          }
          departments={edits.edits.departments}
          departmentNodes={departmentNodes}
          nameOf={placed}
        />
      </EffectPanel>
      {wondering && <AccessReasons onClose={() => setWondering(false)} />}
      {cloning && (
        <CloneRole
          roleId={id}
          onClose={() => setCloning(false)}
          onCloned={(cloned) => {
            setCloning(false);
            showToast({ kind: "ok", text: "角色已复制" });
            void client.invalidateQueries({ queryKey: ["resource", "role"] });
            void navigate(`?id=${cloned}`);
          }}
        />
      )}
      {blocker.state === "blocked" && (
        <LeaveDialog
          onStay={() => blocker.reset()}
          onKeep={() => blocker.proceed()}
          onDiscard={() => {
            edits.forget();
            leaving.current = true;
            blocker.proceed();
          }}
        >
          {t("改动 {count} 处。留作草稿的话，再打开这个角色时会恢复。", { count: number(changes) })}
        </LeaveDialog>
      )}
    </>
  );
}

/** What the page is called until the role's name is there. */
function Heading() {
  const t = useTranslate();
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("角色授权")}</h1>
      </div>
    </>
  );
}

function LoadedRole({ id }: { id: string }) {
  const t = useTranslate();
  const { data, error, refetch } = useQuery({
    queryKey: ["role", id],
    queryFn: ({ signal }) => loadRole(id, signal),
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  if (data) return <GrantsOf id={id} loaded={data} />;
  return (
    <>
      <Heading />
      {error ? (
        <LoadingProblem error={asApiError(error)} onRetry={() => void refetch()} what={t("角色授权")} />
      ) : (
        <TableSkeleton />
      )}
    </>
  );
}

/** What the role that the address names grants. */
export default function RoleGrants() {
  const t = useTranslate();
  const { pathname } = useLocation();
  const [search] = useListAddress("id");
  const id = knownId(search.get("id"));
  if (id !== undefined) return <LoadedRole key={id} id={id} />;
  return (
    <>
      <Heading />
      <ExceptionView type="noSearchData" title={t("先选一个角色")} text={t("从角色列表的行菜单里点“角色授权”。")}>
        <Link className="btn primary" to={pathname.replace(/\/grants\/*$/, "")}>
          {t("去列表")}
        </Link>
      </ExceptionView>
    </>
  );
}
