import {
  type AlarmSeverity,
  alarmRuleCode,
  alarmSeverityNames,
  type BodyOf,
  type DeviceKindId,
  type OwnAlarmRule,
  type OwnAlarmRuleVersion,
  ownAlarmRuleHistory,
  ownAlarmRuleList,
  ownAlarmRuleRemove,
  ownAlarmRuleSubmit,
} from "@herdwise/contract";
import {
  type Comparison,
  deviceKinds,
  mostOwnRuleParts,
  type OwnRulePart,
  ownRuleProblems,
  ownRuleValues,
} from "@herdwise/device-kinds";
import { useId, useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Button, IconButton } from "../../shared/kit/button.tsx";
import { ConfirmDialog } from "../../shared/kit/dialog.tsx";
import { Drawer } from "../../shared/kit/drawer.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useListAddress } from "../../shared/lists/list-address.ts";
import { WaitingRows } from "../../shared/lists/waiting-rows.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { useLocalText } from "../kind/kind-view.ts";
import { severityOrder } from "./alarm-marks.ts";
import { RuleSeverity } from "./kind-rules.tsx";
import { RulePlaceSelect, useRulePlaceName, useRulePlaces } from "./rule-place.tsx";
import { RuleTrial } from "./rule-trial.tsx";
import { comparisonSigns, useRuleWords } from "./rule-words.ts";
import styles from "./rules.module.css";

type Draft = BodyOf<typeof ownAlarmRuleSubmit>;
const kinds = Object.values(deviceKinds).toSorted((a, b) => a.sort - b.sort);
const partNames: Readonly<Record<OwnRulePart["type"], string>> = {
  compare: "数值",
  change: "变化",
  absent: "没有数据",
  during: "时段",
};
const partTypes = Object.keys(partNames) as OwnRulePart["type"][];

const firstPart = (kind: DeviceKindId): OwnRulePart => {
  const value = ownRuleValues(deviceKinds[kind]).find(({ type }) => type === "number");
  return { type: "compare", key: value?.key ?? "", op: "gt", value: value?.valid?.[1] ?? 0 };
};
const emptyDraft = (): Draft => ({
  scope: "tenant",
  scopeId: "0",
  kind: "environment",
  name: "",
  enabled: true,
  severity: "MINOR",
  raiseAfterS: 600,
  clearAfterS: 300,
  rule: { joint: "all", parts: [firstPart("environment") as OwnAlarmRule["parts"][number]] },
});

/** One condition: what is looked at, and how. */
function Part({
  kind,
  part,
  at,
  onChange,
  onRemove,
}: {
  kind: DeviceKindId;
  part: OwnRulePart;
  at: number;
  onChange: (part: OwnRulePart) => void;
  onRemove: (() => void) | undefined;
}) {
  const t = useTranslate();
  const local = useLocalText();
  const { unitOf } = useRuleWords(kind);
  const values = ownRuleValues(deviceKinds[kind]);
  const channels = new Set(deviceKinds[kind].channels.map(({ key }) => key));
  const allowed = values.filter(({ key, type }) =>
    part.type === "compare" ? true : channels.has(key) && (part.type === "absent" || type === "number"),
  );
  const value = part.type === "during" ? undefined : values.find(({ key }) => key === part.key);
  const label = (what: string): string => t("条件 {number}：{what}", { number: at + 1, what: t(what) });
  const retype = (type: OwnRulePart["type"]): void => {
    const first = firstPart(kind);
    const key = first.type === "compare" ? first.key : "";
    if (type === "compare") onChange(first);
    else if (type === "change") onChange({ type, key, windowS: 600, op: "gt", value: 1 });
    else if (type === "absent") onChange({ type, key, afterS: 1800 });
    else onChange({ type, from: "22:00", to: "06:00" });
  };
  const rekey = (key: string): void => {
    const next = values.find((one) => one.key === key);
    if (part.type === "during" || next === undefined) return;
    if (part.type !== "compare") onChange({ ...part, key });
    else if (next.type === "number") onChange({ ...part, key, value: typeof part.value === "number" ? part.value : 0 });
    else onChange({ ...part, key, op: "eq", value: next.type === "boolean" ? false : (next.words?.[0]?.value ?? "") });
  };
  const number = (of: number, change: (to: number) => void, what: string, unit: string) => (
    <span className={styles.amount}>
      <input
        className="input num"
        type="number"
        step="any"
        aria-label={label(what)}
        value={Number.isNaN(of) ? "" : of}
        onChange={({ target }) => change(target.value === "" ? Number.NaN : Number(target.value))}
      />
      <span>{unit}</span>
    </span>
  );
  return (
    <li className={styles.part}>
      <select
        className="input"
        aria-label={label("种类")}
        value={part.type}
        onChange={({ target }) => retype(target.value as OwnRulePart["type"])}
      >
        {partTypes.map((type) => (
          <option key={type} value={type}>
            {t(partNames[type])}
          </option>
        ))}
      </select>
      {part.type === "during" ? (
        <span className={styles.amount}>
          <input
            className="input"
            type="time"
            aria-label={label("从")}
            value={part.from}
            onChange={({ target }) => onChange({ ...part, from: target.value })}
          />
          <span aria-hidden="true">–</span>
          <input
            className="input"
            type="time"
            aria-label={label("到")}
            value={part.to}
            onChange={({ target }) => onChange({ ...part, to: target.value })}
          />
        </span>
      ) : (
        <select
          className="input"
          aria-label={label("测量值")}
          value={part.key}
          onChange={({ target }) => rekey(target.value)}
        >
          {allowed.map(({ key, name }) => (
            <option key={key} value={key}>
              {local(name)}
            </option>
          ))}
        </select>
      )}
      {part.type === "change" &&
        number(part.windowS / 60, (to) => onChange({ ...part, windowS: Math.round(to * 60) }), "多长时间", t("分钟内"))}
      {(part.type === "compare" || part.type === "change") && (
        <select
          className="input"
          aria-label={label("怎样比较")}
          value={part.op}
          onChange={({ target }) => onChange({ ...part, op: target.value as Comparison } as OwnRulePart)}
        >
          {(Object.keys(comparisonSigns) as Comparison[])
            .filter((op) =>
              part.type === "change"
                ? op === "gt" || op === "lt"
                : value?.type === "number" || op === "eq" || op === "ne",
            )
            .map((op) => (
              <option key={op} value={op}>
                {comparisonSigns[op]}
              </option>
            ))}
        </select>
      )}
      {part.type === "change" &&
        number(part.value, (to) => onChange({ ...part, value: to }), "变化量", unitOf(part.key))}
      {part.type === "compare" &&
        (value?.type === "boolean" ? (
          <select
            className="input"
            aria-label={label("值")}
            value={String(part.value)}
            onChange={({ target }) => onChange({ ...part, value: target.value === "true" })}
          >
            <option value="true">{t("开")}</option>
            <option value="false">{t("关")}</option>
          </select>
        ) : value?.type === "text" ? (
          value.words ? (
            <select
              className="input"
              aria-label={label("值")}
              value={String(part.value)}
              onChange={({ target }) => onChange({ ...part, value: target.value })}
            >
              {value.words.map((word) => (
                <option key={word.value} value={word.value}>
                  {local(word.name)}
                </option>
              ))}
            </select>
          ) : (
            <input
              className="input"
              aria-label={label("值")}
              value={String(part.value)}
              onChange={({ target }) => onChange({ ...part, value: target.value })}
            />
          )
        ) : (
          number(
            typeof part.value === "number" ? part.value : 0,
            (to) => onChange({ ...part, value: to }),
            "值",
            unitOf(part.key),
          )
        ))}
      {part.type === "absent" &&
        number(part.afterS / 60, (to) => onChange({ ...part, afterS: Math.round(to * 60) }), "多长时间", t("分钟"))}
      {onRemove && (
        <IconButton icon="close" small label={t("去掉条件 {number}", { number: at + 1 })} onPress={onRemove} />
      )}
    </li>
  );
}

/** Versions of a rule: who changed what, and when. */
function Versions({ ruleId }: { ruleId: string }) {
  const t = useTranslate();
  const { dateTime } = useFormats();
  const { value } = useLoad(`own rule ${ruleId}`, (signal) =>
    call(ownAlarmRuleHistory, { query: { ruleId }, signal, quiet: true }),
  );
  return (
    <>
      <h3>{t("修改记录")}</h3>
      <ul className={styles.history}>
        {(value ?? []).map((version) => (
          <li key={version.id}>
            <span className="num mut">{dateTime(version.atMs)}</span>
            <RuleSentence version={version} />
            <span className="mut">{version.personName}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What a rule says, in words. */
function RuleSentence({ version: { kind, rule, raiseAfterS, enabled } }: { version: OwnAlarmRuleVersion }) {
  const t = useTranslate();
  const words = useRuleWords(kind);
  return (
    <span className={styles.says}>
      {rule.parts.map(words.part).join(t(rule.joint === "all" ? "，且 " : "，或 "))}
      {raiseAfterS > 0 && <span className="mut"> · {t("持续 {time}", { time: words.seconds(raiseAfterS) })}</span>}
      {!enabled && <span className="mut"> · {t("停用")}</span>}
    </span>
  );
}

function Editor({
  version,
  onClose,
  onSaved,
}: {
  version: OwnAlarmRuleVersion | undefined;
  onClose: () => void;
  onSaved: () => void;
}) {
  const t = useTranslate();
  const local = useLocalText();
  const id = useId();
  const mayEdit = useAccess().permissions.has(alarmRuleCode);
  const [draft, setDraft] = useState<Draft>(() => {
    if (version === undefined) return emptyDraft();
    const {
      id: previousId,
      ruleId: _ruleId,
      removed: _removed,
      personName: _personName,
      atMs: _atMs,
      ...fields
    } = version;
    return { ...fields, previousId };
  });
  const [asksRemoval, setAsksRemoval] = useState(false);
  const places = useRulePlaces(draft.kind);
  const change = (part: Partial<Draft>): void => setDraft((now) => ({ ...now, ...part }));
  const parts = draft.rule.parts as readonly OwnRulePart[];
  const setParts = (next: readonly OwnRulePart[]): void =>
    change({ rule: { ...draft.rule, parts: next as OwnAlarmRule["parts"] } });
  const problems = ownRuleProblems(deviceKinds[draft.kind], { joint: draft.rule.joint, parts });
  const isComplete =
    problems.length === 0 &&
    draft.name.trim().length >= 2 &&
    parts.some(({ type }) => type !== "during") &&
    parts.every((part) => !Object.values(part).some((value) => Number.isNaN(value)));
  const save = async (): Promise<void> => {
    await call(ownAlarmRuleSubmit, { body: { ...draft, name: draft.name.trim() } }).then(onSaved, () => undefined);
  };
  const remove = async (): Promise<void> => {
    if (version === undefined) return;
    await call(ownAlarmRuleRemove, { body: { previousId: version.id } }).then(onSaved, () => undefined);
  };
  return (
    <Drawer
      title={t(version ? "自定义规则" : "新增规则")}
      onClose={onClose}
      footer={
        mayEdit && (
          <>
            {version && (
              <Button kind="danger" onPress={() => setAsksRemoval(true)}>
                {t("删除")}
              </Button>
            )}
            <span className="spacer" />
            <Button kind="primary" isDisabled={!isComplete} onPress={() => void save()}>
              {t("保存")}
            </Button>
          </>
        )
      }
    >
      <fieldset className={styles.editor} disabled={!mayEdit}>
        <div className={styles.fields}>
          <div className={styles.wide}>
            <label htmlFor={`${id}-name`}>{t("名称")}</label>
            <input
              id={`${id}-name`}
              className="input"
              maxLength={40}
              value={draft.name}
              onChange={({ target }) => change({ name: target.value })}
            />
          </div>
          <div>
            <label htmlFor={`${id}-kind`}>{t("设备类型")}</label>
            <select
              id={`${id}-kind`}
              className="input"
              disabled={version !== undefined}
              value={draft.kind}
              onChange={({ target }) => {
                const kind = target.value as DeviceKindId;
                change({
                  kind,
                  scope: "tenant",
                  scopeId: "0",
                  rule: { joint: "all", parts: [firstPart(kind)] as OwnAlarmRule["parts"] },
                });
              }}
            >
              {kinds.map(({ kind, name }) => (
                <option key={kind} value={kind}>
                  {local(name)}
                </option>
              ))}
            </select>
          </div>
          <div>
            <label htmlFor={`${id}-place`}>{t("用在哪里")}</label>
            <RulePlaceSelect id={`${id}-place`} places={places} value={draft} onChange={change} />
          </div>
          <div>
            <label htmlFor={`${id}-severity`}>{t("级别")}</label>
            <select
              id={`${id}-severity`}
              className="input"
              value={draft.severity}
              onChange={({ target }) => change({ severity: target.value as AlarmSeverity })}
            >
              {severityOrder.map((severity) => (
                <option key={severity} value={severity}>
                  {t(alarmSeverityNames[severity])}
                </option>
              ))}
            </select>
          </div>
          <label className={styles.check}>
            <input
              type="checkbox"
              checked={draft.enabled}
              onChange={({ target }) => change({ enabled: target.checked })}
            />
            <span>{t("启用")}</span>
          </label>
        </div>
        <h3>{t("什么时候告警")}</h3>
        {parts.length > 1 && (
          <select
            className="input"
            aria-label={t("条件怎样组合")}
            value={draft.rule.joint}
            onChange={({ target }) => change({ rule: { ...draft.rule, joint: target.value as OwnAlarmRule["joint"] } })}
          >
            <option value="all">{t("以下条件同时成立")}</option>
            <option value="any">{t("以下条件有一个成立")}</option>
          </select>
        )}
        <ul className={styles.parts}>
          {parts.map((part, at) => (
            <Part
              key={at}
              kind={draft.kind}
              part={part}
              at={at}
              onChange={(next) => setParts(parts.map((one, place) => (place === at ? next : one)))}
              onRemove={parts.length > 1 ? () => setParts(parts.filter((_, place) => place !== at)) : undefined}
            />
          ))}
        </ul>
        {problems.length > 0 && (
          <p className={styles.problem} role="alert">
            {t("第 {part} 个条件不完整或超出范围", { part: (problems[0]?.part ?? 0) + 1 })}
          </p>
        )}
        {parts.length < mostOwnRuleParts && (
          <Button small icon="plus" onPress={() => setParts([...parts, firstPart(draft.kind)])}>
            {t("加一个条件")}
          </Button>
        )}
        <div className={styles.fields}>
          {(["raiseAfterS", "clearAfterS"] as const).map((field) => (
            <div key={field}>
              <label htmlFor={`${id}-${field}`}>
                {t(field === "raiseAfterS" ? "持续多久才告警（分钟）" : "恢复多久才解除（分钟）")}
              </label>
              <input
                id={`${id}-${field}`}
                className="input num"
                type="number"
                min={0}
                step="any"
                value={draft[field] / 60}
                onChange={({ target }) => change({ [field]: Math.max(0, Math.round(Number(target.value) * 60)) })}
              />
            </div>
          ))}
        </div>
        {mayEdit && problems.length === 0 && (
          <RuleTrial
            body={{
              scope: draft.scope,
              scopeId: draft.scopeId,
              kind: draft.kind,
              raiseAfterS: draft.raiseAfterS,
              rule: draft.rule,
            }}
          />
        )}
        {version && <Versions ruleId={version.ruleId} />}
      </fieldset>
      {asksRemoval && (
        <ConfirmDialog
          title={t("删除规则“{name}”？", { name: draft.name })}
          action={t("删除")}
          kind="danger"
          onConfirm={() => void remove()}
          onClose={() => setAsksRemoval(false)}
        >
          <p>{t("它的未恢复告警会结束；记录会留着。")}</p>
        </ConfirmDialog>
      )}
    </Drawer>
  );
}

/** Rules that the farm writes itself. */
export function OwnRules() {
  const t = useTranslate();
  const local = useLocalText();
  const mayEdit = useAccess().permissions.has(alarmRuleCode);
  const [search, change] = useListAddress("rule");
  const { value, error, reload } = useLoad("own alarm rules", (signal) =>
    call(ownAlarmRuleList, { signal, quiet: true }),
  );
  const placeName = useRulePlaceName(useRulePlaces(undefined));
  const chosen = search.get("rule");
  const open = value?.find(({ ruleId }) => ruleId === chosen);
  const close = (): void => change({ rule: undefined });
  return (
    <div className={styles.beside}>
      <section className="card" aria-label={t("自定义规则")}>
        <p className={styles.bar}>
          <span className="mut">{t("由同一台设备的测量值组成；保存前可以用过去的数据试算。")}</span>
          <span className="spacer" />
          {mayEdit && (
            <Button kind="primary" icon="plus" onPress={() => change({ rule: "new" })}>
              {t("新增规则")}
            </Button>
          )}
        </p>
        {error && <LoadingProblem error={error} onRetry={reload} what={t("自定义规则")} kept={value !== undefined} />}
        {!value && !error && <WaitingRows rows={4} />}
        {value?.length === 0 && (
          <p className={styles.empty}>
            <Icon name="sliders" />
            <span>{t("还没有自定义规则。各类设备已有的规则在“设备规则”里。")}</span>
          </p>
        )}
        {value && value.length > 0 && (
          <ul className={styles.rules}>
            {value.map((version) => (
              <li key={version.ruleId}>
                <button type="button" className={styles.name} onClick={() => change({ rule: version.ruleId })}>
                  {version.name}
                </button>
                <RuleSeverity severity={version.severity} />
                <RuleSentence version={version} />
                <span className={styles.tags}>
                  <span className="tag">{local(deviceKinds[version.kind].name)}</span>
                  <span className="tag">
                    <Translated text={placeName(version)} />
                  </span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
      {value && (open || (chosen === "new" && mayEdit)) && (
        <Editor
          key={open?.id ?? "new"}
          version={open}
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
