import type { AuditChange, AuditEntry } from "@herdwise/contract";
import type { Field } from "@herdwise/contract/resource";
import { loadResource } from "@herdwise/contract/resource-loader";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../shared/kit/button.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { FieldValue } from "../../shared/resource/cell.tsx";
import { formFieldsOf } from "../../shared/resource/form-values.ts";
import { useSelectedNames } from "../../shared/resource/resource-api.ts";
import { useCodeName } from "../use-code-names.ts";
import styles from "./audit.module.css";

const mostShown = 3;

/** Labels and kinds of a resource's fields, from its declaration. */
function useFields(resource: string): ReadonlyMap<string, Field> {
  const { data } = useQuery({
    queryKey: ["declaration", resource],
    queryFn: async () => (await loadResource(resource)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return new Map(data ? formFieldsOf(data) : []);
}

/** What a grant gave and what it took. */
function GrantedCodes({ change }: { change: AuditChange }) {
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

function Value({ field, value }: { field: Field | undefined; value: unknown }) {
  const reference = field?.kind === "reference" && typeof value === "string" && value !== "" && value !== "0";
  const names = useSelectedNames(reference ? field.to : undefined, reference ? [value] : []);
  if (field) return <FieldValue field={field} value={value} name={reference ? names.get(value)?.name : undefined} />;
  if (value === null || value === undefined || value === "") return <span className="mut">--</span>;
  return <span>{typeof value === "object" ? JSON.stringify(value) : String(value)}</span>;
}

function FieldChange({ field, change, isNew }: { field: Field | undefined; change: AuditChange; isNew: boolean }) {
  const t = useTranslate();
  return (
    <div>
      <dt>{t(field?.label ?? change.field)}</dt>
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

/** The changes of an entry under the labels of their fields; the first few, the others on demand. */
export function AuditChanges({ entry }: { entry: AuditEntry }) {
  const t = useTranslate();
  const fields = useFields(entry.resource);
  const [all, setAll] = useState(false);
  if (entry.changes.length === 0) return <span className="mut">--</span>;
  const rest = entry.changes.length - mostShown;
  return (
    <>
      <dl className={styles.changes}>
        {(all ? entry.changes : entry.changes.slice(0, mostShown)).map((change) =>
          entry.action === "grant" && change.field === "menus" ? (
            <GrantedCodes key={change.field} change={change} />
          ) : (
            <FieldChange
              key={change.field}
              field={fields.get(change.field)}
              change={change}
              isNew={entry.action === "create" || entry.action === "import"}
            />
          ),
        )}
      </dl>
      {rest > 0 && (
        <Button kind="link" aria-expanded={all} onPress={() => setAll(!all)}>
          {all ? t("收起") : t("还有 {count} 项", { count: rest })}
        </Button>
      )}
    </>
  );
}
