import type { Page } from "@herdwise/contract";
import type { ProcessScreen } from "@herdwise/contract/process";
import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslate } from "../language/use-language.ts";
import { known, type readPaging } from "../lists/list-address.ts";
import { ActionBar } from "./action-bar.tsx";
import { asks } from "./event-dialog.tsx";
import styles from "./process.module.css";
import { QueueScreen, useQueue } from "./queue-screen.tsx";
import { StateTag } from "./state-tag.tsx";

interface QueueRow {
  id: string;
  state: string;
  version: number;
  may: readonly string[];
}
type Send<Row> = (row: Row, typed: Readonly<Record<string, string>>) => Promise<unknown>;

interface ProcessQueueProps<Row extends QueueRow> {
  of: ProcessScreen;
  /** Begins keys of what is loaded, and the ids of fields. */
  name: string;
  load: (query: ReturnType<typeof readPaging> & { queue: string }, signal: AbortSignal) => Promise<Page<Row>>;
  /** How each event with a button is asked for. */
  send: Readonly<Record<string, Send<Row>>>;
  /** What is said of a row beside its state. */
  line: (row: Row) => ReactNode;
}
/** Others answer: the queue follows, ms. */
const renewMs = 15_000;

/** Names that may be chosen from a list of a row. */
const optionsOf = (list: unknown): [string, string][] =>
  (list as readonly { id: string; name: string }[]).map(({ id, name }) => [id, name]);

/** The queues of a process as its declaration has them, with what may be done beside each row. */
export function ProcessQueue<Row extends QueueRow>({ of, name, load, send, line }: ProcessQueueProps<Row>) {
  const t = useTranslate();
  const client = useQueryClient();
  const queues = Object.keys(of.queues);
  const queue = useQueue<{ queue: string }, Page<Row>>({
    key: [name],
    renewMs,
    read: (search) => ({ queue: known(search.get("queue"), queues) ?? queues[0] ?? "" }),
    load,
  });
  const actionsOf = (row: Row) =>
    Object.entries(of.events).map(([event, { word, primary, asks: asked = {} } = { word: "" }]) => ({
      event,
      word,
      ...(primary && { kind: "primary" as const }),
      ask: asks({
        fields: Object.fromEntries(
          Object.entries(asked).map(([field, { label, rows, from }]) => [
            field,
            {
              label: t(label),
              ...(rows !== undefined && { rows }),
              ...(from !== undefined && { options: optionsOf((row as Readonly<Record<string, unknown>>)[from]) }),
            },
          ]),
        ),
        send: async (typed) => send[event]?.(row, typed),
      }),
    }));
  return (
    <QueueScreen
      queue={queue}
      title={t(of.title)}
      chips={{
        parameter: "queue",
        label: t("队列"),
        words: Object.fromEntries(Object.entries(of.queues).map(([queueName, { word }]) => [queueName, word])),
        chosen: queue.values.queue,
      }}
    >
      {(rows) => (
        <ul>
          {rows.map((row) => {
            const state = of.states[row.state];
            return (
              <li key={row.id} className={styles.short}>
                {line(row)}
                {state && <StateTag {...state} />}
                <ActionBar
                  row={row}
                  prefix={name}
                  actions={actionsOf(row)}
                  reload={() => void client.invalidateQueries({ queryKey: [name] })}
                />
              </li>
            );
          })}
        </ul>
      )}
    </QueueScreen>
  );
}
