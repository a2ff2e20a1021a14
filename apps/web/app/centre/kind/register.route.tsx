import { type DeviceEventRecord, deviceEventPage, devicePage } from "@herdwise/contract";
import { shanghaiDay, shanghaiMidnight } from "@herdwise/contract/shanghai";
import { localUnit } from "@herdwise/device-kinds";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Button } from "../../shared/kit/button.tsx";
import { Paper, PaperBar, paperStyles } from "../../shared/kit/paper.tsx";
import { ScrollRegion } from "../../shared/kit/scroll-table.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import "./kind.css";
import { SectionWait } from "../../shared/states/section-wait.tsx";
import { shortName } from "../farms/short-name.ts";
import { KindPage } from "./kind-page.tsx";
import { useKind, useLocalText } from "./kind-view.ts";
import { kindViewAt, onOtherPath } from "./load-kind.ts";
import { hoursOfDay, parametersOf, recordFault, sumsOf } from "./register-hours.ts";
import { useRangeWords } from "./verdict-mark.tsx";

const recordType = "hourly_record";
const mostDevices = 500;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The register that the law asks for: what a scrubber wrote down at each full hour of a day, as a sheet to be signed. */
function Register() {
  const t = useTranslate();
  const nameOf = useNames();
  const local = useLocalText();
  const { number, dateTime } = useFormats();
  const { kind } = useKind();
  const [search, change] = useAddressValues();
  const title = kind.pages?.more?.register ? local(kind.pages.more.register.title) : "";
  // Of a day without a full hour there is nothing to see.
  const day = /^\d{4}-\d{2}-\d{2}$/.test(search.get("day") ?? "")
    ? String(search.get("day"))
    : shanghaiDay(Date.now() - hourMs);
  const devices = useLoad(`register devices ${kind.kind}`, async (signal) => {
    const query = { kind: kind.kind, current: 1, size: mostDevices };
    return (await call(devicePage, { query, signal, quiet: true })).records;
  });
  const device = devices.value?.find(({ id }) => id === search.get("id")) ?? devices.value?.[0];
  const fromMs = shanghaiMidnight(day);
  const dayBeside = (days: number): string => shanghaiDay(fromMs + days * dayMs);
  const loaded = useLoad(device && `register ${device.id} ${day}`, async (signal) => {
    const query = {
      id: device?.id ?? "",
      type: recordType,
      // A record is written when its hour is over.
      from: fromMs + 1,
      to: fromMs + 86_400_000 + 1,
      current: 1,
      size: 100,
    };
    const [{ records }, settings] = await Promise.all([
      call(deviceEventPage, { query, signal, quiet: true }),
      parametersOf(device?.id ?? "", signal),
    ]);
    return { records, settings, atMs: Date.now() };
  });
  const rangeWords = useRangeWords();
  const join = useJoin("clauses");
  const choose = (key: string, value: string): void => change({ [key]: value });
  const fields = kind.events.find(({ type }) => type === recordType)?.fields ?? [];
  const error = devices.error ?? loaded.error;
  const { value } = loaded;
  const rows = value ? hoursOfDay(value.records, fromMs, value.atMs) : [];
  const faultWords = (record: DeviceEventRecord | undefined, due: boolean): string => {
    if (record === undefined) return due ? t("缺") : "";
    const fault = value && recordFault(kind, record, value.settings);
    if (!fault) return "";
    const field = fields.find(({ key }) => key === fault.key);
    const told = `${field ? local(field.name) : fault.key} ${number(Number(fault.value), 1)}`;
    return join([told, rangeWords(fault)]);
  };
  const sums = sumsOf(rows, (record) => value !== undefined && recordFault(kind, record, value.settings) === undefined);
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{title}</h1>
      </div>
      <PaperBar disabled={!value}>
        <select
          className="input"
          aria-label={t("设备")}
          value={device?.id ?? ""}
          onChange={(event) => choose("id", event.target.value)}
        >
          {(devices.value ?? []).map(({ id, name }) => (
            <option key={id} value={id}>
              {nameOf(name)}
            </option>
          ))}
        </select>
        <input
          className="input"
          type="date"
          aria-label={t("日期")}
          max={shanghaiDay(Date.now())}
          value={day}
          onChange={(event) => event.target.value && choose("day", event.target.value)}
        />
        <Button onPress={() => choose("day", dayBeside(-1))}>{t("前一天")}</Button>
        <Button isDisabled={day >= shanghaiDay(Date.now())} onPress={() => choose("day", dayBeside(1))}>
          {t("后一天")}
        </Button>
      </PaperBar>
      {error && (
        <LoadingProblem
          error={error}
          onRetry={devices.error ? devices.reload : loaded.reload}
          what={title}
          kept={value !== undefined}
        />
      )}
      {devices.value?.length === 0 && <ExceptionView type="empty" text={t("还没有这类设备。")} />}
      {!value && !error && (loaded.loading || devices.loading) && <SectionWait />}
      {value && device && (
        <Paper
          title={t("除臭塔小时登记表")}
          about={[
            nameOf(device.farmName),
            shortName(nameOf(device.name), [nameOf(device.farmName)]),
            device.serialNumber,
          ].join(" · ")}
          facts={[
            { name: t("日期"), value: day },
            { name: t("生成"), value: dateTime(value.atMs) },
          ]}
          signs={[t("填表人"), t("复核人"), t("日期")]}
        >
          <ScrollRegion
            label={t("{name}，表", { name: title })}
            className={`${paperStyles.scroll} ${paperStyles.narrow}`}
          >
            <table data-unremarked={rows.every(({ record, due }) => faultWords(record, due) === "") || undefined}>
              <thead>
                <tr>
                  <th scope="col">{t("钟点")}</th>
                  {fields.map(({ key, name, unit }) => (
                    <th key={key} scope="col" className="numeric">
                      {`${local(name)} ${local(localUnit(unit))}`.trim()}
                    </th>
                  ))}
                  <th scope="col">{t("备注")}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map(({ hour, record, due }) => (
                  <tr key={hour} data-missing={due && record === undefined ? true : undefined}>
                    <th scope="row">{`${String(hour).padStart(2, "0")}:00`}</th>
                    {fields.map(({ key }) => {
                      const found = record?.fields[key];
                      return (
                        <td key={key} className="numeric">
                          {typeof found === "number" ? number(found, key === "dp" ? 0 : 2) : due ? "--" : ""}
                        </td>
                      );
                    })}
                    <td>{faultWords(record, due)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
          <dl className={paperStyles.sums}>
            <div>
              <dt>{t("应有记录")}</dt>
              <dd>{t("{count} 小时", { count: sums.due })}</dd>
            </div>
            <div>
              <dt>{t("实有记录")}</dt>
              <dd>{t("{count} 小时", { count: sums.kept })}</dd>
            </div>
            <div>
              <dt>{t("达标记录")}</dt>
              <dd>{t("{count} 小时", { count: sums.good })}</dd>
            </div>
            <div>
              <dt>{t("排液")}</dt>
              <dd>{number(sums.discharge, 2)} m³</dd>
            </div>
            <div>
              <dt>{t("用电")}</dt>
              <dd>{number(sums.kwh, 1)} kWh</dd>
            </div>
          </dl>
          <p className={paperStyles.note}>
            {t("数值由设备每小时写入，写入后不能改；缺的小时不补算。小时按北京时间，记在开始的那个小时。")}
          </p>
        </Paper>
      )}
    </>
  );
}

export const clientLoader = kindViewAt;
export const shouldRevalidate = onOtherPath;

/** The hourly register of a kind. */
export default function KindRegister() {
  return (
    <KindPage>
      <Register />
    </KindPage>
  );
}
