import type { WorkOrderEntry, WorkOrderSnapshot } from "@herdwise/contract";
import { Icon, type IconName } from "../icons/icon.tsx";
import { parseWireDateTime } from "../language/format.ts";
import { Translated } from "../language/translated.tsx";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import { Photos } from "./photos.tsx";
import { entryTags, eventLines, repairWord } from "./words.ts";
import styles from "./work-orders.module.css";

const eventIcons: Readonly<Partial<Record<WorkOrderEntry["what"], IconName>>> = {
  urge: "bell",
  receive: "box",
  rate: "star",
  claim: "person",
  assign: "people",
  redirect: "swap",
  arrive: "factory",
  close: "clock",
};

/** Words that the customer does not see, and that they are. */
function InternalNote({ body }: { body: string }) {
  const t = useTranslate();
  return (
    <div className={styles.note}>
      <span className="state minor">
        <Icon name="lock" small />
        {t("内部备注，客户看不到")}
      </span>
      <p className={styles.words}>
        <Translated text={body} />
      </p>
    </div>
  );
}

/** A line without words of somebody: what happened. */
function EventLine({ entry }: { entry: WorkOrderEntry }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { dayTime } = useFormats();
  const { what, name, other, rating, body } = entry;
  const about = what === "redirect" ? t(repairWord(other)) : nameOf(other);
  return (
    <li className={styles.event}>
      <span className={styles.sign}>
        <Icon name={eventIcons[what] ?? "history"} small />
      </span>
      <div>
        <p>{t(eventLines[what] ?? "", { name: nameOf(name), other: about, rating })}</p>
        {body !== "" &&
          (entry.internal ? (
            <InternalNote body={body} />
          ) : (
            <p className={styles.words}>
              <Translated text={body} />
            </p>
          ))}
      </div>
      <time className="age">{dayTime(parseWireDateTime(entry.createTime))}</time>
    </li>
  );
}

/** What was sent, by whom it goes, and under which number. */
function Shipment({ entry }: { entry: WorkOrderEntry }) {
  const t = useTranslate();
  return (
    <div className={styles.shipment}>
      <b>
        <Translated text={entry.items} />
      </b>
      <span className="mut">
        <Translated text={entry.carrier} />
        {entry.tracking !== "" && ` ${t("单号 {number}", { number: entry.tracking })}`}
      </span>
    </div>
  );
}

function Said({ entry }: { entry: WorkOrderEntry }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { dayTime } = useFormats();
  const tag = entryTags[entry.what];
  const name = nameOf(entry.name);
  return (
    <li className={styles.said}>
      <span className={styles.face} data-side={entry.side} aria-hidden="true">
        {[...name][0]}
      </span>
      <div>
        <p className={styles.who}>
          <b>{name}</b>
          <span className="mut">{t(entry.side === "desk" ? "服务台" : "客户")}</span>
          {tag && <span className={`tag ${tag.tone}`}>{t(tag.word)}</span>}
          {entry.minutes > 0 && <span className="mut">{t("{count} 分钟", { count: entry.minutes })}</span>}
        </p>
        {entry.internal ? (
          <InternalNote body={entry.body} />
        ) : (
          entry.body !== "" && (
            <p className={styles.words}>
              <Translated text={entry.body} />
            </p>
          )
        )}
        {entry.items !== "" && <Shipment entry={entry} />}
        <Photos names={entry.photos} />
      </div>
      <time className="age">{dayTime(parseWireDateTime(entry.createTime))}</time>
    </li>
  );
}

/** Everything that was said and done, oldest first. @param talk only what was said */
export function Timeline({
  entries,
  snapshot,
  talk = false,
}: {
  entries: readonly WorkOrderEntry[];
  snapshot: WorkOrderSnapshot | undefined;
  talk?: boolean;
}) {
  const t = useTranslate();
  const shown = talk ? entries.filter(({ what }) => !(what in eventLines)) : entries;
  return (
    <ol className={styles.timeline}>
      {shown.flatMap((entry, index) => [
        entry.what in eventLines ? <EventLine key={entry.id} entry={entry} /> : <Said key={entry.id} entry={entry} />,
        ...(index === 0 && snapshot && !talk
          ? [
              <li key="snapshot" className={styles.event}>
                <span className={styles.sign}>
                  <Icon name="devices" small />
                </span>
                <div>
                  <p>{t("设备自带 24 小时读数、{count} 条告警、固件与模式", { count: snapshot.alarms.length })}</p>
                </div>
              </li>,
            ]
          : []),
      ])}
    </ol>
  );
}
