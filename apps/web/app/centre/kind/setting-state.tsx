import type { ParameterSetting } from "@herdwise/contract";
import type { Parameter } from "@herdwise/device-kinds";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useParameterText } from "./parameter-words.ts";
import { StateMark } from "./state-mark.tsx";

/** What has become of a setting, in shape and words. */
export function SettingState({
  parameter,
  setting,
  reported,
}: {
  parameter: Parameter;
  setting: ParameterSetting | undefined;
  reported: unknown;
}) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const text = useParameterText();
  if (!setting)
    return reported === undefined ? (
      <StateMark state="silent">{t("未上报")}</StateMark>
    ) : (
      <span className="mut">{t("现场值，没有下发过")}</span>
    );
  switch (setting.state) {
    case "applied":
      return <StateMark state="ok">{t("已生效")}</StateMark>;
    case "pending": {
      if (setting.pushTime !== "") return <StateMark state="notice">{t("已下发，等待设备确认")}</StateMark>;
      const until = parseWireDateTime(setting.expireTime);
      return (
        <StateMark state="notice">
          {until === undefined ? t("等设备上线") : t("等设备上线，{time} 前有效", { time: dayTime(until) })}
        </StateMark>
      );
    }
    case "refused":
      return <StateMark state="major">{t("设备没有采用")}</StateMark>;
    case "drifted":
      return <StateMark state="minor">{t("漂移：现场改过")}</StateMark>;
    case "expired":
      return (
        <StateMark state="minor">
          {t("已过期，{value} 没有送达，已撤回", { value: text(parameter, setting.missed) })}
        </StateMark>
      );
  }
}
