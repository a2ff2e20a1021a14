import {
  type AlarmStanding,
  alarmAcknowledge,
  alarmHandleCode,
  alarmSeverities,
  type Contract,
  type MessageStanding,
  type WorkOrderState,
} from "@herdwise/contract";
import { asksNow } from "@herdwise/contract/alarm-asking";
import type { StateFace } from "@herdwise/contract/resource";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { stateWords as contractWords } from "../../shared/contracts/words.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { severityMarks } from "../../shared/icons/severity-marks.ts";
import { Button } from "../../shared/kit/button.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { useNow } from "../../shared/states/use-now.ts";
import { stateWords as orderWords } from "../../shared/work-orders/words.ts";
import { resolutionNames, stateNames, useCourseText } from "../alarms/course-words.ts";
import { KnownMark } from "../alarms/known-mark.tsx";
import { shortName } from "../farms/short-name.ts";
import { todoWords } from "../todos/todo-words.ts";
import styles from "./messages.module.css";

/** The alarms of a thing that ask for somebody, and those whose condition holds. */
function useAsking(alarms: readonly AlarmStanding[]) {
  const now = useNow();
  return {
    asking: alarms.filter((alarm) => asksNow(alarm, now)),
    open: alarms.filter(({ state }) => state === "open"),
  };
}

/** One alarm: whether it asks, is known, or is over. */
function OneAlarm({ alarm }: { alarm: AlarmStanding }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const { asking } = useAsking([alarm]);
  if (asking.length > 0)
    return (
      <span className={`state ${severityMarks[alarm.severity]}`}>
        <Mark name={severityMarks[alarm.severity]} />
        {alarm.nextStepMs === undefined
          ? t("现在没人接手")
          : t("现在没人接手，{time} 升级", { time: dayTime(alarm.nextStepMs) })}
      </span>
    );
  if (alarm.state === "open" && alarm.known) return <KnownMark known={alarm.known} />;
  const word = resolutionNames[alarm.resolution as keyof typeof resolutionNames] ?? stateNames[alarm.state];
  return (
    <span className={alarm.endedMs === undefined ? "state off" : "state ok"}>
      <Mark name={alarm.endedMs === undefined ? "off" : "ok"} />
      {t(word)}
      {alarm.endedMs !== undefined && <span className="num"> {dayTime(alarm.endedMs)}</span>}
    </span>
  );
}

/** Several alarms: how many ask, are known, and are over. */
function SeveralAlarms({ alarms }: { alarms: readonly AlarmStanding[] }) {
  const t = useTranslate();
  const { asking, open } = useAsking(alarms);
  const [worst] = asking;
  const known = open.length - asking.length;
  const over = alarms.length - open.length;
  return (
    <>
      {worst && (
        <span className={`state ${severityMarks[worst.severity]}`}>
          <Mark name={severityMarks[worst.severity]} />
          {t("{count} 条没人接手", { count: asking.length })}
        </span>
      )}
      {known > 0 && (
        <span className="state aside">
          <Mark name="aside" />
          {t("{count} 条已知", { count: known })}
        </span>
      )}
      {over > 0 && (
        <span className="state ok">
          <Mark name="ok" />
          {t("{count} 条已恢复", { count: over })}
        </span>
      )}
    </>
  );
}

function faceOf({ process, state, word, mark }: NonNullable<MessageStanding["row"]>): StateFace | undefined {
  if (process === "work_order") return orderWords[state as WorkOrderState];
  if (process === "contract") return contractWords[state as Contract["state"]];
  return word === "" ? undefined : { word, mark: mark as StateFace["mark"] };
}

/** What happened and where, of a message about alarms, with its level and its earliest event; nothing for another one. */
export function useAlarmHead(standing: MessageStanding | undefined) {
  const t = useTranslate();
  const language = useLanguage();
  const nameOf = useNames();
  const join = useJoin();
  const alarms = standing?.alarms ?? [];
  const [first] = alarms;
  if (first === undefined) return undefined;
  const { farmName, houseName, unitName, deviceName } = first;
  const isOne = alarms.length === 1;
  const names = isOne
    ? [farmName, houseName, unitName, unitName === "" ? deviceName : ""]
    : [...new Set(alarms.map((alarm) => alarm.farmName))];
  const whole = names.filter((name) => name !== "").map(nameOf);
  // A name may begin with those of the places above it.
  const placed = isOne ? whole.map((name, at) => shortName(name, whole.slice(0, at))) : whole;
  const severity = alarmSeverities.findLast((one) => alarms.some((alarm) => alarm.severity === one)) ?? first.severity;
  const worst = alarms.find((alarm) => alarm.severity === severity) ?? first;
  return {
    severity,
    title: isOne
      ? first.sentence[language]
      : t("{count} 条告警，最重的：{what}", { count: alarms.length, what: worst.sentence[language] }),
    place: isOne ? placed.join(" / ") : join(placed),
    sinceMs: Math.min(...alarms.map(({ raisedMs }) => raisedMs)),
  };
}

/** Where the thing of a message stands now. */
export function Standing({ standing }: { standing: MessageStanding }) {
  const t = useTranslate();
  const { alarms, row, todo } = standing;
  const [first] = alarms;
  if (first) return alarms.length === 1 ? <OneAlarm alarm={first} /> : <SeveralAlarms alarms={alarms} />;
  if (todo) {
    const { word } = todoWords[todo.kind];
    const text = typeof word === "string" ? word : word[todo.variant];
    if (text) return <StateTag word={text} mark="minor" plain />;
  }
  const face = row && faceOf(row);
  return face ? (
    <span>
      <span className="mut">{t("现在")} </span>
      <StateTag word={face.word} mark={face.mark} plain />
    </span>
  ) : null;
}

/** What the thing of a message waits for from this person, done here or opened where it is done. */
export function StandingAction({
  standing,
  link,
  calm = false,
  onDone,
}: {
  standing: MessageStanding;
  link: string;
  /** One of many, so it does not stand out, and its steps are behind the row. */
  calm?: boolean;
  onDone: () => void;
}) {
  const t = useTranslate();
  const { permissions } = useAccess();
  const { asking } = useAsking(standing.alarms);
  if (asking.length > 0 && permissions.has(alarmHandleCode))
    return (
      <>
        <Button
          small={calm}
          {...(!calm && { kind: "primary" as const })}
          icon="check"
          onPress={() => {
            const ids = asking.map(({ id }) => id).join();
            // A refusal shows as a toast.
            void call(alarmAcknowledge, { body: { ids } }).then(onDone, onDone);
          }}
        >
          {t("确认，我来")}
        </Button>
        {!calm && (
          <Link className="btn" to={link}>
            {t("看处理步骤")}
          </Link>
        )}
      </>
    );
  if (standing.todo)
    return (
      <Link className={calm ? "btn small" : "btn primary"} to={link}>
        {t(todoWords[standing.todo.kind].action)}
      </Link>
    );
  return null;
}

/** What happened to the alarms of a thing, the oldest first. @param most newest lines alone */
export function AlarmCourseLines({ standing, most }: { standing: MessageStanding; most: number }) {
  const textOf = useCourseText();
  const language = useLanguage();
  const nameOf = useNames();
  const { dayTime } = useFormats();
  const { alarms, course } = standing;
  const sentences = new Map(alarms.map(({ id, sentence }) => [id, sentence[language]]));
  return (
    <ol className={styles.course}>
      {course.slice(-most).map((line) => (
        <li key={`${line.alarmId} ${line.action} ${line.atMs}`}>
          <time className="num">{dayTime(line.atMs)}</time>
          <span>
            {line.personName !== "" && <b>{nameOf(line.personName)} </b>}
            {textOf(line)}
            {alarms.length > 1 && <small className="mut"> {sentences.get(line.alarmId)}</small>}
          </span>
        </li>
      ))}
    </ol>
  );
}
