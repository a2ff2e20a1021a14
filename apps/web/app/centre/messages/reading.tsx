import { messageDetail } from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { TranslatedLine } from "../../shared/language/translated.tsx";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import styles from "./messages.module.css";
import { channelWords, deliveryWords, kindWords } from "./words.ts";

/** A message in full: what it says, where it leads, why it came, where else it went. */
export function Reading({
  id,
  onUnread,
  onRemove,
  onClose,
}: {
  id: string;
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
  const title = (language === "en" && message.titleEn) || t(message.title);
  const content = language === "en" && message.contentEn;
  const other = message.deliveries.filter(({ state }) => state !== "dropped");
  return (
    <article className={styles.read} aria-labelledby="message-title">
      <span className={styles.back}>{back}</span>
      <span className="mut num">
        {message.urgent && (
          <span className="state critical">
            <Mark name="critical" />
            {t("紧急")}{" "}
          </span>
        )}
        {t(name)} · {dayTime(parseWireDateTime(message.createTime))}
      </span>
      <h2 id="message-title">{title}</h2>
      <p>{content || <TranslatedLine text={t(message.content)} />}</p>
      <div className={styles.actions}>
        {message.link !== "" && (
          <Link className="btn primary" to={message.link}>
            {t("去看看")}
          </Link>
        )}
        <Button onPress={onUnread}>{t("设为未读")}</Button>
        <Button kind="danger" onPress={onRemove}>
          {t("删除这条")}
        </Button>
      </div>
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
