import { type Alarm, type AlarmCounts, type AlarmEvent, alarmLive, alarmOpen, type QueryOf } from "@herdwise/contract";
import { asksNow, worstFirst } from "@herdwise/contract/alarm-asking";
import { useCallback, useEffect, useRef, useState } from "react";
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
 * @param onAsking told of each alarm that begins to ask while the page is open: a new one, or a known one that asks again
 */
export function useAlarms(places: Places = {}, onAsking: (alarm: Alarm) => void = () => undefined): AlarmsNow {
  const { unitId, deviceId, kind } = places;
  const key = `alarms ${unitId ?? ""} ${deviceId ?? ""} ${kind ?? ""}`;
  const loaded = useLoad(key, (signal) => call(alarmOpen, { query: places, signal, quiet: true }));
  const [changed, setChanged] = useState<ReadonlyMap<string, Alarm>>(new Map());
  const [stream, setStream] = useState<StreamState>("connecting");
  const { value, reload } = loaded;
  const tell = useRef(onAsking);
  tell.current = onAsking;
  /** Alarms that ask as far as the person was told; undefined before the first list, which tells nobody. */
  const asking = useRef<Set<string>>(undefined);
  const hear = useCallback((alarms: readonly Alarm[]): void => {
    const now = Date.now();
    for (const alarm of alarms) {
      if (!asksNow(alarm, now)) asking.current?.delete(alarm.id);
      else if (asking.current && !asking.current.has(alarm.id)) {
        asking.current.add(alarm.id);
        tell.current(alarm);
      }
    }
  }, []);
  // Alarms of another place are no new ones; this comes before the list is taken, which may be there at once.
  useEffect(() => {
    if (key !== "") asking.current = undefined;
  }, [key]);
  useEffect(() => {
    if (!value) return;
    setChanged(new Map());
    const now = Date.now();
    hear(value.alarms);
    asking.current = new Set(value.alarms.filter((alarm) => asksNow(alarm, now)).map(({ id }) => id));
  }, [value, hear]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const renew = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        reload();
      }, reloadAfterMs);
    };
    const end = followStream<AlarmEvent>(alarmLive.path, {
      onState: setStream,
      onGap: reload,
      onEvent: (event) => {
        renew();
        if (event.type === "reset") return;
        const { alarm } = event;
        if ((unitId && alarm.unitId !== unitId) || (deviceId && alarm.deviceId !== deviceId)) return;
        if (kind && alarm.kind !== kind) return;
        hear([alarm]);
        setChanged((now) => new Map(now).set(alarm.id, alarm));
      },
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [unitId, deviceId, kind, reload, hear]);

  const held = new Map((value?.alarms ?? []).map((alarm) => [alarm.id, alarm]));
  for (const [id, alarm] of changed) {
    if (alarm.state === "open") held.set(id, alarm);
    else held.delete(id);
  }
  return {
    alarms: value && [...held.values()].toSorted(worstFirst(Date.now())),
    counts: value?.counts,
    error: loaded.error,
    loading: loaded.loading,
    stream,
    reload,
  };
}
