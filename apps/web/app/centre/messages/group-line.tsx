import { alarmSeverityNames, type MessageGroup, type MessageStanding } from "@herdwise/contract";
import { Icon } from "../../shared/icons/icon.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { severityMarks } from "../../shared/icons/severity-marks.ts";
import { CheckBox } from "../../shared/kit/check-box.tsx";
import { WholeValues } from "../../shared/kit/whole-values.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { TranslatedLine } from "../../shared/language/translated.tsx";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useCourseText } from "../alarms/course-words.ts";
import styles from "./messages.module.css";
import { Standing, StandingAction, useAlarmHead } from "./standing.tsx";
import { kindWords } from "./words.ts";

interface LineProps {
  group: MessageGroup;
  standing: MessageStanding | undefined;
  /** Its alarm is one of those that another row tells together. */
  isInOther: boolean;
  open: boolean;
  chosen: boolean;
  onChoose: () => void;
  onOpen: () => void;
  onRead: () => void;
  onDone: () => void;
}

/** Newest steps of the course that a row names. */
const mostSteps = 3;

/**
 * What changed, in one line: of one alarm its newest steps; of several how many took which step when, without that they were
 * raised.
 */
function Steps({ standing }: { standing: MessageStanding }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const textOf = useCourseText();
  const isOne = standing.alarms.length === 1;
  const told = isOne ? standing.course : standing.course.filter(({ action }) => action !== "raise");
  const steps = [
    ...Map.groupBy(told, (line) =>
      isOne ? `${line.action} ${line.atMs}` : `${line.action} ${line.body} ${dayTime(line.atMs)}`,
    ).values(),
  ];
  if (told.length < 2) return null;
  return (
    <ol className={styles.steps} data-one={isOne || undefined}>
      {steps.slice(-mostSteps).map(([first, ...others]) =>
        first === undefined ? null : (
          <li key={`${first.alarmId} ${first.action} ${first.atMs}`}>
            <time className="num">{dayTime(first.atMs)}</time>{" "}
            {isOne ? textOf(first) : t("{count} 条{what}", { count: others.length + 1, what: textOf(first) })}
          </li>
        ),
      )}
    </ol>
  );
}

/** Messages about one thing: the newest sentence, what changed, where it stands, and what it waits for. */
export function GroupLine({ group, standing, isInOther, open, chosen, onChoose, onOpen, onRead, onDone }: LineProps) {
  const t = useTranslate();
  const language = useLanguage();
  const { dayTime } = useFormats();
  const head = useAlarmHead(standing);
  const title = head?.title ?? ((language === "en" && group.titleEn) || t(group.title));
  const content = language === "en" && group.contentEn;
  const { count, unread } = group;
  const firstMs = parseWireDateTime(group.firstTime) ?? 0;
  return (
    <li data-unread={unread > 0 || undefined} data-open={open || undefined}>
      <label className="tap">
        <CheckBox aria-label={t("选择“{title}”", { title })} checked={chosen} onChange={onChoose} />
      </label>
      <button type="button" className={styles.open} aria-current={open || undefined} onClick={onOpen}>
        <span className="num">
          {head ? (
            <span className={`state ${severityMarks[head.severity]}`}>
              <Mark name={severityMarks[head.severity]} />
              {t(alarmSeverityNames[head.severity])}
            </span>
          ) : (
            <>
              <Icon name={kindWords[group.kind].icon} small />
              <span>{t(kindWords[group.kind].name)}</span>
            </>
          )}
          <span>{dayTime(parseWireDateTime(group.createTime))}</span>
          {unread > 0 && (
            <span className="tag notice">{count > 1 ? t("{count} 条未读", { count: unread }) : t("未读")}</span>
          )}
        </span>
        <b>
          <WholeValues text={title} />
        </b>
        <span>{head?.place || content || <TranslatedLine text={t(group.content)} />}</span>
        {count > 1 && (
          <span className={`num ${styles.many}`}>
            {t("共 {count} 条，{time} 起", { count, time: dayTime(Math.min(firstMs, head?.sinceMs ?? firstMs)) })}
          </span>
        )}
      </button>
      {unread > 0 && (
        <button type="button" className="icon-button" aria-label={t("将“{title}”标为已读", { title })} onClick={onRead}>
          <Icon name="check" small />
        </button>
      )}
      {standing && (
        <div className={styles.now}>
          <Steps standing={standing} />
          <div className={styles.state}>
            <Standing standing={standing} />
            {isInOther ? (
              <span className="mut">{t("也在几条告警合成的那组里，在那里确认")}</span>
            ) : (
              <span className={styles.act}>
                <StandingAction calm standing={standing} link={group.link} onDone={onDone} />
              </span>
            )}
          </div>
        </div>
      )}
    </li>
  );
}
