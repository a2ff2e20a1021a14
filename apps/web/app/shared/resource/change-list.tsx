import type { Field } from "@herdwise/contract/resource";
import { useState } from "react";
import { Button } from "../kit/button.tsx";
import { useJoin } from "../language/use-join.ts";
import { useTranslate } from "../language/use-language.ts";
import { FieldValue } from "./cell.tsx";
import styles from "./change-list.module.css";
import { useSelectedNames } from "./resource-api.ts";
import { useCodeName } from "./use-code-names.ts";

/** A field before and after a change, as stored in the audit trail. */
interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

/** Granted and revoked codes. */
function GrantedCodes({ change }: { change: Change }) {
  const t = useTranslate();
  const join = useJoin();
  const nameOf = useCodeName();
  const nameCodes = (codes: unknown): string =>
    Array.isArray(codes) ? join(codes.map((code) => nameOf(String(code)))) : "";
  const given = nameCodes(change.after);
  const taken = nameCodes(change.before);
  return (
    <div>
      <dt>{t("菜单与按钮")}</dt>
      <dd>
        {given !== "" && <p>{t("授予：{names}", { names: given })}</p>}
        {taken !== "" && <p>{t("收回：{names}", { names: taken })}</p>}
        {given === "" && taken === "" && <span className="mut">--</span>}
      </dd>
    </div>
  );
}

/** Channel by which the person gets the new password. */
function ResetWay({ change }: { change: Change }) {
  const t = useTranslate();
  return (
    <div>
      <dt>{t("密码")}</dt>
      <dd>{t(change.after === "link" ? "链接发到本人已验证的手机" : "由操作人转告本人")}</dd>
    </div>
  );
}

function Value({ field, value }: { field: Field | undefined; value: unknown }) {
  const reference = field?.kind === "reference" && typeof value === "string" && value !== "" && value !== "0";
  const names = useSelectedNames(reference ? field.to : undefined, reference ? [value] : []);
  if (field) return <FieldValue field={field} value={value} name={reference ? names.get(value)?.name : undefined} />;
  if (value === null || value === undefined || value === "") return <span className="mut">--</span>;
  return <span>{typeof value === "object" ? JSON.stringify(value) : String(value)}</span>;
}

/** Chinese names of values in audit entries of processes, which no resource declares; keys of the translations. */
const ownNames: Readonly<Record<string, string>> = {
  event: "经过",
  state: "状态",
  remittance: "测试汇款",
  reason: "原因",
  fields: "字段",
};

function FieldChange({ field, change, isNew }: { field: Field | undefined; change: Change; isNew: boolean }) {
  const t = useTranslate();
  return (
    <div>
      <dt>{t(field?.label ?? ownNames[change.field] ?? change.field)}</dt>
      <dd>
        {!isNew && (
          <>
            <del>
              <Value field={field} value={change.before} />
            </del>
            <span aria-hidden="true"> → </span>
            <span className="visually-hidden">{t("改为")}</span>
          </>
        )}
        <ins>
          <Value field={field} value={change.after} />
        </ins>
      </dd>
    </div>
  );
}

interface ChangeListProps {
  /** The resource's fields, for labels and kinds. */
  fields: ReadonlyMap<string, Field>;
  action: string;
  changes: readonly Change[];
  /** Number of changes shown before the reader asks for the others; all where it is left out. */
  shown?: number;
}

/** Changes of a row with the labels of its fields. */
export function ChangeList({ fields, action, changes, shown = changes.length }: ChangeListProps) {
  const t = useTranslate();
  const [all, setAll] = useState(false);
  const rest = changes.length - shown;
  return (
    <>
      <dl className={styles.changes}>
        {(all ? changes : changes.slice(0, shown)).map((change) =>
          action === "grant" && change.field === "menus" ? (
            <GrantedCodes key={change.field} change={change} />
          ) : action === "reset" ? (
            <ResetWay key={change.field} change={change} />
          ) : (
            <FieldChange
              key={change.field}
              field={fields.get(change.field)}
              change={change}
              isNew={action === "create" || action === "import"}
            />
          ),
        )}
      </dl>
      {rest > 0 && (
        <div>
          <Button kind="link" aria-expanded={all} onPress={() => setAll(!all)}>
            {all ? t("收起") : t("还有 {count} 项", { count: rest })}
          </Button>
        </div>
      )}
    </>
  );
}
