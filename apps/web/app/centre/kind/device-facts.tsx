import type { DeviceDetail } from "@herdwise/contract";
import { Link } from "react-router";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { kindPath } from "./kind-view.ts";

/** The device behind the values. */
export function DeviceFacts({
  device,
  title,
  linked = true,
}: {
  device: DeviceDetail;
  title: string;
  linked?: boolean;
}) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const facts = [
    // On its own page, the head says who it is.
    ...(linked
      ? [
          { name: t("名称"), value: <Translated text={device.name} /> },
          { name: t("序列号"), value: device.serialNumber },
        ]
      : []),
    { name: t("固件"), value: device.firmwareVersion || "--" },
    { name: t("连接"), value: device.connected ? t("已连接") : t("未连接") },
    { name: t("最近上报"), value: dayTime(parseWireDateTime(device.reportAt)) },
  ];
  return (
    <section className="card" aria-labelledby="controller-title">
      <header>
        <h2 id="controller-title">{title}</h2>
        <span className="spacer" />
        {linked && (
          <Link className="link" to={kindPath(device.kind, "device", device.id)}>
            {t("设备详情")}
          </Link>
        )}
      </header>
      <dl className="facts">
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
      {device.rejected.length > 0 && (
        <p className="facts-note">
          {t("有 {count} 次读数不可信，未计入任何数值，详见设备详情。", {
            count: device.rejected.reduce((sum, { count }) => sum + count, 0),
          })}
        </p>
      )}
      {device.dropped.length > 0 && (
        <p className="facts-note">
          {t("有 {count} 条消息因内容不合格未保存，详见设备详情。", {
            count: device.dropped.reduce((sum, { count }) => sum + count, 0),
          })}
        </p>
      )}
    </section>
  );
}
