import { alarmSeverityNames, messageDetail, mostOfThing } from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { severityMarks } from "../../shared/icons/severity-marks.ts";
import { Button } from "../../shared/kit/button.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { WholeValues } from "../../shared/kit/whole-values.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { TranslatedLine } from "../../shared/language/translated.tsx";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import styles from "./messages.module.css";
import { AlarmCourseLines, Standing, StandingAction, useAlarmHead } from "./standing.tsx";
import { useStandings } from "./use-standings.ts";
import { channelWords, deliveryWords, kindWords } from "./words.ts";

/** A message in full: what it says, where it leads, why it came, where else it went. */
export function Reading({
  id,
  onThing,
  onDone,
  onUnread,
  onRemove,
  onClose,
}: {
  id: string;
  /** Told what the message is about. */
  onThing: (thing: string) => void;
  onDone: () => void;
  onUnread: () => void;
  onRemove: () => void;
  onClose: () => void;
}) {
  const t = useTranslate();
  const language = useLanguage();
  const { dayTime } = useFormats();
  const loaded = useQuery({
    queryKey: ["messages", "detail", id],
    queryFn: ({ signal }) => call(messageDetail, { query: { id }, signal, quiet: true }),
    // What waits to be sent goes on by itself.
    refetchInterval: 20_000,
  });
  const message = loaded.data;
  const standing = useStandings([id])?.get(id);
  const head = useAlarmHead(standing);
  const thing = message?.thing;
  useEffect(() => {
    if (thing !== undefined) onThing(thing);
  }, [thing, onThing]);
  const back = (
    <Button icon="left" onPress={onClose}>
      {t("回到列表")}
    </Button>
  );
  if (!message)
    return (
      <div className={styles.read}>
        <span className={styles.back}>{back}</span>
        {loaded.error ? (
          <LoadingProblem error={asApiError(loaded.error)} onRetry={() => void loaded.refetch()} what={t("消息")} />
        ) : (
          <TableSkeleton rows={4} />
        )}
      </div>
    );
  const { name, why } = kindWords[message.kind];
  const title = head?.title ?? ((language === "en" && message.titleEn) || t(message.title));
  const content = language === "en" && message.contentEn;
  const waits = standing !== undefined && (standing.alarms.length > 0 || standing.todo !== undefined);
  const other = message.deliveries.filter(({ state }) => state !== "dropped");
  return (
    <article className={styles.read} aria-labelledby="message-title">
      <span className={styles.back}>{back}</span>
      <span className={`mut num ${styles.about}`}>
        {head ? (
          <span className={`state ${severityMarks[head.severity]}`}>
            <Mark name={severityMarks[head.severity]} />
            {t(alarmSeverityNames[head.severity])}
          </span>
        ) : (
          message.urgent && (
            <span className="state critical">
              <Mark name="critical" />
              {t("紧急")}
            </span>
          )
        )}
        <span>
          {t(name)} · {dayTime(parseWireDateTime(message.createTime))}
        </span>
      </span>
      <h2 id="message-title">
        <WholeValues text={title} />
      </h2>
      <p>{head?.place || content || <TranslatedLine text={t(message.content)} />}</p>
      {standing && (
        <div className={styles.state}>
          <Standing standing={standing} />
        </div>
      )}
      <div className={styles.actions}>
        {standing && waits && <StandingAction standing={standing} link={message.link} onDone={onDone} />}
        {message.link !== "" && (
          <Link className={waits ? "btn" : "btn primary"} to={message.link}>
            {t("去看看")}
          </Link>
        )}
        <Button onPress={onUnread}>{t("设为未读")}</Button>
        <Button kind="danger" onPress={onRemove}>
          {message.course.length > 1 ? t("删除这组") : t("删除这条")}
        </Button>
      </div>
      {standing && standing.course.length > 0 ? (
        <section aria-labelledby="course-title">
          <h3 id="course-title">{t("经过")}</h3>
          <AlarmCourseLines standing={standing} most={mostOfThing} />
        </section>
      ) : (
        message.course.length > 1 && (
          <section aria-labelledby="course-title">
            <h3 id="course-title">{t("这件事还有")}</h3>
            <ol className={styles.course}>
              {message.course.slice(1).map((one) => (
                <li key={one.id}>
                  <time className="num">{dayTime(parseWireDateTime(one.createTime))}</time>
                  <span>
                    <b>{(language === "en" && one.titleEn) || t(one.title)}</b>{" "}
                    {(language === "en" && one.contentEn) || <TranslatedLine text={t(one.content)} />}
                  </span>
                </li>
              ))}
            </ol>
          </section>
        )
      )}
      <dl>
        <div>
          <dt>{t("也发到")}</dt>
          <dd>
            {other.length === 0
              ? t("只在站内")
              : other.map(({ channel, state, atTime }) => (
                  <span key={channel} className={`state ${deliveryWords[state].mark}`}>
                    <Mark name={deliveryWords[state].mark} />
                    {t(channelWords[channel])} {t(deliveryWords[state].word)}{" "}
                    {state !== "failed" && <span className="num">{dayTime(parseWireDateTime(atTime))}</span>}
                  </span>
                ))}
          </dd>
        </div>
        <div>
          <dt>{t("为什么收到")}</dt>
          <dd>
            {t(why)}
            <a className="link" href="#message-settings">
              {t("改")}
            </a>
          </dd>
        </div>
      </dl>
    </article>
  );
}
