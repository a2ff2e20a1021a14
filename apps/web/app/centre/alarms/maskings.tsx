import {
  alarmMaskingList,
  alarmMaskingRemove,
  alarmMaskingSubmit,
  alarmRuleCode,
  alarmRuleScopes,
} from "@herdwise/contract";
import { useId, useState } from "react";
import { useSearchParams } from "react-router";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Select } from "../../shared/forms/select.tsx";
import { Icon } from "../../shared/icons/icon.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { knownId } from "../../shared/lists/list-address.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { type RulePlace, RulePlaceSelect, useRulePlaceName, useRulePlaces } from "./rule-place.tsx";
import styles from "./rules.module.css";

/** Lengths of a window, minutes; the longest that the server takes is a day. */
const lengths = [30, 60, 120, 240, 480, 1440] as const;
const leastReason = 2;

/** A place that an address names, as the actions of an alarm do; undefined for none. */
function placeFrom(text: string): RulePlace | undefined {
  const [scope, scopeId = ""] = text.split("/");
  const known = alarmRuleScopes.find((one) => one === scope);
  return known === undefined || knownId(scopeId) === undefined ? undefined : { scope: known, scopeId };
}

/** Times in which alarms of a place are kept as records and shown to nobody. */
export function Maskings() {
  const t = useTranslate();
  const id = useId();
  const { dateTime } = useFormats();
  const mayEdit = useAccess().permissions.has(alarmRuleCode);
  const places = useRulePlaces(undefined);
  const placeName = useRulePlaceName(places);
  const { value, error, reload } = useLoad("maskings", (signal) => call(alarmMaskingList, { signal, quiet: true }));
  const [search] = useSearchParams();
  const [place, setPlace] = useState(() => placeFrom(search.get("place") ?? ""));
  const [minutes, setMinutes] = useState<number>(60);
  const [reason, setReason] = useState("");
  const [farm] = places.farms;
  const chosen = place ?? (farm && { scope: "farm" as const, scopeId: farm.id });
  const mask = async (): Promise<void> => {
    if (chosen === undefined) return;
    await call(alarmMaskingSubmit, { body: { ...chosen, minutes, reason: reason.trim() } }).then(
      () => {
        setReason("");
        reload();
      },
      // A refusal shows as a toast.
      () => undefined,
    );
  };
  const unmask = async (maskingId: string): Promise<void> => {
    await call(alarmMaskingRemove, { body: { id: maskingId } }).then(reload, () => undefined);
  };
  return (
    <section className="card" aria-label={t("屏蔽")}>
      <p className={styles.bar}>
        <span className="mut">
          {t("屏蔽期间告警只留记录，不提醒任何人；安全类告警照常显示。开始屏蔽时会告诉所有能处理告警的人。")}
        </span>
      </p>
      {mayEdit && chosen && (
        <div className={`${styles.fields} ${styles.mask}`}>
          <div>
            <label htmlFor={`${id}-place`}>{t("屏蔽哪里")}</label>
            <RulePlaceSelect id={`${id}-place`} places={places} value={chosen} onChange={setPlace} without="tenant" />
          </div>
          <div>
            <label htmlFor={`${id}-minutes`}>{t("多长时间")}</label>
            <Select
              id={`${id}-minutes`}
              value={minutes}
              options={lengths.map(
                (length) =>
                  [
                    length,
                    length < 60 ? t("{count} 分钟", { count: length }) : t("{count} 小时", { count: length / 60 }),
                  ] as const,
              )}
              onChange={setMinutes}
            />
          </div>
          <div className={styles.wide}>
            <label htmlFor={`${id}-reason`}>{t("原因")}</label>
            <input
              id={`${id}-reason`}
              className="input"
              maxLength={200}
              placeholder={t("例如：检修风机")}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
            />
          </div>
          <p>
            <Button kind="primary" isDisabled={reason.trim().length < leastReason} onPress={() => void mask()}>
              {t("开始屏蔽")}
            </Button>
          </p>
        </div>
      )}
      {error && <LoadingProblem error={error} onRetry={reload} what={t("屏蔽")} kept={value !== undefined} />}
      {!value && !error && <TableSkeleton rows={3} />}
      {value?.length === 0 && (
        <p className={styles.empty}>
          <Icon name="bell" />
          <span>{t("现在没有屏蔽，所有告警照常提醒。")}</span>
        </p>
      )}
      {value && value.length > 0 && (
        <ul className={styles.rules}>
          {value.map((window) => (
            <li key={window.id}>
              <b>
                <Translated text={placeName(window)} />
              </b>
              <span className="num">
                {dateTime(window.startMs)} – {dateTime(window.endMs)}
              </span>
              <span className={styles.says}>
                {window.reason} <span className="mut">{window.personName}</span>
              </span>
              <span className={styles.tags}>
                {mayEdit && (
                  <Button small onPress={() => void unmask(window.id)}>
                    {t("现在结束")}
                  </Button>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
