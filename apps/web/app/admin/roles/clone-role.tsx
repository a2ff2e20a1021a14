import { roleClone, roles } from "@herdwise/contract";
import { checkField } from "@herdwise/contract/resource";
import type { Problem } from "@herdwise/contract/rules";
import { useId, useRef, useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { focusFirstProblem } from "../../shared/forms/focus-problem.ts";
import { SubmitForm } from "../../shared/forms/submit-form.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { FieldInput } from "../../shared/resource/field-input.tsx";
import styles from "./role-grants.module.css";

const fields = { roleName: roles.fields.roleName, roleAlias: roles.fields.roleAlias };
type Name = keyof typeof fields;
const names = Object.keys(fields) as Name[];

interface CloneRoleProps {
  roleId: string;
  onCloned: (id: string) => void;
  onClose: () => void;
}

/** Asks what the new role is called; its menus, buttons and data scope are those of this one as they are stored. */
export function CloneRole({ roleId, onCloned, onClose }: CloneRoleProps) {
  const t = useTranslate();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState<Record<Name, string>>({ roleName: "", roleAlias: "" });
  const [problems, setProblems] = useState<Readonly<Record<string, Problem>>>({});
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  const clone = async (): Promise<void> => {
    const found = names.flatMap((name) => checkField(name, fields[name], values[name].trim()) ?? []);
    setProblems(Object.fromEntries(found.map((problem) => [problem.field, problem])));
    setRefused(undefined);
    if (found.length > 0) return focusFirstProblem(form.current);
    setBusy(true);
    try {
      const body = { roleId, roleName: values.roleName.trim(), roleAlias: values.roleAlias.trim() };
      onCloned((await call(roleClone, { body, quiet: true })).id);
    } catch (reason) {
      const error = asApiError(reason);
      const told = error.fieldProblems();
      setProblems(told);
      setRefused(names.some((name) => name in told) ? undefined : tellIn(t, error));
      focusFirstProblem(form.current);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={t("复制角色")}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t("取消")}</Button>
          <Button kind="primary" type="submit" form={id} isDisabled={busy}>
            {t("复制角色")}
          </Button>
        </>
      }
    >
      <SubmitForm form={form} id={id} className={styles.fields} send={clone}>
        <p className="mut">{t("菜单、按钮和数据范围一起复制，没有保存的改动不在内。")}</p>
        {names.map((name) => (
          <FieldInput
            key={name}
            id={`clone-${name}`}
            name={name}
            field={fields[name]}
            value={values[name]}
            onChange={(value) => {
              setValues((now) => ({ ...now, [name]: String(value) }));
              setProblems(({ [name]: _solved, ...rest }) => rest);
            }}
            problem={problems[name] && tellIn(t, problems[name])}
            row={undefined}
          />
        ))}
        {refused && (
          <p className="prob" role="alert">
            {refused}
          </p>
        )}
      </SubmitForm>
    </Dialog>
  );
}
