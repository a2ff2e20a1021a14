import { type Field, type ResourceDeclaration, referenceNameOf } from "@herdwise/contract/resource";
import { useState } from "react";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { FieldValue } from "./cell.tsx";
import styles from "./conflict-dialog.module.css";
import { type FormValue, type FormValues, formFieldsOf, formValuesOf, fromForm, type Row } from "./form-values.ts";
import { mergedValues, mergeOf, type Side, undecided } from "./merge.ts";

/** The row as another person saved it meanwhile. */
export interface Conflict {
  row: Row;
  by: string;
  /** Time of the other change, ms since 1970; undefined when the server did not tell. */
  at: number | undefined;
}

interface ConflictDialogProps {
  of: ResourceDeclaration;
  title: string;
  base: FormValues;
  mine: FormValues;
  conflict: Conflict;
  onMerged: (values: FormValues) => void;
  onClose: () => void;
}

/**
 * Merges two simultaneous changes of a row: fields that only one person changed are merged automatically; for the others the
 * person chooses.
 */
export function ConflictDialog({ of, title, base, mine, conflict, onMerged, onClose }: ConflictDialogProps) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const theirs = formValuesOf(of, conflict.row);
  const fields = mergeOf(of, base, mine, theirs);
  const declared = new Map(formFieldsOf(of));
  const open = undecided(fields, chosen);
  const by = conflict.by || t("别人");
  const chooseAll = (side: Side): void => setChosen(Object.fromEntries(fields.map(({ name }) => [name, side])));
  const nameIn = (name: string): string | undefined => {
    const held = name === "parentId" ? conflict.row.parentName : conflict.row[referenceNameOf(name)];
    return typeof held === "string" && held !== "" ? held : undefined;
  };
  const show = (name: string, value: FormValue, named = false) => {
    const field = declared.get(name) as Field;
    return <FieldValue field={field} value={fromForm(field, value)} name={named ? nameIn(name) : undefined} />;
  };
  const counts = {
    theirs: fields.filter(
      ({ name, changed }) => changed === "theirs" || (changed === "both" && chosen[name] === "theirs"),
    ).length,
    mine: fields.filter(({ name, changed }) => changed === "mine" || (changed === "both" && chosen[name] === "mine"))
      .length,
  };
  return (
    <Dialog
      size="wide"
      alert
      title={t("“{title}”刚被{by}改过", { title, by })}
      onClose={onClose}
      footer={
        <>
          <span className={styles.sum}>
            {open.length > 0
              ? t("还有 {count} 处要选", { count: open.length })
              : t("将保存{by}的 {theirs} 处、我的 {mine} 处。", { by, ...counts })}
          </span>
          <Button onPress={onClose}>{t("先不存")}</Button>
          <Button
            kind="primary"
            isDisabled={open.length > 0}
            onPress={() => onMerged(mergedValues(theirs, fields, chosen))}
          >
            {t("保存合并结果")}
          </Button>
        </>
      }
    >
      <div className={styles.head}>
        <p>{t("没碰到一起的自动合上，碰到一起的逐项选。")}</p>
        <Button small onPress={() => chooseAll("theirs")}>
          {t("全用{by}的", { by })}
        </Button>
        <Button small onPress={() => chooseAll("mine")}>
          {t("全用我的")}
        </Button>
      </div>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t("字段")}</th>
              <th scope="col">{t("原来")}</th>
              <th scope="col">
                {by}
                <small>{dayTime(conflict.at)}</small>
              </th>
              <th scope="col">
                {t("我")}
                <small>{t("未存")}</small>
              </th>
              <th scope="col">{t("将保存")}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ name, base: before, mine: own, theirs: other, changed }) => {
              const side = changed === "both" ? chosen[name] : changed === "mine" ? "mine" : "theirs";
              const label = t(declared.get(name)?.label ?? name);
              const option = (value: FormValue, of: Side) =>
                changed === "both" ? (
                  <label className={styles.option} data-chosen={side === of || undefined}>
                    <input
                      type="radio"
                      name={`merge-${name}`}
                      checked={side === of}
                      onChange={() => setChosen((now) => ({ ...now, [name]: of }))}
                    />
                    {show(name, value, of === "theirs")}
                  </label>
                ) : changed === of || changed === "same" ? (
                  show(name, value, of === "theirs")
                ) : (
                  <span className="mut">{t("没有动")}</span>
                );
              return (
                <tr key={name}>
                  <th scope="row">{label}</th>
                  <td className="mut" data-label={t("原来")}>
                    {show(name, before)}
                  </td>
                  <td data-label={by}>{option(other, "theirs")}</td>
                  <td data-label={t("我")}>{option(own, "mine")}</td>
                  <td data-label={t("将保存")}>
                    {side === undefined ? (
                      <span className="state minor">{t("要选")}</span>
                    ) : (
                      show(name, side === "mine" ? own : other, side === "theirs")
                    )}
                    <small>
                      {changed === "both"
                        ? side && (side === "mine" ? t("您选了自己的") : t("您选了{by}的", { by }))
                        : changed === "same"
                          ? t("两人改得一样")
                          : changed === "mine"
                            ? t("只有您改了")
                            : t("只有{by}改了", { by })}
                    </small>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Dialog>
  );
}
