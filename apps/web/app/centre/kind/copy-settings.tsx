import { parameterPeers, parameterSubmit } from "@herdwise/contract";
import type { ParameterGroup } from "@herdwise/device-kinds";
import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Button } from "../../shared/kit/button.tsx";
import { CheckBox } from "../../shared/kit/check-box.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { TranslatedPlace } from "../../shared/language/translated.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Skeleton } from "../../shared/states/skeleton.tsx";
import { belongsToPlace, planCopy } from "./copy-plan.ts";
import { useKind, useLocalText } from "./kind-view.ts";
import { differencesOf } from "./parameter-values.ts";
import styles from "./parameters.module.css";
import { ChangeList } from "./send-settings.tsx";
import { StateMark } from "./state-mark.tsx";

/** Copies settings to other devices of the kind: what differs at each, what does not fit, and what became of each. */
export function CopySettings({
  deviceId,
  groups,
  from,
  onClose,
}: {
  deviceId: string;
  groups: readonly ParameterGroup[];
  from: (key: string) => unknown;
  onClose: () => void;
}) {
  const t = useTranslate();
  const { number } = useFormats();
  const local = useLocalText();
  const nameOf = useNames();
  const join = useJoin();
  const { kind } = useKind();
  const { value, error, reload } = useLoad(`peers ${kind.kind}`, (signal) =>
    call(parameterPeers, { query: { kind: kind.kind }, signal, quiet: true }),
  );
  const copied = groups
    .map((group) => ({ ...group, keys: group.keys.filter((key) => !belongsToPlace(key)) }))
    .filter(({ keys }) => keys.length > 0);
  const [chosenGroups, setGroups] = useState<ReadonlySet<string>>(new Set(copied.slice(0, 1).map(({ id }) => id)));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [looking, setLooking] = useState("");
  const [results, setResults] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const keys = new Set(copied.flatMap((group) => (chosenGroups.has(group.id) ? group.keys : [])));
  const plans = (value ?? [])
    .filter(({ id }) => id !== deviceId)
    .map((peer) => planCopy(kind.parameters, keys, from, peer));
  const ready = plans.filter(
    ({ peer, changes }) => chosen.has(peer.id) && changes.length > 0 && results[peer.id] !== "",
  );
  const toggle = (held: ReadonlySet<string>, id: string): ReadonlySet<string> =>
    new Set(held.has(id) ? [...held].filter((other) => other !== id) : [...held, id]);
  const send = async (): Promise<void> => {
    setBusy(true);
    for (const { peer, changes } of ready) {
      const values = Object.fromEntries(changes.map(({ parameter, after }) => [parameter.key, after]));
      try {
        await call(parameterSubmit, { body: { deviceId: peer.id, values }, quiet: true });
        setResults((held) => ({ ...held, [peer.id]: "" }));
      } catch (reason) {
        setResults((held) => ({ ...held, [peer.id]: tellIn(t, asApiError(reason)) }));
      }
    }
    setBusy(false);
  };
  return (
    <Dialog
      title={t("复制到其他设备")}
      size="wide"
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t("关闭")}</Button>
          <Button kind="primary" isDisabled={busy || ready.length === 0} onPress={() => void send()}>
            {t("下发到 {count} 台设备", { count: ready.length })}
          </Button>
        </>
      }
    >
      <fieldset className={styles.groups}>
        <legend>{t("复制哪些")}</legend>
        {copied.map((group) => (
          <label key={group.id}>
            <CheckBox checked={chosenGroups.has(group.id)} onChange={() => setGroups(toggle(chosenGroups, group.id))} />
            {local(group.name)}
          </label>
        ))}
      </fieldset>
      {error && <LoadingProblem error={error} onRetry={reload} what={t("其他设备")} kept={value !== undefined} />}
      {!value && !error && <Skeleton width={24} />}
      {value && plans.length === 0 && <p className="calm">{t("没有同类的其他设备。")}</p>}
      <ul className={styles.peers}>
        {plans.map(({ peer, changes, unfit, shiftedBy }) => {
          const count = changes.reduce(
            (sum, { parameter, before, after }) => sum + differencesOf(parameter, before, after).length,
            0,
          );
          const result = results[peer.id];
          return (
            <li key={peer.id}>
              <div>
                <label>
                  <CheckBox
                    checked={chosen.has(peer.id)}
                    disabled={changes.length === 0 || busy}
                    onChange={() => setChosen(toggle(chosen, peer.id))}
                  />
                  <span>
                    <b>{nameOf(peer.name)}</b>
                    <small className="mut">
                      <TranslatedPlace names={[peer.farmName, peer.houseName, peer.unitName]} />
                    </small>
                  </span>
                </label>
                <span className={styles.peerState}>
                  {result === "" ? (
                    <StateMark state="ok">{t("已下发")}</StateMark>
                  ) : result !== undefined ? (
                    <StateMark state="major">{result}</StateMark>
                  ) : count === 0 && unfit.length === 0 ? (
                    <span className="mut">{t("没有差别")}</span>
                  ) : count > 0 ? (
                    <Button kind="link" small onPress={() => setLooking(looking === peer.id ? "" : peer.id)}>
                      {t("会改 {count} 处", { count })}
                    </Button>
                  ) : null}
                  {unfit.length > 0 && (
                    <StateMark state="minor">
                      {t("不适用：{names}", { names: join(unfit.map(({ name }) => local(name))) })}
                    </StateMark>
                  )}
                  {peer.status === "fault" && <StateMark state="major">{t("有故障，先处理")}</StateMark>}
                  {peer.status === "offline" && <StateMark state="offline">{t("离线，会排队")}</StateMark>}
                  {shiftedBy !== 0 && (
                    <span className="mut">
                      {t("升降档温度按目标平移 {degrees} ℃", {
                        degrees: `${shiftedBy > 0 ? "+" : ""}${number(shiftedBy, 1)}`,
                      })}
                    </span>
                  )}
                </span>
              </div>
              {looking === peer.id && <ChangeList changes={changes} />}
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}
