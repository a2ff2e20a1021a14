import { type Alarm, type AlarmCounts, type AlarmEvent, alarmLive, alarmOpen, type QueryOf } from "@herdwise/contract";
import { useEffect, useRef, useState } from "react";
import type { ApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { followStream, type StreamState } from "../../shared/api/live-stream.ts";
import { useLoad } from "../../shared/api/use-load.ts";

export interface AlarmsNow {
  alarms: readonly Alarm[] | undefined;
  counts: AlarmCounts | undefined;
  error: ApiError | undefined;
  loading: boolean;
  stream: StreamState;
  reload: () => void;
}

type Places = Pick<QueryOf<typeof alarmOpen>, "unitId" | "deviceId" | "kind">;

/** Many changes are one reading. */
const reloadAfterMs = 300;

/**
 * Open alarms of the tenant, of a unit, of a device or of a kind, kept current by the live stream: each change shows at once, and the
 * counts are read anew soon after.
 * @param onNew told of each alarm that begins while the page is open
 */
export function useAlarms(places: Places = {}, onNew: (alarm: Alarm) => void = () => undefined): AlarmsNow {
  const { unitId, deviceId, kind } = places;
  const key = `alarms ${unitId ?? ""} ${deviceId ?? ""} ${kind ?? ""}`;
  const loaded = useLoad(key, (signal) => call(alarmOpen, { query: places, signal, quiet: true }));
  const [changed, setChanged] = useState<ReadonlyMap<string, Alarm>>(new Map());
  const [stream, setStream] = useState<StreamState>("connecting");
  const { value, reload } = loaded;
  useEffect(() => {
    if (value) setChanged(new Map());
  }, [value]);
  const known = useRef<ReadonlySet<string>>(new Set());
  known.current = new Set(value?.alarms.map(({ id }) => id));
  const tell = useRef(onNew);
  tell.current = onNew;

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const renew = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        reload();
      }, reloadAfterMs);
    };
    const told = new Set<string>();
    const end = followStream<AlarmEvent>(alarmLive.path, {
      onState: setStream,
      onGap: reload,
      onEvent: (event) => {
        renew();
        if (event.type === "reset") return;
        const { alarm } = event;
        if ((unitId && alarm.unitId !== unitId) || (deviceId && alarm.deviceId !== deviceId)) return;
        if (kind && alarm.kind !== kind) return;
        if (alarm.state === "open" && !known.current.has(alarm.id) && !told.has(alarm.id)) {
          told.add(alarm.id);
          tell.current(alarm);
        }
        setChanged((now) => new Map(now).set(alarm.id, alarm));
      },
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [unitId, deviceId, kind, reload]);

  const held = new Map((value?.alarms ?? []).map((alarm) => [alarm.id, alarm]));
  for (const [id, alarm] of changed) {
    if (alarm.state === "open") held.set(id, alarm);
    else held.delete(id);
  }
  return {
    alarms: value && [...held.values()],
    counts: value?.counts,
    error: loaded.error,
    loading: loaded.loading,
    stream,
    reload,
  };
}
