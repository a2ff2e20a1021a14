import { type DeviceEventRecord, deviceEventPage } from "@herdwise/contract";
import { type EventField, localUnit } from "@herdwise/device-kinds";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Waiting } from "../../shared/states/waiting.tsx";
import { useKind, useLocalText } from "./kind-view.ts";
import { NewerOlder } from "./newer-older.tsx";
import { useValueText } from "./records-card.tsx";
import type { DeviceNow } from "./use-unit.ts";

const rows = 8;

/** The fields of a record in one line, as the kind declares them. */
function useFieldText(): (record: DeviceEventRecord, declared: readonly EventField[]) => string {
  const local = useLocalText();
  const valueText = useValueText();
  return ({ fields }, declared) =>
    declared
      .flatMap((field) => {
        const value = fields[field.key];
        if (value === undefined || value === null || value === "") return [];
        return [`${local(field.name)} ${valueText(field, value)} ${local(localUnit(field.unit, value))}`.trim()];
      })
      .join(" · ");
}

interface EventsProps {
  device: DeviceNow;
  /** Only those by which a device tells that somebody worked on it. */
  maintenance?: boolean;
}

/** The newest records of a device, by type where one is chosen. */
export function DeviceEvents({ device, maintenance = false }: EventsProps) {
  const t = useTranslate();
  const { dateTime } = useFormats();
  const local = useLocalText();
  const fieldText = useFieldText();
  const { kind } = useKind();
  const types = kind.events.filter((event) => !maintenance || event.maintenance);
  const [type, setType] = useState("");
  const [current, setCurrent] = useState(1);
  const wanted = maintenance ? types.map((event) => event.type) : [type];
  const { value, error, reload } = useLoad(
    types.length === 0 ? undefined : `events ${device.deviceId} ${wanted.join()} ${current}`,
    async (signal) => {
      const pages = await Promise.all(
        wanted.map((one) => {
          const query = { id: device.deviceId, current, size: rows, ...(one !== "" && { type: one }) };
          return call(deviceEventPage, { query, signal, quiet: true });
        }),
      );
      return {
        records: pages.flatMap(({ records }) => records).toSorted((a, b) => b.ts - a.ts),
        pages: Math.max(...pages.map((page) => page.pages)),
      };
    },
  );
  const title = maintenance ? t("维护记录") : t("事件");
  const titleId = maintenance ? "maintenance-title" : "events-title";
  return (
    <section className="card" aria-labelledby={titleId}>
      <header>
        <h2 id={titleId}>{title}</h2>
        <span className="spacer" />
        {!maintenance && (
          <select
            className="chip"
            aria-label={t("事件类型")}
            value={type}
            onChange={(event) => {
              setType(event.target.value);
              setCurrent(1);
            }}
          >
            <option value="">{t("全部类型")}</option>
            {types.map((event) => (
              <option key={event.type} value={event.type}>
                {local(event.name)}
              </option>
            ))}
          </select>
        )}
      </header>
      {error && <LoadingProblem error={error} onRetry={reload} what={title} kept={value !== undefined} />}
      {types.length > 0 && !value && !error && <Waiting />}
      {(types.length === 0 || value?.records.length === 0) && (
        <ExceptionView type="empty" text={maintenance ? t("设备还没有报告过维护。") : t("设备还没有发来这类事件。")} />
      )}
      {value && value.records.length > 0 && (
        <ul className="event-list">
          {value.records.map((record) => {
            const declared = kind.events.find((event) => event.type === record.type);
            return (
              <li key={`${record.type} ${record.eventId}`}>
                <time>{dateTime(record.ts)}</time>
                <b>{declared ? local(declared.name) : record.type}</b>
                <span className="mut">{fieldText(record, declared?.fields ?? [])}</span>
              </li>
            );
          })}
        </ul>
      )}
      {value && <NewerOlder current={current} pages={value.pages} onChange={setCurrent} />}
    </section>
  );
}
