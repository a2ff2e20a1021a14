import { deviceDetail, deviceLatest } from "@herdwise/contract";
import { loadKind } from "@herdwise/device-kinds/kind-loader";
import { useEffect } from "react";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { TranslatedPlace } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Drawer } from "../../shared/lists/drawer.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Skeleton } from "../../shared/states/skeleton.tsx";
import { kindPath } from "../kind/kind-view.ts";
import { DeviceStatusMark } from "./device-status.tsx";
import { DeviceValues } from "./device-values.tsx";
import { kindNames } from "./device-words.ts";

const asText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
const renewMs = 30_000;

/** Everything about one device, beside the list it was opened from. */
export function DeviceDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTranslate();
  const { number, dayTime } = useFormats();
  const loaded = useLoad(`device ${id}`, async (signal) => {
    const [device, readings] = await Promise.all([
      call(deviceDetail, { query: { id }, signal, quiet: true }),
      call(deviceLatest, { query: { id }, signal, quiet: true }),
    ]);
    return { device, readings, kind: await loadKind[device.kind]() };
  });
  const { value, error, reload } = loaded;
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && reload(), renewMs);
    return () => clearInterval(timer);
  }, [reload]);

  const nameOf = useNames();
  const device = value?.device;
  const facts = device && [
    { name: t("类型"), value: t(kindNames[device.kind]) },
    { name: t("序列号"), value: device.serialNumber },
    { name: t("固件"), value: device.firmwareVersion || "--" },
    {
      name: t("位置"),
      value:
        device.farmName === "" ? (
          t("未绑定")
        ) : (
          <TranslatedPlace names={[device.farmName, device.houseName, device.unitName]} />
        ),
    },
    { name: t("连接"), value: device.connected ? t("已连接") : t("未连接") },
    { name: t("最近上报"), value: dayTime(parseWireDateTime(device.reportAt)) },
    { name: t("登记时间"), value: dayTime(parseWireDateTime(device.createTime)) },
  ];
  return (
    <Drawer
      title={device ? nameOf(device.name) : t("设备详情")}
      mark={device && <DeviceStatusMark status={device.status} />}
      onClose={onClose}
    >
      {error && <LoadingProblem error={error} onRetry={reload} what={t("设备详情")} kept={value !== undefined} />}
      {!value && !error && (
        <div className="drawer-wait" role="status">
          <span className="visually-hidden">{t("正在加载")}</span>
          {[14, 18, 12, 20, 16].map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </div>
      )}
      {device && facts && (
        <>
          <dl className="facts">
            {facts.map((fact) => (
              <div key={fact.name}>
                <dt>{fact.name}</dt>
                <dd className="num">{fact.value}</dd>
              </div>
            ))}
          </dl>
          {kindPath(device.kind, "overview") !== "" && (
            <p className="drawer-go">
              {device.unitId !== "" && (
                <Link className="btn" to={kindPath(device.kind, "unit", device.unitId)}>
                  <Icon name="unit" small />
                  {t("打开单元")}
                </Link>
              )}
              <Link className="btn" to={kindPath(device.kind, "device", device.id)}>
                <Icon name="devices" small />
                {t("打开设备")}
              </Link>
            </p>
          )}
          <DeviceValues kind={value.kind} readings={value.readings} />
          {Object.keys(device.attributes).length > 0 && (
            <section className="vals-group" aria-label={t("设备属性")}>
              <h3>{t("设备属性")}</h3>
              <dl>
                {Object.entries(device.attributes).map(([key, attribute]) => (
                  <div key={key}>
                    <dt>{key}</dt>
                    <dd className="num">{asText(attribute)}</dd>
                  </div>
                ))}
              </dl>
            </section>
          )}
          {device.dropped.length > 0 && (
            <section className="vals-group" aria-label={t("未保存的消息")}>
              <h3>{t("未保存的消息")}</h3>
              <dl>
                {device.dropped.map(({ reason, count, lastAt }) => (
                  <div key={reason}>
                    <dt>{t(reason)}</dt>
                    <dd className="num">{t("{count} 条", { count: number(count) })}</dd>
                    <dd className="age">{dayTime(parseWireDateTime(lastAt))}</dd>
                  </div>
                ))}
              </dl>
            </section>
          )}
        </>
      )}
    </Drawer>
  );
}
