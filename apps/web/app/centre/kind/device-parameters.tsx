import { parameterSubmit } from "@herdwise/contract";
import type { Parameter } from "@herdwise/device-kinds";
import { useState } from "react";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import type { Loading } from "../../shared/api/use-load.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { ConfirmDialog } from "../../shared/kit/dialog.tsx";
import { ScrollTable } from "../../shared/kit/scroll-table.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Waiting } from "../../shared/states/waiting.tsx";
import { kindPath, useKind, useLocalText } from "./kind-view.ts";
import { useParameterText } from "./parameter-words.ts";
import styles from "./parameters.module.css";
import { SettingState } from "./setting-state.tsx";
import { type Settings, useSettings } from "./use-settings.ts";

/** Which value shall hold where the device runs with another one than is wanted. */
function Settle({ deviceId, parameter, settings }: { deviceId: string; parameter: Parameter; settings: Settings }) {
  const t = useTranslate();
  const local = useLocalText();
  const text = useParameterText();
  const [asked, setAsked] = useState<"again" | "theirs">();
  const setting = settings.states[parameter.key];
  if (!setting || (setting.state !== "refused" && setting.state !== "drifted" && setting.state !== "expired"))
    return null;
  const wanted = setting.state === "expired" ? setting.missed : settings.desired[parameter.key];
  const theirs = settings.reported[parameter.key];
  const value = asked === "theirs" ? theirs : wanted;
  return (
    <span className={styles.settle}>
      {wanted !== undefined && wanted !== null && (
        <Button small onPress={() => setAsked("again")}>
          {t("再下发 {value}", { value: text(parameter, wanted) })}
        </Button>
      )}
      {theirs !== undefined && setting.state !== "expired" && (
        <Button small onPress={() => setAsked("theirs")}>
          {t("用设备的 {value}", { value: text(parameter, theirs) })}
        </Button>
      )}
      {asked && (
        <ConfirmDialog
          title={t(asked === "theirs" ? "以设备上的值为准？" : "再下发一次？")}
          action={t(asked === "theirs" ? "以设备为准" : "下发")}
          kind="primary"
          onClose={() => setAsked(undefined)}
          onConfirm={async () => {
            // Emptying or washing a unit masks its alarms, which the words below say.
            await call(parameterSubmit, { body: { deviceId, values: { [parameter.key]: value }, confirmed: true } });
          }}
        >
          <p>
            {asked === "theirs"
              ? t("{name} 从此按 {value} 记为期望值，设备不会改变。", {
                  name: local(parameter.name),
                  value: text(parameter, value),
                })
              : t("设备会把 {name} 改为 {value}，确认现场没有人正在手动调整。", {
                  name: local(parameter.name),
                  value: text(parameter, value),
                })}
          </p>
          {parameter.key === "mode" && value !== "normal" && <p>{t("这个模式会屏蔽单元的全部告警。")}</p>}
        </ConfirmDialog>
      )}
    </span>
  );
}

/** What a device should run with, what it says it does, and what has become of each setting. */
export function SettingsTable({
  deviceId,
  loaded: { value, error, reload },
  linked,
}: {
  deviceId: string;
  loaded: Loading<Settings>;
  /** Leads to the page on which they are changed. */
  linked: boolean;
}) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const local = useLocalText();
  const text = useParameterText();
  const { kind } = useKind();
  const mayEdit = useAccess().permissions.has("parameter_edit");
  return (
    <section className="card" aria-labelledby="parameters-title">
      <header>
        <h2 id="parameters-title">{t("期望与上报")}</h2>
        <span className="age">{t("下发的叫期望，设备读回的叫上报")}</span>
        <span className="spacer" />
        {linked && (
          <Link className="btn" to={kindPath(kind.kind, "parameters", deviceId)}>
            <Icon name="sliders" small />
            {t(mayEdit ? "修改参数" : "查看参数")}
          </Link>
        )}
      </header>
      {error && <LoadingProblem error={error} onRetry={reload} what={t("参数设置")} kept={value !== undefined} />}
      {!value && !error && <Waiting />}
      {value && (
        <ScrollTable label={t("参数表")} className={`parameters ${styles.settings}`}>
          <thead>
            <tr>
              <th scope="col">{t("名称")}</th>
              <th scope="col" className="numeric">
                {t("期望")}
              </th>
              <th scope="col" className="numeric">
                {t("上报")}
              </th>
              <th scope="col">{t("状态")}</th>
              <th scope="col">{t("谁，何时")}</th>
              {mayEdit && (
                <th scope="col">
                  <span className="visually-hidden">{t("操作")}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {kind.parameters.map((parameter) => {
              const { key } = parameter;
              const setting = value.states[key];
              const wanted = value.desired[key];
              const differs = setting !== undefined && setting.state !== "applied" && setting.state !== "expired";
              return (
                <tr key={key}>
                  <th scope="row">{local(parameter.name)}</th>
                  <td className="numeric">
                    {wanted === undefined && value.reported[key] === undefined
                      ? t("默认 {value}", { value: text(parameter, parameter.default) })
                      : text(parameter, wanted)}
                  </td>
                  <td className="numeric">
                    {differs ? <b>{text(parameter, value.reported[key])}</b> : text(parameter, value.reported[key])}
                  </td>
                  <td>
                    <SettingState parameter={parameter} setting={setting} reported={value.reported[key]} />
                  </td>
                  <td className={styles.who}>
                    {setting ? `${setting.actorName} ${dayTime(parseWireDateTime(setting.changeTime))}`.trim() : "--"}
                  </td>
                  {mayEdit && (
                    <td>
                      <Settle deviceId={deviceId} parameter={parameter} settings={value} />
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </ScrollTable>
      )}
    </section>
  );
}

/** The settings of a device, on its own page. */
export function DeviceParameterTable({ deviceId }: { deviceId: string }) {
  return <SettingsTable deviceId={deviceId} loaded={useSettings(deviceId)} linked />;
}
