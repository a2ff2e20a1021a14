import { deviceParameters } from "@herdwise/contract";
import { type LocalText, localUnit, type Parameter } from "@herdwise/device-kinds";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Skeleton } from "../../shared/states/skeleton.tsx";
import { useKind, useLocalText } from "./kind-view.ts";
import { StateMark } from "./state-mark.tsx";

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** A value of a parameter in words. */
function useParameterText(): (parameter: Parameter, value: unknown) => string {
  const t = useTranslate();
  const { number } = useFormats();
  const local = useLocalText();
  return (parameter, value) => {
    if (value === undefined) return "--";
    if (typeof value === "boolean") return t(value ? "开" : "关");
    if (typeof value === "number") {
      const decimals = Number.isInteger(value) ? 0 : 2;
      return `${number(value, decimals)} ${local(localUnit(parameter.unit))}`.trim();
    }
    if (Array.isArray(value)) return value.length === 0 ? t("未设置") : t("{count} 行", { count: value.length });
    if (typeof value !== "string") return t("已设置");
    const choice: { name: LocalText } | undefined =
      parameter.type === "choice" ? parameter.choices.find((candidate) => candidate.value === value) : undefined;
    return choice ? local(choice.name) : value;
  };
}

/** The settings of a device: what it should run with, and what it says it does. */
export function DeviceParameterTable({ deviceId }: { deviceId: string }) {
  const t = useTranslate();
  const local = useLocalText();
  const text = useParameterText();
  const { kind } = useKind();
  const { value, error, reload } = useLoad(`parameters ${deviceId}`, (signal) =>
    call(deviceParameters, { query: { id: deviceId }, signal, quiet: true }),
  );
  return (
    <section className="card" aria-labelledby="parameters-title">
      <header>
        <h2 id="parameters-title">{t("参数设置")}</h2>
        <span className="age">{t("期望值与设备上报值")}</span>
      </header>
      {error && <LoadingProblem error={error} onRetry={reload} what={t("参数设置")} kept={value !== undefined} />}
      {!value && !error && (
        <p className="calm" role="status">
          <span className="visually-hidden">{t("正在加载")}</span>
          <Skeleton width={16} />
        </p>
      )}
      {value && (
        <section
          className="tbl-wrap"
          aria-label={t("参数表")}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
          tabIndex={0}
        >
          <table className="tbl parameters">
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
              </tr>
            </thead>
            <tbody>
              {kind.parameters.map((parameter) => {
                const desired = value.desired[parameter.key];
                const reported = value.reported[parameter.key];
                return (
                  <tr key={parameter.key}>
                    <th scope="row">{local(parameter.name)}</th>
                    <td className="numeric">
                      {desired === undefined
                        ? t("默认 {value}", { value: text(parameter, parameter.default) })
                        : text(parameter, desired)}
                    </td>
                    <td className="numeric">{text(parameter, reported)}</td>
                    <td>
                      {reported === undefined ? (
                        <StateMark state="silent">{t("未上报")}</StateMark>
                      ) : same(desired ?? parameter.default, reported) ? (
                        <StateMark state="ok">{t("一致")}</StateMark>
                      ) : (
                        <StateMark state="notice">{t("不一致")}</StateMark>
                      )}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}
