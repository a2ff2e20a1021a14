import { type ParameterOutcome, parameterHistory, type ReplyOf } from "@herdwise/contract";
import type { UnitState } from "@herdwise/contract/unit-states";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Button } from "../../shared/kit/button.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Waiting } from "../../shared/states/waiting.tsx";
import { useDeviceSignals } from "./device-signals.ts";
import { useKind } from "./kind-view.ts";
import { NewerOlder } from "./newer-older.tsx";
import { differencesOf } from "./parameter-values.ts";
import { useDifferenceWords } from "./parameter-words.ts";
import styles from "./parameters.module.css";
import { StateMark } from "./state-mark.tsx";

type Change = ReplyOf<typeof parameterHistory>["records"][number];

const outcomeWords: Readonly<Record<ParameterOutcome, readonly [state: UnitState, words: string]>> = {
  pending: ["notice", "等待设备"],
  applied: ["ok", "已生效"],
  refused: ["major", "设备没有采用"],
  expired: ["minor", "已过期撤回"],
  replaced: ["silent", "被后一次改动替代"],
  "": ["silent", "结果没有记录"],
};

/** Differences that an entry shows before it counts the rest. */
const shownDifferences = 3;
const size = 20;

/** Changes that were sent together. */
const togetherOf = (records: readonly Change[]): Change[][] => [
  ...Map.groupBy(records, ({ createTime, actorName }) => `${createTime} ${actorName}`).values(),
];

/** Who changed what and when, what became of it, and the way back. */
export function SettingHistory({
  deviceId,
  onRestore,
}: {
  deviceId: string;
  /** Puts values of before into the form; without it nobody may. */
  onRestore: ((values: Readonly<Record<string, unknown>>) => void) | undefined;
}) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const words = useDifferenceWords();
  const { kind } = useKind();
  const [current, setCurrent] = useState(1);
  const { value, error, reload } = useLoad(`setting history ${deviceId} ${current}`, (signal) =>
    call(parameterHistory, { query: { id: deviceId, current, size }, signal, quiet: true }),
  );
  useDeviceSignals(deviceId, ({ type }) => type === "parameter" && reload());
  const entries = togetherOf(value?.records ?? []);
  return (
    <section className="card" aria-labelledby="setting-history-title">
      <header>
        <h2 id="setting-history-title">{t("历史")}</h2>
      </header>
      {error && <LoadingProblem error={error} onRetry={reload} what={t("历史")} kept={value !== undefined} />}
      {!value && !error && <Waiting />}
      {value && entries.length === 0 && <p className="calm">{t("还没有人改过这台设备的参数。")}</p>}
      <ul className={styles.entries}>
        {entries.map((changes) => {
          const [first] = changes;
          if (!first) return null;
          const lines = changes.flatMap((change) => {
            const parameter = kind.parameters.find(({ key }) => key === change.key);
            if (!parameter) return [];
            return differencesOf(parameter, change.before ?? undefined, change.after ?? undefined).map(
              (difference) => ({
                key: `${change.id} ${difference.row ?? ""} ${difference.column}`,
                ...words(parameter, difference),
              }),
            );
          });
          const [state, name] = outcomeWords[first.outcome];
          return (
            <li key={first.id}>
              <div>
                {lines.slice(0, shownDifferences).map(({ key, name: what, before, after }) => (
                  <p key={key}>
                    {what} <b className="num">{`${before} → ${after}`}</b>
                  </p>
                ))}
                {lines.length > shownDifferences && (
                  <p className="mut">{t("还有 {count} 处", { count: lines.length - shownDifferences })}</p>
                )}
                <small className="mut">
                  {`${first.actorName} ${dayTime(parseWireDateTime(first.createTime))}`.trim()}
                </small>
                <StateMark state={state}>{t(name)}</StateMark>
              </div>
              {onRestore && (
                <Button
                  small
                  icon="undo"
                  onPress={() => onRestore(Object.fromEntries(changes.map(({ key, before }) => [key, before])))}
                >
                  {t("恢复到这次之前")}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {value && <NewerOlder current={current} pages={value.pages} onChange={setCurrent} />}
    </section>
  );
}
