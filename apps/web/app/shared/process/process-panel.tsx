import {
  type EventFace,
  eventPath,
  type Field,
  fieldsOf,
  isBlank,
  type ProcessFace,
  permissionOf,
  type ResourceDeclaration,
  referenceNameOf,
} from "@herdwise/contract/resource";
import { useQueryClient } from "@tanstack/react-query";
import { type ComponentType, type ReactNode, useState } from "react";
import { asApiError } from "../api/api-error.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { Refusal } from "../forms/refusal.tsx";
import { useSubmission } from "../forms/use-submission.ts";
import { Button } from "../kit/button.tsx";
import { TableSkeleton } from "../kit/table-skeleton.tsx";
import { tellIn } from "../language/tell.ts";
import { Translated } from "../language/translated.tsx";
import { useTranslate } from "../language/use-language.ts";
import { FieldValue } from "../resource/cell.tsx";
import { FieldInput } from "../resource/field-input.tsx";
import { type FormValues, fromForm, type Row, toForm } from "../resource/form-values.ts";
import type { InputProps } from "../resource/input-props.ts";
import { callDeclared, keysOf } from "../resource/resource-api.ts";
import { useDraft } from "../resource/use-draft.ts";
import { useAccess } from "../session/access-context.ts";
import { LoadingProblem } from "../states/loading-problem.tsx";
import { showToast } from "../states/toast-store.ts";
import { HistoryLines } from "./history-lines.tsx";
import styles from "./process.module.css";
import { RowFacts } from "./process-page.tsx";
import { StateTag } from "./state-tag.tsx";
import { useSteps } from "./use-steps.ts";

/** Custom inputs, by field. */
type Inputs = Readonly<Record<string, ComponentType<InputProps>>> | undefined;

interface AskProps {
  word: string;
  asks: Readonly<Record<string, Field>>;
  row: Row;
  inputs: Inputs;
  /** Begins the key of what is typed. */
  place: string;
  send: (values: Readonly<Record<string, unknown>>) => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
}

/** Asks what an event needs; what is typed is kept until it is sent. */
function Ask({ word, asks, row, inputs, place, send, onDone, onClose }: AskProps) {
  const t = useTranslate();
  const of = useSubmission();
  const fields = Object.entries(asks);
  const empty: FormValues = Object.fromEntries(fields.map(([name, field]) => [name, toForm(field, row[name])]));
  const [values, change, forget] = useDraft(place, empty);
  const filled = (name: string, field: Field): boolean => field.required !== true || (values[name] ?? "") !== "";
  return (
    <FormDialog
      title={t(word)}
      action={t(word)}
      ready={fields.every(([name, field]) => filled(name, field))}
      of={of}
      send={() => send(Object.fromEntries(fields.map(([name, field]) => [name, fromForm(field, values[name] ?? "")])))}
      onDone={() => {
        forget();
        onDone();
      }}
      onClose={onClose}
    >
      {fields.map(([name, field]) => {
        const Input = inputs?.[name] ?? FieldInput;
        return (
          <Input
            key={name}
            id={`event-${name}`}
            name={name}
            field={field}
            value={values[name] ?? ""}
            onChange={(value) => {
              of.mend(name);
              change({ [name]: value });
            }}
            problem={of.problems[name]}
            row={row}
          />
        );
      })}
    </FormDialog>
  );
}

/** What an event was asked, as a line under it. */
const saidOf = ({ asks = {} }: Partial<EventFace>, words: Readonly<Record<string, unknown>>): string =>
  Object.entries(asks)
    .filter(([, field]) => field.kind === "text")
    .map(([name]) => String(words[name] ?? ""))
    .filter((text) => text !== "")
    .join("\n");

interface ProcessPanelProps {
  of: ResourceDeclaration & { readonly process: ProcessFace };
  row: Row;
  inputs?: Inputs;
  /** Fields that are told, where the row's detail tells the others; all by default. */
  facts?: readonly string[] | undefined;
  /** The history stands in the row's detail already. */
  tellsHistory?: boolean | undefined;
  /** Event whose form is open from the start. */
  ask?: string;
  /** Puts what is shown, the buttons, and what holds some of them off into the drawer. */
  frame: (content: ReactNode, footer: ReactNode, held: ReactNode) => ReactNode;
  /** After an event: the way to the next row. */
  onDone: () => void;
}

/** A row of a process: its facts, what may be done now or why not, and what happened to it. */
export function ProcessPanel({ of, row, inputs, facts, tellsHistory = false, ask, frame, onDone }: ProcessPanelProps) {
  const t = useTranslate();
  const client = useQueryClient();
  const { permissions, user } = useAccess();
  const [asked, setAsked] = useState(ask);
  const { busy, refused, submit } = useSubmission<HTMLDivElement>();
  const loaded = useSteps(of, row.id);
  const { events, states } = of.process;
  const steps = loaded.data;
  const renew = () => client.invalidateQueries({ queryKey: keysOf(of) });
  const send = async (event: string, values: Readonly<Record<string, unknown>> = {}): Promise<void> => {
    const operation = { method: "POST", path: eventPath(of, event), form: "envelope" } as const;
    try {
      await callDeclared(operation, { body: { id: row.id, version: steps?.version, ...values }, quiet: true });
    } finally {
      // After a refusal, too: somebody else may have been quicker.
      void renew();
    }
  };
  const done = (): void => {
    showToast({ kind: "ok", text: "已登记" });
    onDone();
  };
  const start = async (event: string): Promise<void> => {
    if (events[event]?.asks) setAsked(event);
    else if (await submit(() => send(event))) done();
  };
  const mayAct = permissions.has(permissionOf(of, "edit"));
  const shown = Object.entries(events).filter(
    ([event]) => steps?.may.includes(event) || steps?.held.some((held) => held.event === event),
  );
  const state = states[steps?.state ?? String(row.state)];
  const open = asked === undefined ? undefined : events[asked];
  return frame(
    <div className={styles.panel}>
      <RowFacts
        rows={[
          // A detail that tells the history tells the state with it.
          ...(tellsHistory ? [] : [[t("状态"), state ? <StateTag key="state" {...state} /> : ""] as const]),
          ...fieldsOf(of)
            .filter(([name]) => name !== "state" && (facts?.includes(name) ?? true))
            // A fact that nobody knows yet takes no line.
            .filter(([name, field]) => !isBlank(row[name]) && !(field.kind === "reference" && row[name] === "0"))
            .map(
              ([name, field]) =>
                [
                  t(field.label),
                  <FieldValue
                    key={name}
                    field={field}
                    value={row[name]}
                    name={String(row[referenceNameOf(name)] ?? "")}
                  />,
                ] as const,
            ),
        ]}
      />
      {loaded.error && (
        <LoadingProblem error={asApiError(loaded.error)} onRetry={() => void loaded.refetch()} what={t("办理记录")} />
      )}
      {!steps && !loaded.error && <TableSkeleton rows={3} />}
      {steps && !tellsHistory && (
        <HistoryLines
          lines={steps.lines.map(({ id, thing, event, text, partyName, actorName, words, createTime }) => ({
            id,
            createTime,
            text: thing === "" ? t(text) : `${t(thing)} · ${t(text)}`,
            note: actorName === "" ? partyName !== "" && t(partyName) : <Translated text={actorName} />,
            body: thing === "" ? saidOf(events[event] ?? {}, words) : "",
          }))}
        />
      )}
      {open && asked !== undefined && steps && (
        <Ask
          word={open.word}
          asks={open.asks ?? {}}
          row={row}
          inputs={inputs}
          place={`${user.user_id}_${of.name}_${asked}_${row.id}`}
          send={(values) => send(asked, values)}
          onDone={done}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>,
    mayAct && shown.length > 0 && (
      <>
        <Refusal text={refused} />
        {shown.map(([event, { word, primary }]) => (
          <Button
            key={event}
            kind={primary ? "primary" : "plain"}
            isDisabled={busy || !steps?.may.includes(event)}
            onPress={() => void start(event)}
          >
            {t(word)}
          </Button>
        ))}
      </>
    ),
    mayAct && steps && steps.held.length > 0 && (
      <div className={styles.holds}>
        {steps.held.map(({ event, text, values }) => (
          <p key={event} className={styles.heldOff}>
            <b>{t("还不能{step}", { step: t(events[event]?.word ?? event) })}</b>
            {tellIn(t, { text, values })}
          </p>
        ))}
      </div>
    ),
  );
}
