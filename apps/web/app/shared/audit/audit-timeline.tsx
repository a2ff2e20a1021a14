import type { AuditEntry } from "@herdwise/contract";
import { useState } from "react";
import { Button } from "../kit/button.tsx";
import { parseWireDateTime } from "../language/format.ts";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { Said, Sentence } from "./audit-sentence.tsx";
import styles from "./audit-timeline.module.css";

/** What of an entry is shown; the address only where it was asked for. */
type Entry = Pick<AuditEntry, "id" | "sentence" | "details" | "createTime"> &
  Partial<Pick<AuditEntry, "remoteAddress" | "accountId" | "resource" | "action">>;

/** Fewest entries of the system in a row of which only the newest are told. */
const fewestAlike = 5;
/** How many of them are told. */
const newest = 3;

/** Entries in their order; those of the system that say the same of one row after the other stand together. */
export function runsOf<Shown extends Entry>(entries: readonly Shown[]): Shown[][] {
  const runs: Shown[][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    const [first] = run ?? [];
    const isAlike =
      entry.accountId === "" &&
      first?.accountId === "" &&
      first.resource === entry.resource &&
      first.action === entry.action;
    if (run && isAlike) run.push(entry);
    else runs.push([entry]);
  }
  return runs.flatMap((run) => (run.length < fewestAlike ? run.map((entry) => [entry]) : [run]));
}

interface TimelineProps<Shown extends Entry> {
  /** Newest first. */
  entries: readonly Shown[];
  /** Level of the days' headings, below that of the card. */
  heading: "h2" | "h3";
  /** Leads to all that the entry's person did; undefined for an entry of nobody. */
  onPerson?: ((entry: Shown) => (() => void) | undefined) | undefined;
  /** Leads to all that happened to the entry's row. */
  onRow?: ((entry: Shown) => void) | undefined;
}

function Line<Shown extends Entry>({
  entry,
  onPerson,
  onRow,
}: Omit<TimelineProps<Shown>, "entries" | "heading"> & { entry: Shown }) {
  const t = useTranslate();
  const { time } = useFormats();
  const [open, setOpen] = useState(false);
  const { details, sentence, remoteAddress = "", createTime } = entry;
  const toPerson = onPerson?.(entry);
  const more = details.length > 0 || toPerson !== undefined || onRow !== undefined || remoteAddress !== "";
  const at = parseWireDateTime(createTime);
  return (
    <li>
      <time className="num" dateTime={createTime}>
        {at === undefined ? "--" : time(at)}
      </time>
      <div>
        <p>
          <Sentence of={sentence} />
        </p>
        {more && (
          <div className={styles.links}>
            {details.length > 0 && (
              <Button kind="link" data-to="details" aria-expanded={open} onPress={() => setOpen(!open)}>
                {open ? t("收起") : t("{count} 项明细", { count: details.length })}
              </Button>
            )}
            {toPerson && (
              <Button kind="link" data-to="person" onPress={toPerson}>
                {t("这个人做过的")}
              </Button>
            )}
            {onRow && (
              <Button kind="link" data-to="row" onPress={() => onRow(entry)}>
                {t("它的全部改动")}
              </Button>
            )}
            {remoteAddress !== "" && <span className={`mut num ${styles.address}`}>{remoteAddress}</span>}
          </div>
        )}
        {open && (
          <dl className={styles.details}>
            {details.map(({ label, before, after }, index) => (
              <div key={`${index} ${label.zh}`}>
                <dt>
                  <Said text={label} />
                </dt>
                <dd>
                  {before && (
                    <del>
                      <Said text={before} />
                    </del>
                  )}
                  {before && <span aria-hidden="true"> → </span>}
                  {before && <span className="visually-hidden">{t("改为")}</span>}
                  <ins>{after ? <Said text={after} /> : before ? t("空") : "--"}</ins>
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </li>
  );
}

/** Entries of the system that say the same: the newest, and where somebody wants them the others. */
function Run<Shown extends Entry>({
  of,
  ...links
}: Omit<TimelineProps<Shown>, "entries" | "heading"> & { of: readonly Shown[] }) {
  const t = useTranslate();
  const { time } = useFormats();
  const [open, setOpen] = useState(false);
  const told = of.length < fewestAlike ? of.length : newest;
  const shown = open ? of : of.slice(0, told);
  const timeOf = (entry: Shown | undefined): string => {
    const at = entry && parseWireDateTime(entry.createTime);
    return at === undefined ? "--" : time(at);
  };
  return (
    <>
      {shown.map((entry) => (
        <Line key={entry.id} entry={entry} {...links} />
      ))}
      {of.length > told && (
        <li>
          <span />
          <Button kind="link" aria-expanded={open} onPress={() => setOpen(!open)}>
            {open
              ? t("收起")
              : timeOf(of.at(-1)) === timeOf(of[told])
                ? t("另有 {count} 条一样的，系统在 {time} 记的", { count: of.length - told, time: timeOf(of[told]) })
                : t("另有 {count} 条一样的，系统在 {from} 到 {to} 记的", {
                    count: of.length - told,
                    from: timeOf(of.at(-1)),
                    to: timeOf(of[told]),
                  })}
          </Button>
        </li>
      )}
    </>
  );
}

/** Entries under the days on which they were written, in Asia/Shanghai. */
export function AuditTimeline<Shown extends Entry>({ entries, heading: Heading, ...links }: TimelineProps<Shown>) {
  const days = Map.groupBy(entries, ({ createTime }) => createTime.slice(0, 10));
  return [...days].map(([day, of]) => (
    <section key={day} className={styles.day} aria-label={day}>
      <Heading className="num">{day}</Heading>
      <ol>
        {runsOf(of).map((run) => (
          <Run key={run[0]?.id} of={run} {...links} />
        ))}
      </ol>
    </section>
  ));
}
