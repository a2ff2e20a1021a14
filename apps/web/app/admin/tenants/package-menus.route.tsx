import { tenantPackageMenus, tenantPackagePreview, tenantPackageSetMenus, tenantPackageTree } from "@herdwise/contract";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useBlocker } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { ConfirmLeave } from "../../shared/forms/confirm-leave.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { knownId, useListAddress } from "../../shared/lists/list-address.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { useUnsaved } from "../../shared/session/use-unsaved.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import panel from "../roles/effect-panel.module.css";
import { EffectPanel, NotSaved } from "../roles/effect-panel.tsx";
import { useRested } from "../roles/grant-preview.tsx";
import { edited, isGroup, noEdits, withBelow, withEdits } from "../roles/grant-states.ts";
import { GrantTree, type TreeWords } from "../roles/grant-tree.tsx";
import { EffectView } from "./menu-effect.tsx";
import styles from "./tenants.module.css";

const words: TreeWords = {
  granted: "套餐里有",
  some: "套餐里有，下级不全",
  path: "套餐里没有，只作路径",
  none: "套餐里没有",
  given: "将加入",
  taken: "将移出",
};

const listPath = "/system/tenantpackage";

const loadPackage = async (id: string, signal: AbortSignal) => {
  const [held, tree] = await Promise.all([
    call(tenantPackageMenus, { query: { id }, signal, quiet: true }),
    call(tenantPackageTree, { signal, quiet: true }),
  ]);
  return { ...held, nodes: tree.menu, stored: new Set(held.menuIds) as ReadonlySet<string> };
};
type Loaded = Awaited<ReturnType<typeof loadPackage>>;

/** What a package holds; whom a change concerns is shown before it is saved. */
function Menus({ id, loaded }: { id: string; loaded: Loaded }) {
  const t = useTranslate();
  const { number } = useFormats();
  const client = useQueryClient();
  const readOnly = !useAccess().permissions.has("tenant_package_edit");
  const { nodes, stored, packageName, tenants, version } = loaded;
  const name = useNames()(packageName);
  const [edits, setEdits] = useState(noEdits);
  const [saving, setSaving] = useState(false);
  const [refused, setRefused] = useState<string>();
  const granted = withEdits(stored, edits);
  const changes = edits.given.length + edits.taken.length;
  const rested = useRested([...granted].toSorted().join(","));
  const effect = useQuery({
    queryKey: ["package effect", id, version, rested],
    queryFn: ({ signal }) =>
      call(tenantPackagePreview, {
        body: { id, menuIds: rested === "" ? [] : rested.split(",") },
        signal,
        quiet: true,
      }),
    placeholderData: keepPreviousData,
    enabled: !readOnly && changes > 0,
  });
  useUnsaved(changes > 0);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => changes > 0 && currentLocation.pathname !== nextLocation.pathname,
  );
  const count = nodes.flatMap(withBelow).filter((node) => granted.has(node.id) && !isGroup(node)).length;
  const save = async (): Promise<void> => {
    setSaving(true);
    setRefused(undefined);
    try {
      await call(tenantPackageSetMenus, { body: { id, menuIds: [...granted], version }, quiet: true });
      setEdits(noEdits);
      showToast({ kind: "ok", text: "套餐已保存，成员下一次操作时生效" });
    } catch (reason) {
      const error = asApiError(reason);
      setRefused(
        error.reason === "row.changed_meanwhile"
          ? t("这个套餐刚被别人改过。已换成新的内容，您的改动还在上面，请看一遍再保存。")
          : tellIn(t, error),
      );
    }
    await client.invalidateQueries({ queryKey: ["tenant package", id] });
    void client.invalidateQueries({ queryKey: ["resource", "tenant_package"] });
    setSaving(false);
  };
  return (
    <>
      <Crumbs more={[{ name: "租户套餐", to: listPath }, { name }]} />
      <div className="page-head">
        <h1>{name}</h1>
        <span className="mut num">{t("{count} 项菜单与按钮", { count: number(count) })}</span>
        <Link className="link" to={`/system/tenant?f.packageId=${id}`}>
          {t("{count} 个租户在用", { count: number(tenants) })}
        </Link>
      </div>
      <EffectPanel
        columns={{ className: styles.columns }}
        edited={
          <section className="card" aria-label={t("套餐内容")}>
            <p className={panel.say}>
              {t("成员能用的，是角色授予的与套餐里有的都包含的那些。以后新增的菜单不会自动进入套餐。")}
            </p>
            <NotSaved why={refused} />
            <GrantTree
              nodes={nodes}
              granted={granted}
              stored={stored}
              other={undefined}
              words={words}
              readOnly={readOnly || saving}
              set={(ids, on) => setEdits((now) => edited(stored, now, ids, on))}
            />
          </section>
        }
        changes={changes}
        readOnly={readOnly}
        saving={saving}
        onRevert={() => setEdits(noEdits)}
        onSave={() => void save()}
      >
        <section className={panel.part}>
          <h3>
            {t("菜单与按钮：多 {given} 项，少 {taken} 项", {
              given: number(edits.given.length),
              taken: number(edits.taken.length),
            })}
          </h3>
          {effect.error && <p>{tellIn(t, asApiError(effect.error))}</p>}
        </section>
        {effect.data && <EffectView effect={effect.data} behind={effect.isFetching} />}
      </EffectPanel>
      {blocker.state === "blocked" && <ConfirmLeave onStay={() => blocker.reset()} onLeave={() => blocker.proceed()} />}
    </>
  );
}

function Heading() {
  const t = useTranslate();
  return (
    <>
      <Crumbs more={[{ name: "租户套餐", to: listPath }]} />
      <div className="page-head">
        <h1>{t("套餐内容")}</h1>
      </div>
    </>
  );
}

function LoadedPackage({ id }: { id: string }) {
  const t = useTranslate();
  const { data, error, refetch } = useQuery({
    queryKey: ["tenant package", id],
    queryFn: ({ signal }) => loadPackage(id, signal),
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  if (data) return <Menus id={id} loaded={data} />;
  return (
    <>
      <Heading />
      {error ? (
        <LoadingProblem error={asApiError(error)} onRetry={() => void refetch()} what={t("套餐内容")} />
      ) : (
        <TableSkeleton />
      )}
    </>
  );
}

/** The menus and buttons of the package that the address names. */
export default function PackageMenus() {
  const t = useTranslate();
  const [search] = useListAddress("id");
  const id = knownId(search.get("id"));
  if (id !== undefined) return <LoadedPackage key={id} id={id} />;
  return (
    <>
      <Heading />
      <ExceptionView type="noSearchData" title={t("先选一个套餐")} text={t("从套餐列表的行菜单里点“套餐内容”。")}>
        <Link className="btn primary" to={listPath}>
          {t("去列表")}
        </Link>
      </ExceptionView>
    </>
  );
}
