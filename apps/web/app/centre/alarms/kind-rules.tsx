import {
  type AlarmRuleVersion,
  type AlarmSeverity,
  alarmRuleCode,
  alarmRuleHistory,
  alarmRuleList,
  alarmRuleRemove,
  alarmRuleSubmit,
  alarmSeverityNames,
  type DeviceKindId,
} from "@herdwise/contract";
import { type AlarmRule, deviceKinds, ruleThresholds, withThresholds } from "@herdwise/device-kinds";
import { useId, useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Problem } from "../../shared/forms/problem.tsx";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { Select } from "../../shared/forms/select.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { severityMarks } from "../../shared/icons/severity-marks.ts";
import { Button } from "../../shared/kit/button.tsx";
import { Drawer } from "../../shared/kit/drawer.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { known, useListAddress } from "../../shared/lists/list-address.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { useLocalText } from "../kind/kind-view.ts";
import { severityOptions } from "./alarm-marks.ts";
import { ruleGroups } from "./rule-groups.ts";
import { type RulePlace, RulePlaceSelect, useRulePlaceName, useRulePlaces } from "./rule-place.tsx";
import { RuleTrial } from "./rule-trial.tsx";
import { useRuleWords } from "./rule-words.ts";
import styles from "./rules.module.css";

const kinds = Object.values(deviceKinds).toSorted((a, b) => a.sort - b.sort);
const kindIds = kinds.map(({ kind }) => kind);
const offline = "offline";

/** Severity with its mark. */
export function RuleSeverity({ severity }: { severity: AlarmSeverity }) {
  const t = useTranslate();
  return (
    <span className={`state ${severityMarks[severity]}`}>
      <Mark name={severityMarks[severity]} />
      {t(alarmSeverityNames[severity])}
    </span>
  );
}

/** Who changed what of a rule, and when. */
function History({
  kind,
  ruleId,
  placeName,
}: {
  kind: DeviceKindId;
  ruleId: string;
  placeName: (place: RulePlace) => string;
}) {
  const t = useTranslate();
  const { dateTime } = useFormats();
  const { seconds } = useRuleWords(kind);
  const { value, error, reload } = useLoad(`rule history ${kind} ${ruleId}`, (signal) =>
    call(alarmRuleHistory, { query: { kind, ruleId }, signal, quiet: true }),
  );
  if (error) return <LoadingProblem error={error} onRetry={reload} what={t("修改记录")} />;
  if (!value || value.length === 0) return <p className="mut">{t(value ? "还没有改过" : "正在加载")}</p>;
  const told = ({ removed, enabled, severity, raiseAfterS, thresholds }: AlarmRuleVersion): string => {
    if (removed) return t("恢复默认");
    if (!enabled) return t("停用");
    return [
      ...(severity ? [t(alarmSeverityNames[severity])] : []),
      ...(raiseAfterS === undefined ? [] : [t("持续 {time}", { time: seconds(raiseAfterS) })]),
      ...Object.values(thresholds).map(String),
    ].join(" · ");
  };
  return (
    <ul className={styles.history}>
      {value.map((version) => (
        <li key={version.id}>
          <span className="num mut">{dateTime(version.atMs)}</span>
          <span>
            <Translated text={placeName(version)} /> · {told(version)}
          </span>
          <span className="mut">{version.personName}</span>
        </li>
      ))}
    </ul>
  );
}

interface EditorProps {
  kind: DeviceKindId;
  rule: AlarmRule;
  held: readonly AlarmRuleVersion[];
  onClose: () => void;
  onSaved: () => void;
}

/** A rule of a kind at a place: switched on or off, its severity, duration and numbers, tried before it is saved. */
function Editor({ kind, rule, held, onClose, onSaved }: EditorProps) {
  const t = useTranslate();
  const local = useLocalText();
  const id = useId();
  const places = useRulePlaces(kind);
  const placeName = useRulePlaceName(places);
  const words = useRuleWords(kind);
  const mayEdit = useAccess().permissions.has(alarmRuleCode);
  const declared = ruleThresholds(rule);
  const [place, setPlace] = useState<RulePlace>({ scope: "tenant", scopeId: "0" });
  const at = (of: RulePlace) => held.find(({ scope, scopeId }) => scope === of.scope && scopeId === of.scopeId);
  const draftOf = (version: AlarmRuleVersion | undefined) => ({
    enabled: version?.enabled ?? true,
    severity: version?.severity ?? rule.severity,
    minutes: String((version?.raiseAfterS ?? rule.raiseAfterS) / 60),
    numbers: Object.fromEntries(declared.map(({ id: key, value }) => [key, String(version?.thresholds[key] ?? value)])),
  });
  const [draft, setDraft] = useState(() => draftOf(at(place)));
  const present = at(place);
  const thresholds = Object.fromEntries(
    declared.flatMap(({ id: key, value }) => {
      const typed = Number(draft.numbers[key]);
      return Number.isFinite(typed) && typed !== value ? [[key, typed]] : [];
    }),
  );
  const raiseAfterS = Math.round(Number(draft.minutes) * 60);
  const isComplete =
    draft.minutes.trim() !== "" &&
    Number.isFinite(raiseAfterS) &&
    raiseAfterS >= 0 &&
    declared.every(({ id: key }) => draft.numbers[key]?.trim() !== "" && Number.isFinite(Number(draft.numbers[key])));
  const body = {
    ...place,
    kind,
    ruleId: rule.id,
    enabled: draft.enabled,
    ...(draft.severity !== rule.severity && { severity: draft.severity }),
    ...(raiseAfterS !== rule.raiseAfterS && { raiseAfterS }),
    thresholds,
  };
  const choose = (next: RulePlace): void => {
    setPlace(next);
    setDraft(draftOf(at(next)));
  };
  const { form, busy, refused, problems, mend, submit } = useSubmission<HTMLDivElement>();
  const save = async (): Promise<void> => {
    if (await submit(() => call(alarmRuleSubmit, { body, quiet: true }))) onSaved();
  };
  const reset = async (): Promise<void> => {
    const taken = { ...place, kind, ruleId: rule.id };
    if (await submit(() => call(alarmRuleRemove, { body: taken, quiet: true }))) onSaved();
  };
  const isUnchanged = JSON.stringify(draft) === JSON.stringify(draftOf(present));
  return (
    <Drawer
      title={local(rule.name)}
      note={<RuleSeverity severity={rule.severity} />}
      onClose={onClose}
      footer={
        mayEdit && (
          <>
            {present && (
              <Button isDisabled={busy} onPress={() => void reset()}>
                {t("恢复默认")}
              </Button>
            )}
            <Refusal text={refused} />
            <span className="spacer" />
            <Button kind="primary" isDisabled={!isComplete || isUnchanged || busy} onPress={() => void save()}>
              {t("保存")}
            </Button>
          </>
        )
      }
    >
      <div className={styles.editor} ref={form}>
        <p>{words.condition(withThresholds(rule, thresholds).condition)}</p>
        <p className="mut">{local(rule.sourceNote)}</p>
        <div className={styles.fields}>
          <div className={styles.wide}>
            <label htmlFor={`${id}-place`}>{t("用在哪里")}</label>
            <RulePlaceSelect id={`${id}-place`} places={places} value={place} onChange={choose} />
          </div>
          <label className={styles.check}>
            <input
              type="checkbox"
              checked={draft.enabled}
              disabled={!mayEdit || rule.safety}
              onChange={({ target }) => setDraft({ ...draft, enabled: target.checked })}
            />
            <span>{t(rule.safety ? "安全类告警不能停用" : "启用")}</span>
          </label>
          <div>
            <label htmlFor={`${id}-severity`}>{t("级别")}</label>
            <Select
              id={`${id}-severity`}
              disabled={!mayEdit}
              value={draft.severity}
              options={severityOptions}
              onChange={(severity) => setDraft({ ...draft, severity })}
            />
          </div>
          <div>
            <label htmlFor={`${id}-minutes`}>{t("持续多久才告警（分钟）")}</label>
            <input
              id={`${id}-minutes`}
              className="input num"
              inputMode="decimal"
              readOnly={!mayEdit}
              value={draft.minutes}
              onChange={({ target }) => setDraft({ ...draft, minutes: target.value })}
            />
          </div>
          {declared.map((threshold) => (
            <div key={threshold.id}>
              <label htmlFor={`${id}-${threshold.id}`}>
                {words.threshold(threshold)}
                {threshold.op !== "parameter" && words.unitOf(threshold.of) && ` (${words.unitOf(threshold.of)})`}
              </label>
              <input
                id={`${id}-${threshold.id}`}
                className="input num"
                inputMode="decimal"
                readOnly={!mayEdit}
                value={draft.numbers[threshold.id] ?? ""}
                aria-invalid={problems[`thresholds.${threshold.id}`] !== undefined}
                aria-describedby={`${id}-${threshold.id}-problem`}
                onChange={({ target }) => {
                  mend(`thresholds.${threshold.id}`);
                  setDraft({ ...draft, numbers: { ...draft.numbers, [threshold.id]: target.value } });
                }}
              />
              <small className="mut">{t("默认 {value}", { value: threshold.value })}</small>
              <Problem id={`${id}-${threshold.id}-problem`} text={problems[`thresholds.${threshold.id}`]} />
            </div>
          ))}
        </div>
        {mayEdit && rule.id !== offline && isComplete && (
          <RuleTrial body={{ ...place, kind, ruleId: rule.id, thresholds, raiseAfterS }} />
        )}
        <h3>{t("修改记录")}</h3>
        <History kind={kind} ruleId={rule.id} placeName={placeName} />
      </div>
    </Drawer>
  );
}

interface RuleLineProps {
  rule: AlarmRule;
  /** What was changed of it here. */
  held: readonly AlarmRuleVersion[];
  words: ReturnType<typeof useRuleWords>;
  onOpen: () => void;
}

/** A rule as it holds here: how bad, when, and where it was changed. */
function RuleLine({ rule, held, words, onOpen }: RuleLineProps) {
  const t = useTranslate();
  const local = useLocalText();
  const everywhere = held.find(({ scope }) => scope === "tenant");
  const now = withThresholds(rule, everywhere?.thresholds ?? {});
  const raiseAfterS = everywhere?.raiseAfterS ?? rule.raiseAfterS;
  return (
    <li>
      <button type="button" className={styles.name} onClick={onOpen}>
        {local(rule.name)}
      </button>
      <RuleSeverity severity={everywhere?.severity ?? rule.severity} />
      <span className={styles.says}>
        {words.condition(now.condition)}
        {raiseAfterS > 0 && <span className="mut"> · {t("持续 {time}", { time: words.seconds(raiseAfterS) })}</span>}
      </span>
      <span className={styles.tags}>
        {everywhere?.enabled === false && <span className="tag">{t("停用")}</span>}
        {held.length > 0 && <span className="tag">{t("改过 {count} 处", { count: held.length })}</span>}
        {rule.safety && <span className="tag">{t("安全类")}</span>}
      </span>
    </li>
  );
}

/** The rules that the kinds declare, with what was changed of them here. */
export function KindRules() {
  const t = useTranslate();
  const local = useLocalText();
  const [search, change] = useListAddress("rule");
  const kindId = known(search.get("kind"), kindIds) ?? "environment";
  const kind = deviceKinds[kindId];
  const words = useRuleWords(kindId);
  const { value, error, reload } = useLoad(`alarm rules ${kindId}`, (signal) =>
    call(alarmRuleList, { query: { kind: kindId }, signal, quiet: true }),
  );
  const word = search.get("q") ?? "";
  const sought = word.trim().toLowerCase();
  const rules = kind.alarmRules.filter(({ name, condition }) =>
    [local(name), words.condition(condition)].some((text) => text.toLowerCase().includes(sought)),
  );
  const open = kind.alarmRules.find(({ id }) => id === search.get("rule"));
  const close = (): void => change({ rule: undefined });
  return (
    <div className={styles.beside}>
      <section className="card" aria-label={t("各类设备的规则")}>
        <p className={styles.bar}>
          <label htmlFor="rule-kind">{t("设备类型")}</label>
          <Select
            id="rule-kind"
            value={kindId}
            options={kinds.map((one) => [one.kind, local(one.name)] as const)}
            onChange={(chosen) => change({ kind: chosen, q: undefined })}
          />
          <input
            className="input"
            type="search"
            aria-label={t("查找规则")}
            placeholder={t("查找规则")}
            value={word}
            onChange={({ target }) => change({ q: target.value === "" ? undefined : target.value })}
          />
          <span className="mut">{t("{count} 条规则", { count: rules.length })}</span>
        </p>
        {error && <LoadingProblem error={error} onRetry={reload} what={t("告警规则")} kept={value !== undefined} />}
        {!value && !error && <TableSkeleton rows={8} />}
        {value && rules.length === 0 && <p className={styles.empty}>{t("没有符合条件的规则")}</p>}
        {value && rules.length > 0 && (
          <div className={styles.heads} aria-hidden="true">
            <span>{t("规则")}</span>
            <span>{t("级别")}</span>
            <span>{t("什么时候告警")}</span>
          </div>
        )}
        {value &&
          ruleGroups(kind, rules).map(({ section, rules: of }) => (
            <section key={section?.id ?? ""} className={styles.group}>
              <h2>{section ? local(section) : t("事件")}</h2>
              <ul className={styles.rules}>
                {of.map((rule) => (
                  <RuleLine
                    key={rule.id}
                    rule={rule}
                    held={value.filter(({ ruleId }) => ruleId === rule.id)}
                    words={words}
                    onOpen={() => change({ rule: rule.id })}
                  />
                ))}
              </ul>
            </section>
          ))}
      </section>
      {open && value && (
        <Editor
          key={`${kindId} ${open.id}`}
          kind={kindId}
          rule={open}
          held={value.filter(({ ruleId }) => ruleId === open.id)}
          onClose={close}
          onSaved={() => {
            close();
            reload();
          }}
        />
      )}
    </div>
  );
}
