import type { AuditEntry } from "@herdwise/contract";
import { useState } from "react";
import { Button } from "../kit/button.tsx";
import { parseWireDateTime } from "../language/format.ts";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { Said, Sentence } from "./audit-sentence.tsx";
import styles from "./audit-timeline.module.css";

/** What of an entry is shown; the address only where it was asked for. */
type Entry = Pick<AuditEntry, "id" | "sentence" | "details" | "createTime"> &
  Partial<Pick<AuditEntry, "remoteAddress">>;

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
              <Button kind="link" aria-expanded={open} onPress={() => setOpen(!open)}>
                {open ? t("收起") : t("{count} 项明细", { count: details.length })}
              </Button>
            )}
            {toPerson && (
              <Button kind="link" onPress={toPerson}>
                {t("这个人做过的")}
              </Button>
            )}
            {onRow && (
              <Button kind="link" onPress={() => onRow(entry)}>
                {t("它的全部改动")}
              </Button>
            )}
            {remoteAddress !== "" && <span className="mut num">{remoteAddress}</span>}
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

/** Entries under the days on which they were written, in Asia/Shanghai. */
export function AuditTimeline<Shown extends Entry>({ entries, heading: Heading, ...links }: TimelineProps<Shown>) {
  const days = Map.groupBy(entries, ({ createTime }) => createTime.slice(0, 10));
  return [...days].map(([day, of]) => (
    <section key={day} className={styles.day} aria-label={day}>
      <Heading className="num">{day}</Heading>
      <ol>
        {of.map((entry) => (
          <Line key={entry.id} entry={entry} {...links} />
        ))}
      </ol>
    </section>
  ));
}
