import {
  type AlarmRoster,
  alarmHandleCode,
  alarmRoster,
  criticalStepMinutes,
  type RosterPerson,
  type UnwokenReason,
} from "@herdwise/contract";
import { useId, useState } from "react";
import { useSearchParams } from "react-router";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Select } from "../../shared/forms/select.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { knownId } from "../../shared/lists/list-address.ts";
import { useLast } from "../../shared/lists/use-last.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { channelNames } from "./channel-names.ts";
import styles from "./roster.module.css";
import { serviceFaults } from "./service-faults.ts";

/** Why somebody is not woken; Chinese, keys of the translations. */
const reasonWords: Readonly<Record<Exclude<UnwokenReason, "">, string>> = {
  "no-phone": "没有验证过的手机",
  "chose-less": "选择了不收短信",
  disabled: "账号已停用",
};

/** By what somebody is told at each step. */
function Steps({ steps }: Pick<RosterPerson, "steps">) {
  const t = useTranslate();
  const join = useJoin();
  const said = criticalStepMinutes.map((_, at) =>
    join(
      (steps.find(({ step }) => step === at + 1)?.channels ?? []).map((channel) => t(channelNames[channel] ?? channel)),
    ),
  );
  return criticalStepMinutes.map((minutes, at) => (
    <td key={minutes} data-step={stepText(t, minutes)}>
      {said[at] === "" ? <span className="mut">--</span> : said[at] === said[at - 1] ? t("再同样通知一次") : said[at]}
    </td>
  ));
}

/** Who somebody is, and why they are not woken. */
function Person({ person: { personName, phone, reason } }: { person: RosterPerson }) {
  const t = useTranslate();
  const nameOf = useNames();
  return (
    <span>
      {nameOf(personName)}
      <small className="age num">{phone || t("没有手机")}</small>
      {reason !== "" && (
        <small className="state major">
          <Mark name="major" />
          {t(reasonWords[reason])}
        </small>
      )}
    </span>
  );
}

const stepText = (t: ReturnType<typeof useTranslate>, minutes: number): string =>
  minutes === 0 ? t("马上") : t("{count} 分钟没人确认", { count: minutes });

/** Those who are told by the same means at each step stand in one row. */
function People({ roster }: { roster: AlarmRoster }) {
  const t = useTranslate();
  if (roster.people.length === 0) return <p className={styles.note}>{t("没有人有权处理告警。")}</p>;
  return (
    <table className={`tbl ${styles.people}`}>
      <thead>
        <tr>
          <th scope="col">{t("人")}</th>
          {criticalStepMinutes.map((minutes) => (
            <th key={minutes} scope="col">
              {stepText(t, minutes)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...Map.groupBy(roster.people, ({ steps, woken }) => JSON.stringify([woken, steps])).entries()].map(
          ([told, people]) => (
            <tr key={told} data-woken={people[0]?.woken || undefined}>
              <th scope="row">
                {people.map((person) => (
                  <Person key={person.accountId} person={person} />
                ))}
              </th>
              <Steps steps={people[0]?.steps ?? []} />
            </tr>
          ),
        )}
      </tbody>
    </table>
  );
}

/** Who would be woken by a critical alarm of a farm now, and why somebody would not. Nothing for who may not handle alarms. */
export function AlarmRosterCard({ newest }: { newest: number }) {
  const t = useTranslate();
  const id = useId();
  const { permissions } = useAccess();
  const [search] = useSearchParams();
  const [farmId, setFarmId] = useState(knownId(search.get("farm")) ?? "");
  const granted = permissions.has(alarmHandleCode);
  const { value, error, reload } = useLoad(granted ? `alarm roster ${farmId} ${newest}` : undefined, (signal) =>
    call(alarmRoster, { query: farmId === "" ? {} : { farmId }, signal, quiet: true }),
  );
  const roster = useLast(value);
  if (!granted) return null;
  const farm = roster?.farms.find((one) => one.farmId === roster.farmId);
  return (
    <section className="card" id="roster" aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{t("今晚谁会被叫醒")}</h2>
        <span className="spacer" />
        {roster && roster.farms.length > 1 && (
          <Select
            className={`input ${styles.farm}`}
            aria-label={t("场区")}
            value={roster.farmId}
            options={roster.farms.map((one) => [one.farmId, one.farmName] as const)}
            onChange={setFarmId}
          />
        )}
      </header>
      {error && <LoadingProblem error={error} onRetry={reload} what={t("谁会被叫醒")} kept={roster !== undefined} />}
      {!roster && !error && <TableSkeleton rows={3} />}
      {roster && (
        <>
          <p className={styles.note}>{t("紧急告警按下面的名单叫人，免打扰时段也叫；有人确认后不再叫别人。")}</p>
          {serviceFaults(roster.services).map((fault) => (
            <p key={fault} className={`state critical ${styles.note}`}>
              <Mark name="critical" />
              {t(fault)}
            </p>
          ))}
          {farm && !farm.woken && (
            <p className={`state critical ${styles.note}`}>
              <Mark name="critical" />
              {t("这个场区的紧急告警叫不醒任何人")}
            </p>
          )}
          {farm ? <People roster={roster} /> : <p className={styles.note}>{t("绑定设备的场区会在这里。")}</p>}
        </>
      )}
    </section>
  );
}
