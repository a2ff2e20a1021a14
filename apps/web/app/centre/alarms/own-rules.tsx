import {
  alarmRuleCode,
  type BodyOf,
  type Device,
  type DeviceKindId,
  devicePage,
  type OwnAlarmRule,
  type OwnAlarmRuleVersion,
  ownAlarmRuleHistory,
  ownAlarmRuleList,
  ownAlarmRuleRemove,
  ownAlarmRuleSubmit,
} from "@herdwise/contract";
import { deviceKinds, mostOwnRuleParts, type OwnRulePart, ownRuleProblems } from "@herdwise/device-kinds";
import { useId, useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { Select } from "../../shared/forms/select.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { ConfirmDialog } from "../../shared/kit/dialog.tsx";
import { Drawer } from "../../shared/kit/drawer.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useListAddress } from "../../shared/lists/list-address.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { useLocalText } from "../kind/kind-view.ts";
import { severityOptions } from "./alarm-marks.ts";
import { RuleSeverity } from "./kind-rules.tsx";
import { firstPart, type OtherDevice, RulePart } from "./own-rule-part.tsx";
import { RulePlaceSelect, useRulePlaceName, useRulePlaces } from "./rule-place.tsx";
import { RuleTrial } from "./rule-trial.tsx";
import { useRuleWords } from "./rule-words.ts";
import styles from "./rules.module.css";

type Draft = BodyOf<typeof ownAlarmRuleSubmit>;
const kinds = Object.values(deviceKinds).toSorted((a, b) => a.sort - b.sort);
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
function RuleSentence({ version: { kind, rule, raiseAfterS, enabled, others } }: { version: OwnAlarmRuleVersion }) {
  const t = useTranslate();
  const words = useRuleWords(kind, others);
  return (
    <span className={styles.says}>
      {rule.parts.map(words.part).join(t(rule.joint === "all" ? "，且 " : "，或 "))}
      {raiseAfterS > 0 && <span className="mut"> · {t("持续 {time}", { time: words.seconds(raiseAfterS) })}</span>}
      {!enabled && <span className="mut"> · {t("停用")}</span>}
    </span>
  );
}

/** Number of the condition that a field of a refusal belongs to. */
const partOf = (field: string): number => Number(/^rule\.parts\.(\d+)\./.exec(field)?.[1] ?? -1);

/** The conditions on the rule's own device; one to begin with where there is none. */
function ownParts(parts: readonly OwnRulePart[], kind: DeviceKindId): readonly OwnRulePart[] {
  const own = parts.filter((part) => part.type === "during" || part.deviceId === undefined);
  return own.length > 0 ? own : [firstPart(kind)];
}

/** Devices in the unit of the one that a rule holds at; none for a rule of a wider place. */
function useOthers({ scope, scopeId }: Draft, devices: readonly Device[]): readonly OtherDevice[] {
  const unitId = scope === "device" ? devices.find(({ id }) => id === scopeId)?.unitId : undefined;
  const { value } = useLoad(unitId ? `rule unit ${unitId}` : undefined, (signal) =>
    call(devicePage, { query: { unitId: unitId ?? "", bound: true, size: 100 }, signal, quiet: true }),
  );
  return (value?.records ?? []).filter(({ id }) => id !== scopeId);
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
      others: _others,
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
  const others = useOthers(draft, places.devices);
  const problems = ownRuleProblems(
    deviceKinds[draft.kind],
    { joint: draft.rule.joint, parts },
    new Map(others.map((other) => [other.id, deviceKinds[other.kind]])),
  );
  const isComplete =
    problems.length === 0 &&
    draft.name.trim().length >= 2 &&
    parts.some((part) => part.type !== "during" && part.deviceId === undefined) &&
    parts.every((part) => !Object.values(part).some((value) => Number.isNaN(value)));
  const { form, busy, refused, problems: refusedParts, mend, submit } = useSubmission<HTMLFieldSetElement>();
  const refusedAt = (at: number): string | undefined =>
    Object.entries(refusedParts).find(([field]) => partOf(field) === at)?.[1];
  const save = async (): Promise<void> => {
    const body = { ...draft, name: draft.name.trim() };
    if (await submit(() => call(ownAlarmRuleSubmit, { body, quiet: true }))) onSaved();
  };
  const remove = async (): Promise<void> => {
    if (version === undefined) return;
    if (await submit(() => call(ownAlarmRuleRemove, { body: { previousId: version.id }, quiet: true }))) onSaved();
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
            <Refusal text={refused} />
            <span className="spacer" />
            <Button kind="primary" isDisabled={!isComplete || busy} onPress={() => void save()}>
              {t("保存")}
            </Button>
          </>
        )
      }
    >
      <fieldset ref={form} className={styles.editor} disabled={!mayEdit}>
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
            <Select
              id={`${id}-kind`}
              disabled={version !== undefined}
              value={draft.kind}
              options={kinds.map((one) => [one.kind, local(one.name)] as const)}
              onChange={(kind) =>
                change({
                  kind,
                  scope: "tenant",
                  scopeId: "0",
                  rule: { joint: "all", parts: [firstPart(kind)] as OwnAlarmRule["parts"] },
                })
              }
            />
          </div>
          <div>
            <label htmlFor={`${id}-place`}>{t("用在哪里")}</label>
            <RulePlaceSelect
              id={`${id}-place`}
              places={places}
              value={draft}
              onChange={(place) =>
                change({
                  ...place,
                  // What it said of devices of another unit says nothing of those of this one.
                  rule: { ...draft.rule, parts: ownParts(parts, draft.kind) as OwnAlarmRule["parts"] },
                })
              }
            />
          </div>
          <div>
            <label htmlFor={`${id}-severity`}>{t("级别")}</label>
            <Select
              id={`${id}-severity`}
              value={draft.severity}
              options={severityOptions}
              onChange={(severity) => change({ severity })}
            />
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
          <Select
            aria-label={t("条件怎样组合")}
            value={draft.rule.joint}
            options={[
              ["all", "以下条件同时成立"],
              ["any", "以下条件有一个成立"],
            ]}
            onChange={(joint) => change({ rule: { ...draft.rule, joint } })}
          />
        )}
        <ul className={styles.parts}>
          {parts.map((part, at) => (
            <RulePart
              key={at}
              kind={draft.kind}
              part={part}
              at={at}
              others={others}
              problem={refusedAt(at)}
              onChange={(next) => {
                for (const field of Object.keys(refusedParts)) if (partOf(field) === at) mend(field);
                setParts(parts.map((one, place) => (place === at ? next : one)));
              }}
              onRemove={parts.length > 1 ? () => setParts(parts.filter((_, place) => place !== at)) : undefined}
            />
          ))}
        </ul>
        {problems.length > 0 && (
          <p className={styles.problem} role="alert">
            {t("第 {part} 个条件不完整或超出范围", { part: (problems[0]?.part ?? 0) + 1 })}
          </p>
        )}
        {others.length === 0 && <p className="mut">{t("在“用在哪里”选一台设备，就可以加同一单元其他设备的条件。")}</p>}
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
          <span className="mut">{t("由一台或同一单元几台设备的测量值组成；保存前可以用过去的数据试算。")}</span>
          <span className="spacer" />
          {mayEdit && (
            <Button kind="primary" icon="plus" onPress={() => change({ rule: "new" })}>
              {t("新增规则")}
            </Button>
          )}
        </p>
        {error && <LoadingProblem error={error} onRetry={reload} what={t("自定义规则")} kept={value !== undefined} />}
        {!value && !error && <TableSkeleton rows={4} />}
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
