import type { DeviceDetail } from "@herdwise/contract";
import type { Channel } from "@herdwise/device-kinds";
import { rejectReasonNames } from "@herdwise/device-kinds/acceptance";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";

/** Readings that were not believed, by channel and reason, with what the newest said: evidence of a broken probe or cable. */
export function RejectedReadings({
  rejected,
  channels,
}: {
  rejected: DeviceDetail["rejected"];
  channels: readonly Channel[];
}) {
  const t = useTranslate();
  const language = useLanguage();
  const { number, dayTime } = useFormats();
  if (rejected.length === 0) return null;
  return (
    <section className="vals-group" aria-label={t("不可信的读数")}>
      <h3>{t("不可信的读数")}</h3>
      <p className="mut">{t("这些读数只留作证据，不计入任何数值、告警和报表。")}</p>
      <dl>
        {rejected.map(({ key, reason, count, lastText, lastAt }) => (
          <div key={`${key} ${reason}`}>
            <dt>
              {channels.find((channel) => channel.key === key)?.name[language] ?? key}
              <small className="mut">
                {rejectReasonNames[reason][language]} · <code>{lastText}</code>
              </small>
            </dt>
            <dd className="num">{t("{count} 次", { count: number(count) })}</dd>
            <dd className="age">{dayTime(parseWireDateTime(lastAt))}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
