import { type DataScope, dataScopes, type TreeNode } from "@herdwise/contract";
import { loadResource } from "@herdwise/contract/resource-loader";
import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { CheckBox } from "../../shared/kit/check-box.tsx";
import { SearchInput } from "../../shared/kit/search-input.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import twistStyles from "../../shared/kit/twist.module.css";
import { tellIn } from "../../shared/language/tell.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { callResource } from "../../shared/resource/resource-api.ts";
import styles from "./data-scope.module.css";

const meanings: Readonly<Record<DataScope, string>> = {
  all: "本组织的所有数据",
  "department-and-below": "持有者所在部门和它下面各级部门的数据",
  department: "持有者所在部门的数据",
  self: "持有者自己录入的数据",
  chosen: "下面选中的部门的数据，和持有者自己录入的",
};

/** Departments of a tenant as a tree; undefined while they are loading. */
export function useDepartments(tenantId: string, enabled: boolean) {
  return useQuery({
    queryKey: ["resource", "dept", "tree", tenantId],
    queryFn: async ({ signal }) => {
      const of = await loadResource("dept");
      if (!of) throw new Error("the declaration of departments is missing");
      return callResource<TreeNode[]>(of, "tree", { query: { tenantId }, signal, quiet: true });
    },
    enabled,
    staleTime: 60_000,
  });
}

export const flatDepartments = (nodes: readonly TreeNode[]): TreeNode[] =>
  nodes.flatMap((node) => [node, ...flatDepartments(node.children ?? [])]);

/** Departments whose name holds a word, with what leads there. */
const foundDepartments = (nodes: readonly TreeNode[], fits: (title: string) => boolean): TreeNode[] =>
  nodes.flatMap((node) => {
    if (fits(node.title)) return [node];
    const children = foundDepartments(node.children ?? [], fits);
    return children.length > 0 ? [{ ...node, children }] : [];
  });

interface DepartmentTreeProps {
  nodes: readonly TreeNode[];
  chosen: ReadonlySet<string>;
  stored: ReadonlySet<string>;
  readOnly: boolean;
  onChange: (ids: readonly string[], on: boolean) => void;
}

function DepartmentLines({
  nodes,
  depth,
  closed,
  onToggle,
  ...props
}: DepartmentTreeProps & { depth: number; closed: ReadonlySet<string>; onToggle: (id: string) => void }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { chosen, stored, readOnly, onChange } = props;
  return (
    <ul>
      {nodes.map((node) => {
        const name = nameOf(node.title);
        const children = node.children ?? [];
        const open = !closed.has(node.id);
        const on = chosen.has(node.id);
        const below = flatDepartments(children).map(({ id }) => id);
        return (
          <li key={node.id}>
            <div className={styles.line} style={{ "--depth": depth } as CSSProperties}>
              {children.length > 0 ? (
                <button
                  type="button"
                  className={twistStyles.twist}
                  aria-expanded={open}
                  aria-label={t(open ? "收起 {name}" : "展开 {name}", { name })}
                  onClick={() => onToggle(node.id)}
                >
                  <Icon name="right" small />
                </button>
              ) : (
                <span className={twistStyles.twist} />
              )}
              <label data-change={on === stored.has(node.id) ? undefined : on ? "given" : "taken"}>
                <CheckBox
                  checked={on}
                  mixed={!on && below.some((id) => chosen.has(id))}
                  disabled={readOnly}
                  onChange={() => onChange([node.id], !on)}
                />
                {name}
              </label>
              {below.length > 0 && !readOnly && (
                <Button
                  kind="link"
                  aria-label={t("选“{name}”连同下级", { name })}
                  onPress={() => onChange([node.id, ...below], true)}
                >
                  {t("连同下级")}
                </Button>
              )}
            </div>
            {children.length > 0 && open && (
              <DepartmentLines {...props} nodes={children} depth={depth + 1} closed={closed} onToggle={onToggle} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Departments to tick: each stands for itself, as a department that is added later does not come along. */
function DepartmentTree(props: DepartmentTreeProps) {
  const t = useTranslate();
  const nameOf = useNames();
  const { number } = useFormats();
  const [word, setWord] = useState("");
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const wanted = word.trim().toLowerCase();
  const shown =
    wanted === ""
      ? props.nodes
      : foundDepartments(props.nodes, (title) => `${title} ${nameOf(title)}`.toLowerCase().includes(wanted));
  const toggle = (id: string): void =>
    setClosed((now) => {
      const next = new Set(now);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return (
    <section className={styles.departments} aria-label={t("指定的部门")}>
      <header>
        <SearchInput label={t("查找部门")} value={word} onChange={setWord} />
        <span className="mut num">{t("已选 {count} 个", { count: number(props.chosen.size) })}</span>
      </header>
      {shown.length === 0 ? (
        <p className="mut">{t(wanted === "" ? "还没有部门，先在机构管理里建。" : "没有找到")}</p>
      ) : (
        <DepartmentLines
          {...props}
          nodes={shown}
          depth={0}
          closed={wanted === "" ? closed : new Set()}
          onToggle={toggle}
        />
      )}
    </section>
  );
}

interface DataScopeEditorProps {
  tenantId: string;
  value: DataScope;
  stored: DataScope;
  departments: ReadonlySet<string>;
  storedDepartments: ReadonlySet<string>;
  /** In the chosen language. */
  problem: string | undefined;
  readOnly: boolean;
  onValue: (value: DataScope) => void;
  onDepartments: (ids: readonly string[], on: boolean) => void;
}

/** Whose rows a role reaches; for named departments, which. */
export function DataScopeEditor(props: DataScopeEditorProps) {
  const t = useTranslate();
  const { value, stored, problem, readOnly, onValue } = props;
  const tree = useDepartments(props.tenantId, value === "chosen");
  return (
    <div className={styles.scope}>
      <fieldset aria-label={t("数据范围")} aria-describedby={problem ? "scope-problem" : undefined}>
        {dataScopes.map(([name, label]) => (
          <label key={name} data-chosen={value === name || undefined}>
            <input
              type="radio"
              name="data-scope"
              checked={value === name}
              disabled={readOnly}
              aria-invalid={problem !== undefined}
              onChange={() => onValue(name)}
            />
            <span>
              {t(label)}
              {name === stored && value !== stored && <em>{t("原为这项")}</em>}
              <small>{t(meanings[name])}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {problem && (
        <p id="scope-problem" className="prob" role="alert">
          <Mark name="major" />
          {problem}
        </p>
      )}
      {value === "chosen" && (
        <>
          {tree.isPending && <TableSkeleton rows={4} />}
          {tree.error && (
            <p className="prob" role="alert">
              {t("没有取到{what}：{reason}", { what: t("部门"), reason: tellIn(t, asApiError(tree.error)) })}
            </p>
          )}
          {tree.data && (
            <DepartmentTree
              nodes={tree.data}
              chosen={props.departments}
              stored={props.storedDepartments}
              readOnly={readOnly}
              onChange={props.onDepartments}
            />
          )}
        </>
      )}
      <p className={styles.note}>{t("列表、导出和统计都按这个范围。有几个角色的人，范围合在一起。")}</p>
    </div>
  );
}
