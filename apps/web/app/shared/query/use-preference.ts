import { preferenceList, preferenceSubmit } from "@herdwise/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useRef } from "react";
import { call } from "../api/call.ts";
import { storedUserId } from "../session/storage.ts";

const queryKey = ["preferences"] as const;
/** What this browser knows until the server answers, so that the first paint has the person's columns. */
const storageKey = (): string => `preferences_${storedUserId()}`;
/** Changes are sent together when the hand rests: dragging a column's edge is one change. */
const sendAfterMs = 600;

type Held = Readonly<Record<string, string>>;

function readHeld(): Held | undefined {
  try {
    const held: unknown = JSON.parse(localStorage.getItem(storageKey()) ?? "null");
    return typeof held === "object" && held !== null ? (held as Held) : undefined;
  } catch {
    return undefined;
  }
}

function writeHeld(held: Held): void {
  try {
    localStorage.setItem(storageKey(), JSON.stringify(held));
  } catch {
    // Storage is full or forbidden; the account still has them.
  }
}

async function load(signal: AbortSignal): Promise<Held> {
  const rows = await call(preferenceList, { signal, quiet: true });
  const held = Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  writeHeld(held);
  return held;
}

/**
 * A choice of the person for a screen, the same in every browser of the account.
 * @param key for example `list.dept`
 * @param read makes a value of what is kept, which an older version of the app may have written
 */
export function usePreference<Value>(key: string, read: (kept: unknown) => Value): [Value, (next: Value) => void] {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => load(signal),
    placeholderData: readHeld,
    staleTime: 60_000,
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const text = data?.[key];
  const value = useMemo(() => {
    try {
      return read(text === undefined ? undefined : JSON.parse(text));
    } catch {
      return read(undefined);
    }
  }, [text, read]);
  const change = useCallback(
    (next: Value): void => {
      const written = JSON.stringify(next);
      void client.cancelQueries({ queryKey });
      client.setQueryData<Held>(queryKey, (now) => {
        const held = { ...(now ?? readHeld()), [key]: written };
        writeHeld(held);
        return held;
      });
      clearTimeout(timer.current);
      // A refusal shows as a toast; this browser keeps the choice.
      const send = (): void => void call(preferenceSubmit, { body: { key, value: written } }).catch(() => undefined);
      timer.current = setTimeout(send, sendAfterMs);
    },
    [client, key],
  );
  return [value, change];
}
