import type { DeviceStatus, LiveEvent, Readings } from "@herdwise/contract";
import { useEffect, useRef, useState } from "react";
import { liveStream, type StreamState } from "../../shared/api/live-stream.ts";
import { signal } from "./device-signals.ts";

/** What some devices told since the last batch. */
export interface LiveBatch {
  readings: Map<string, Readings>;
  status: Map<string, DeviceStatus>;
}

const batchMs = 500;
/** Devices per stream, as the contract allows. */
const mostPerStream = 500;

const chunks = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / mostPerStream) }, (_, index) =>
    ids.slice(index * mostPerStream, (index + 1) * mostPerStream),
  );

/**
 * Follows devices and hands over what they tell in batches, so that a busy farm does not redraw the page for every value.
 * @returns the state of the connection
 */
export function useLiveReadings(
  ids: readonly string[],
  onBatch: (batch: LiveBatch) => void,
  onGap: () => void,
): StreamState {
  const [state, setState] = useState<StreamState>("connecting");
  const handlers = useRef({ onBatch, onGap });
  handlers.current = { onBatch, onGap };
  const key = ids.join(",");

  useEffect(() => {
    if (key === "") return;
    let batch: LiveBatch = { readings: new Map(), status: new Map() };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = (): void => {
      timer = undefined;
      handlers.current.onBatch(batch);
      batch = { readings: new Map(), status: new Map() };
    };
    const onEvent = (event: LiveEvent): void => {
      if (event.type === "telemetry")
        batch.readings.set(event.id, { ...batch.readings.get(event.id), ...event.readings });
      else if (event.type === "presence") batch.status.set(event.id, event.status);
      else {
        signal(event);
        return;
      }
      timer ??= setTimeout(flush, batchMs);
    };
    const ends = chunks(key.split(",")).map((part) =>
      liveStream(part, { onEvent, onState: setState, onGap: () => handlers.current.onGap() }),
    );
    return () => {
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }, [key]);
  return state;
}

/** Newest device time among readings. */
export const newestMs = (readings: Readings): number =>
  Object.values(readings).reduce((newest, { ts }) => Math.max(newest, ts), 0);
