import { tenantSelect } from "@herdwise/contract";
import {
  checkField,
  checkRow,
  type Field,
  normalizeText,
  type ResourceDeclaration,
  referenceNameOf,
} from "@herdwise/contract/resource";
import type { Problem } from "@herdwise/contract/rules";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ComponentType, Fragment, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { useBlocker } from "react-router";
import { asApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { focusFirstProblem } from "../forms/focus-problem.ts";
import { Mark } from "../icons/mark.tsx";
import { Button } from "../kit/button.tsx";
import { tellIn } from "../language/tell.ts";
import { useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import { ToRealName } from "../real-name/to-real-name.tsx";
import { useAccess } from "../session/access-context.ts";
import { useUnsaved } from "../session/use-unsaved.ts";
import { showToast } from "../states/toast-store.ts";
import { FieldValue } from "./cell.tsx";
import { type Conflict, ConflictDialog } from "./conflict-dialog.tsx";
import { type Draft, forgetDraft, readDraft, writeDraft } from "./draft-store.ts";
import { FieldInput } from "./field-input.tsx";
import {
  changedNames,
  changeOf,
  type FormValue,
  type FormValues,
  formFieldsOf,
  formValuesOf,
  fromForm,
  type Row,
} from "./form-values.ts";
import type { InputProps, PreviewProps } from "./input-props.ts";
import { LeaveDialog } from "./leave-dialog.tsx";
import { callResource, keysOf } from "./resource-api.ts";
import { RestoredDraft } from "./restored-draft.tsx";
import styles from "./row-form.module.css";

interface RowFormProps {
  of: ResourceDeclaration;
  /** Undefined for a new row. */
  row: Row | undefined;
  /** Id of a new row's parent. */
  parentId: string;
  /** Initial values of a new row, in addition to the defaults. */
  given?: FormValues;
  mayEdit: boolean;
  inputs: Readonly<Record<string, ComponentType<InputProps>>> | undefined;
  /** Below the fields: what the values as they are typed would mean. */
  preview?: ComponentType<PreviewProps> | undefined;
  /** Places the form and its fixed footer in the drawer. */
  frame: (content: ReactNode, footer: ReactNode) => ReactNode;
  /** Called with a new row after it was stored. */
  onAdded: ((row: Row) => void) | undefined;
  onDone: () => void;
}

type Problems = Readonly<Record<string, Problem>>;
const keyed = (problems: readonly Problem[]): Problems =>
  Object.fromEntries(problems.map((problem) => [problem.field, problem]));

/** Groups fields by section. */
function sectionsOf(fields: readonly [string, Field][]): { title: string; fields: [string, Field][] }[] {
  const sections: { title: string; fields: [string, Field][] }[] = [];
  for (const entry of fields) {
    const title = entry[1].section ?? "";
    const held = sections.find((section) => section.title === title);
    if (held) held.fields.push(entry);
    else sections.push({ title, fields: [entry] });
  }
  return sections;
}

/** A row as text, for readers who may not change it. */
function RowFacts({ of, row }: { of: ResourceDeclaration; row: Row }) {
  const t = useTranslate();
  return (
    <dl className="facts">
      {formFieldsOf(of).map(([name, field]) => (
        <div key={name}>
          <dt>{t(field.label)}</dt>
          <dd>
            <FieldValue field={field} value={row[name]} name={nameOfValue(row, name)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const nameOfValue = (row: Row, name: string): string | undefined => {
  const held = name === "parentId" ? row.parentName : row[referenceNameOf(name)];
  return typeof held === "string" && held !== "" ? held : undefined;
};

/** Form of a row or a new row; input survives errors, an expired session and a reload. */
export function RowForm({
  of,
  row,
  parentId,
  given,
  mayEdit,
  inputs,
  preview: Preview,
  frame,
  onAdded,
  onDone,
}: RowFormProps) {
  const t = useTranslate();
  const nameOf = useNames();
  const { user } = useAccess();
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const ofGroup = user.tenant_type === "group" && of.scope === "own-or-all-tenants";
  const place = useMemo(
    () => ({ userId: user.user_id, resource: of.name, row: row?.id ?? "new" }),
    [user.user_id, of.name, row?.id],
  );
  const [draft, setDraft] = useState<Draft | undefined>(() => readDraft(place, Date.now()));
  const stored = useMemo(
    (): FormValues => ({
      ...formValuesOf(of, row),
      ...(row || parentId === "" ? {} : { parentId }),
      ...(row ? {} : given),
    }),
    [of, row, parentId, given],
  );
  // Values that changes are compared with: the row as it was when the input began.
  const [base, setBase] = useState<FormValues>(() => ({ ...stored, ...draft?.before }));
  const [version, setVersion] = useState(draft?.version ?? row?.version ?? 0);
  const [tenantId, setTenantId] = useState(user.tenant_id);
  const { watch, setValue, reset } = useForm<Record<string, FormValue>>({
    defaultValues: { ...base, ...draft?.changes } as Record<string, FormValue>,
  });
  const values: FormValues = watch();
  const [problems, setProblems] = useState<Problems>({});
  const [refused, setRefused] = useState<{ text: string; reason: string | undefined }>();
  const [busy, setBusy] = useState(false);
  const [conflict, setConflict] = useState<Conflict>();
  const leaving = useRef(false);

  const changed = changedNames(of, values, base);
  const dirty = mayEdit && changed.length > 0;
  useUnsaved(dirty);
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    if (!dirty || leaving.current) return false;
    const rowOf = (search: string): string | null => new URLSearchParams(search).get("row");
    return (
      currentLocation.pathname !== nextLocation.pathname || rowOf(currentLocation.search) !== rowOf(nextLocation.search)
    );
  });

  // A row that another person changed is shown with its new values, unless somebody is typing.
  const [seen, setSeen] = useState(row?.version);
  useEffect(() => {
    if (row?.version === seen) return;
    setSeen(row?.version);
    if (dirty) return;
    setBase(stored);
    setVersion(row?.version ?? 0);
    reset(stored as Record<string, FormValue>);
  }, [row, seen, dirty, stored, reset]);

  const text = JSON.stringify(values);
  // Without a delay, so that a reload right after typing keeps the input.
  useEffect(() => {
    // Input that was discarded or saved just now must not be stored again.
    if (!mayEdit || leaving.current) return;
    const names = changedNames(of, JSON.parse(text) as FormValues, base);
    const now = JSON.parse(text) as FormValues;
    const pick = (from: FormValues): FormValues => Object.fromEntries(names.map((name) => [name, from[name] ?? ""]));
    writeDraft(place, { atMs: Date.now(), version, changes: pick(now), before: pick(base) });
  }, [mayEdit, of, text, base, place, version]);

  const tenants = useQuery({
    queryKey: ["tenants"],
    queryFn: ({ signal }) => call(tenantSelect, { signal, quiet: true }),
    enabled: ofGroup && row === undefined,
  });

  const set = (name: string, value: FormValue): void => {
    setValue(name, value);
    setRefused(undefined);
    setProblems(({ [name]: _solved, ...rest }) => rest);
  };
  const check = (name: string, field: Field): void => {
    if (!changed.includes(name)) return;
    const typed = values[name] ?? "";
    if (field.kind === "text" && typeof typed === "string") setValue(name, normalizeText(field, typed));
    const found = checkField(name, field, fromForm(field, typed));
    setProblems(({ [name]: _before, ...rest }) => (found ? { ...rest, [name]: found } : rest));
  };
  const discard = (): void => {
    forgetDraft(place);
    setDraft(undefined);
    setBase(stored);
    setVersion(row?.version ?? 0);
    reset(stored as Record<string, FormValue>);
    setProblems({});
    setRefused(undefined);
  };
  const send = async (now: FormValues, from: FormValues, against: number): Promise<void> => {
    const names = row ? changedNames(of, now, from) : formFieldsOf(of).map(([name]) => name);
    const change = changeOf(of, now, names);
    const found = checkRow(of, change, { partial: row !== undefined });
    setProblems(keyed(found));
    setRefused(undefined);
    if (found.length > 0) return focusFirstProblem(form.current);
    setBusy(true);
    try {
      const body = row ? { id: row.id, version: against, ...change } : { ...(ofGroup ? { tenantId } : {}), ...change };
      const saved = await callResource<Row>(of, "submit", { body, quiet: true });
      leaving.current = true;
      forgetDraft(place);
      setDraft(undefined);
      // The title of a row that is numbered when it is stored is not in its form.
      const name = String(now[of.title] ?? "");
      showToast({ kind: "ok", text: row ? "已保存" : name === "" ? "已登记" : "已新增“{name}”", values: { name } });
      if (row) {
        const after = formValuesOf(of, { ...row, ...saved });
        setSeen(saved.version);
        setBase(after);
        setVersion(saved.version);
        reset(after as Record<string, FormValue>);
        client.setQueryData([...keysOf(of), "detail", row.id], { ...row, ...saved });
      }
      const reloaded = client.invalidateQueries({ queryKey: keysOf(of) });
      // Closed before the list shows the new row: later it would close what somebody opened there meanwhile.
      if (!row) {
        onDone();
        onAdded?.(saved);
      }
      await reloaded;
    } catch (reason) {
      const error = asApiError(reason);
      const current = error.more("current");
      if (error.reason === "row.changed_meanwhile" && row && typeof current === "object" && current !== null) {
        setConflict({
          row: { ...row, ...(current as Row) },
          by: String(error.more("changedBy") ?? ""),
          at: Number(error.more("changedAt")) || undefined,
        });
        return;
      }
      const told = error.fieldProblems();
      setProblems(told);
      const placed = Object.keys(told).some((name) => name in now);
      setRefused(placed ? undefined : { text: tellIn(t, error), reason: error.reason });
      focusFirstProblem(form.current);
    } finally {
      setBusy(false);
      leaving.current = false;
    }
  };
  if (!mayEdit && row) return frame(<RowFacts of={of} row={row} />, undefined);

  const fields = formFieldsOf(of);
  const wasOf = (name: string, field: Field): ReactNode => {
    if (!row || !changed.includes(name)) return undefined;
    const before = fromForm(field, base[name] ?? "");
    const named = base[name] === stored[name] ? nameOfValue(row, name) : undefined;
    return (
      <>
        {t("原为")} <FieldValue field={field} value={before} name={named && nameOf(named)} />
      </>
    );
  };
  const wrong = Object.keys(problems).length;
  const content = (
    <form
      ref={form}
      id="row-form"
      className={styles.form}
      noValidate
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        if (dirty || !row) void send(values, base, version);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
      }}
    >
      {draft && <RestoredDraft atMs={draft.atMs} count={Object.keys(draft.changes).length} onDiscard={discard} />}
      {refused && (
        <div className={styles.refused} role="alert">
          <Mark name="critical" />
          <span>
            {refused.text} {refused.reason?.endsWith(".not_authenticated") && <ToRealName />}
          </span>
        </div>
      )}
      {ofGroup && !row && (
        <fieldset className={styles.section}>
          <FieldInput
            id="row-tenantId"
            name="tenantId"
            field={{
              kind: "choice",
              label: "租户",
              required: true,
              options: (tenants.data ?? []).map((tenant) => [tenant.tenantId, tenant.tenantName] as const),
            }}
            value={tenantId}
            onChange={(value) => setTenantId(String(value))}
            row={undefined}
          />
        </fieldset>
      )}
      {sectionsOf(fields).map((section) => (
        <fieldset key={section.title} className={styles.section}>
          {section.title !== "" && <legend>{t(section.title)}</legend>}
          {section.fields.map(([name, field]) => {
            const problem = problems[name];
            return (
              <Fragment key={name}>
                <FieldInput
                  as={inputs?.[name]}
                  id={`row-${name}`}
                  name={name}
                  field={field}
                  value={values[name] ?? ""}
                  onChange={(value) => set(name, value)}
                  onBlur={() => check(name, field)}
                  problem={problem && tellIn(t, problem)}
                  was={wasOf(name, field)}
                  row={row}
                  locked={field.fixed && row ? t("新增后不能再改") : undefined}
                />
              </Fragment>
            );
          })}
        </fieldset>
      ))}
      {Preview && <Preview id={row?.id} values={values} />}
    </form>
  );
  // What begins a process is called as the button that led here.
  const word = of.process?.begin?.word;
  const footer = (
    <>
      <span role="status" className={styles.count}>
        {changed.length === 0
          ? t(row ? "没有改动" : "还没有填写")
          : row
            ? t("改动 {count} 处", { count: changed.length })
            : t("已填 {count} 项", { count: changed.length })}
        {wrong > 0 && <b>{t("，{count} 处待改正", { count: wrong })}</b>}
      </span>
      <Button onPress={onDone}>{t("取消")}</Button>
      <Button kind="primary" type="submit" form="row-form" isDisabled={busy || (row !== undefined && !dirty)}>
        {t(busy ? "正在保存" : (word ?? "保存"))}
      </Button>
    </>
  );
  return (
    <>
      {frame(content, footer)}
      {blocker.state === "blocked" && (
        <LeaveDialog
          onStay={() => blocker.reset()}
          onKeep={() => blocker.proceed()}
          onDiscard={() => {
            forgetDraft(place);
            leaving.current = true;
            blocker.proceed();
          }}
        >
          {t("改动 {count} 处。留作草稿的话，再打开这一条时会恢复。", { count: changed.length })}
        </LeaveDialog>
      )}
      {conflict && (
        <ConflictDialog
          of={of}
          base={base}
          mine={values}
          conflict={conflict}
          title={String(row?.[of.title] ?? "")}
          onClose={() => setConflict(undefined)}
          onMerged={(merged) => {
            const theirs = formValuesOf(of, conflict.row);
            setConflict(undefined);
            setBase(theirs);
            setVersion(conflict.row.version);
            reset(merged as Record<string, FormValue>);
            void send(merged, theirs, conflict.row.version);
          }}
        />
      )}
    </>
  );
}
