import type { ReactNode } from "react";
import { Label, SelectField, TextField } from "../forms/fields.tsx";
import "../forms/forms.css";
import { Problem } from "../forms/problem.tsx";
import { Refusal } from "../forms/refusal.tsx";
import { SubmitForm } from "../forms/submit-form.tsx";
import { useSubmission } from "../forms/use-submission.ts";
import { Button, type ButtonKind } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { useTranslate } from "../language/use-language.ts";
import { useDraft } from "../resource/use-draft.ts";
import { useAccess } from "../session/access-context.ts";
import { showToast } from "../states/toast-store.ts";
import styles from "./process.module.css";

interface EventField {
  /** In the chosen language. */
  label: string;
  /** 500, where it is left out. */
  maxLength?: number;
  /** Lines of an area; a single line, where they are left out. */
  rows?: number;
  /** Instead of typing. */
  options?: readonly (readonly [value: string, name: string])[];
  /** May be left out; what is typed needs at least `minLength` characters, else one. */
  optional?: true;
  minLength?: number;
  isValid?: (text: string) => boolean;
  /** Under a single line. */
  hint?: string;
}
type Fields = Readonly<Record<string, EventField>>;
/** What was typed; blank fields are left out. */
type Typed<Asked extends Fields> = {
  [Name in keyof Asked as Asked[Name] extends { optional: true } ? never : Name]: string;
} & { [Name in keyof Asked as Asked[Name] extends { optional: true } ? Name : never]?: string };

/** Which event of which row a form is for, and what follows. */
export interface EventPlace {
  id: string;
  event: string;
  /** Begins the ids of the fields. */
  prefix: string;
  /** In the chosen language, as are the other texts but `done`. */
  title: string;
  /** Said when it is done, a key of the translations. */
  done?: string;
  onClose: () => void;
  /** After an answer, and after a refusal: the row may be another one by now. */
  onDone?: () => void;
}

interface EventDialogProps<Asked extends Fields> extends EventPlace {
  children?: ReactNode;
  fields: Asked;
  action?: string;
  kind?: ButtonKind;
  cancel?: string;
  size?: "regular" | "wide";
  send: (typed: Typed<Asked>) => Promise<unknown>;
  /** What was asked for: shown in place of the fields. */
  answer?: ReactNode;
}

/** Asks what an event needs, keeps what is typed until it is sent, and tells of a refusal. */
export function EventDialog<const Asked extends Fields>(props: EventDialogProps<Asked>) {
  const { id, event, prefix, onClose, onDone, title, children, fields, send, done, answer } = props;
  const t = useTranslate();
  const { user } = useAccess();
  const { form, busy, refused, problems, mend, submit } = useSubmission();
  const asked = Object.entries(fields);
  const empty: Readonly<Record<string, string>> = Object.fromEntries(asked.map(([name]) => [name, ""]));
  const [values, change, forget] = useDraft(`${user.user_id}_${prefix}_${event}_${id}`, empty);
  const typed = Object.fromEntries(
    asked.map(([name]) => [name, (values[name] ?? "").trim()] as const).filter(([, text]) => text !== ""),
  );
  const ready = asked.every(([name, { optional, minLength = 1, isValid }]) => {
    const text = typed[name];
    return text === undefined ? optional === true : [...text].length >= minLength && (isValid?.(text) ?? true);
  });
  const act = async (): Promise<void> => {
    if (!ready || busy) return;
    const sent = await submit(() => send(typed as Typed<Asked>));
    if (sent) {
      forget();
      if (done !== undefined) {
        showToast({ kind: "ok", text: done });
        onClose();
      }
    }
    onDone?.();
  };
  return (
    <Dialog
      title={title}
      size={props.size ?? "regular"}
      onClose={onClose}
      footer={
        <>
          <Refusal text={refused} />
          <Button onPress={onClose}>{props.cancel ?? t("取消")}</Button>
          {!answer && (
            <Button kind={props.kind ?? "primary"} isDisabled={busy || !ready} onPress={() => void act()}>
              {props.action ?? t("确定")}
            </Button>
          )}
        </>
      }
    >
      {answer || (
        <SubmitForm form={form} className={styles.form} send={act}>
          {children}
          {asked.map(([name, { label, maxLength = 500, rows, options, optional, hint }]) => {
            const field = {
              id: `${prefix}-${name}`,
              label,
              required: optional !== true,
              value: values[name] ?? "",
              problem: problems[name],
              onChange(text: string) {
                mend(name);
                change({ [name]: text });
              },
            };
            if (options) return <SelectField key={name} {...field} options={[["", t("请选择")], ...options]} />;
            if (rows === undefined)
              return (
                <TextField key={name} {...field} maxLength={maxLength} autoComplete="off" {...(hint && { hint })} />
              );
            return (
              <div key={name} className="form-field">
                <Label {...field} />
                <textarea
                  className="input"
                  id={field.id}
                  rows={rows}
                  maxLength={maxLength}
                  value={field.value}
                  aria-invalid={field.problem !== undefined}
                  onChange={(typedNow) => field.onChange(typedNow.target.value)}
                />
                <Problem id={`${field.id}-problem`} text={field.problem} />
              </div>
            );
          })}
        </SubmitForm>
      )}
    </Dialog>
  );
}

/** What an action of a bar asks first. */
export const asks =
  <const Asked extends Fields>(form: Omit<EventDialogProps<Asked>, keyof EventPlace>) =>
  (place: EventPlace): ReactNode => <EventDialog<Asked> {...place} {...form} />;
