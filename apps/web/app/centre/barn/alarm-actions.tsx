import { alarmCall } from "@herdwise/contract";
import { asksNow, knownFor } from "@herdwise/contract/alarm-asking";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { useDuration } from "../../shared/language/use-duration.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNow } from "../../shared/states/use-now.ts";
import { KnownMark } from "../alarms/known-mark.tsx";
import styles from "./barn.module.css";
import type { BarnAlarm } from "./kept.ts";
import type { Barn } from "./use-barn.ts";

/** Quick words: with gloves on nobody types. */
const quickWords = ["看过了", "要人帮忙", "要配件", "已处理"] as const;

function NoteForm({ onNote, onClose }: { onNote: (text: string) => void; onClose: () => void }) {
  const t = useTranslate();
  const [text, setText] = useState("");
  return (
    <form
      className={styles.note}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === "") return;
        onNote(text.trim());
        onClose();
      }}
    >
      <div className={styles.quick}>
        {quickWords.map((word) => (
          <button
            key={word}
            type="button"
            onClick={() => setText((now) => (now === "" ? t(word) : `${now} ${t(word)}`))}
          >
            {t(word)}
          </button>
        ))}
      </div>
      <label>
        <span>{t("记一句")}</span>
        <textarea rows={3} maxLength={500} value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <button type="submit" className={styles.big} disabled={text.trim() === ""}>
        {t("记下")}
      </button>
    </form>
  );
}

interface ActionProps {
  alarm: BarnAlarm;
  barn: Pick<Barn, "act" | "lostAtMs" | "queue">;
  about: string;
  mayHandle: boolean;
}

/** What can be done about an alarm; without a network it waits. */
export function AlarmActions({ alarm, barn, about, mayHandle }: ActionProps) {
  const t = useTranslate();
  const { time } = useFormats();
  const [writing, setWriting] = useState(false);
  const [callee, setCallee] = useState<{ principal: string; contactPhone: string }>();
  const callOut = (): void =>
    void call(alarmCall, { body: { id: alarm.id } }).then(
      (found) => {
        setCallee(found);
        location.assign(`tel:${found.contactPhone}`);
      },
      // A refusal shows as a toast.
      () => undefined,
    );
  const waiting = barn.queue.find(({ type, alarmId }) => type === "acknowledge" && alarmId === alarm.id);
  const now = useNow();
  const duration = useDuration();
  const asks = asksNow(alarm, now);
  const known = alarm.known && !asks && (
    <p className={`${styles.done} ${styles.wide}`}>
      <KnownMark known={alarm.known} />
    </p>
  );
  if (!mayHandle) return known;
  return (
    <>
      <div className={styles.actions}>
        {known || (
          <button
            type="button"
            className={styles.big}
            data-waiting={waiting ? true : undefined}
            disabled={waiting !== undefined}
            onClick={() => barn.act({ type: "acknowledge", alarmId: alarm.id }, about)}
          >
            {waiting ? t("确认排队中") : t("确认，我来处理")}
          </button>
        )}
        {asks && (
          <p className={`${styles.small} ${styles.wide}`}>
            {t("确认后{time}内不再提醒，变严重会再提醒", {
              time: duration(knownFor(alarm.severity, undefined) * 60_000),
            })}
          </p>
        )}
        <button
          type="button"
          className={styles.big}
          data-plain
          aria-expanded={writing}
          onClick={() => setWriting(!writing)}
        >
          {t("记一句")}
        </button>
        <button
          type="button"
          className={styles.big}
          data-plain
          data-wide
          disabled={barn.lostAtMs !== undefined}
          onClick={callOut}
        >
          <Icon name="phone" small />
          {t("呼叫场长")}
        </button>
      </div>
      {callee && (
        <p className={styles.done} role="status">
          <a className="num" href={`tel:${callee.contactPhone}`}>
            {callee.principal} {callee.contactPhone}
          </a>
        </p>
      )}
      {waiting && <p className={styles.small}>{t("{time} 您确认，等网络发出", { time: time(waiting.atMs) })}</p>}
      {writing && (
        <NoteForm
          onNote={(text) => barn.act({ type: "note", alarmId: alarm.id, text }, about)}
          onClose={() => setWriting(false)}
        />
      )}
    </>
  );
}
