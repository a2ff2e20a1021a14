import { useCallback, useEffect, useRef, useState } from "react";
import { type ApiError, asApiError } from "./api-error.ts";
import { reach } from "./reach.ts";

export interface Loading<Value> {
  /** The newest value; stays through later errors. */
  value: Value | undefined;
  error: ApiError | undefined;
  loading: boolean;
  reload: () => void;
}

/**
 * Loads a value when the key changes and on `reload`. An answer that comes late is dropped; an error keeps the last value.
 * What never arrived is asked for again once the server is heard.
 * @param key identifies what is loaded; undefined loads nothing
 * @param known the value, where it is here before the first picture: it is not loaded again
 */
export function useLoad<Value>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<Value>,
  known?: Value,
): Loading<Value> {
  const [state, setState] = useState<{ key: string | undefined; value?: Value; error?: ApiError; loading: boolean }>({
    ...(known === undefined ? { key: undefined } : { key, value: known }),
    loading: key !== undefined && known === undefined,
  });
  const isKnown = useRef(known !== undefined);
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;

  // `round` is the reload trigger; the loader itself is always the latest.
  useEffect(() => {
    if (key === undefined) return;
    if (isKnown.current) {
      isKnown.current = false;
      return;
    }
    const cancel = new AbortController();
    setState((now) => (now.key === key ? { ...now, loading: true } : { key, loading: true }));
    latest.current(cancel.signal).then(
      (value) => !cancel.signal.aborted && setState({ key, value, loading: false }),
      (reason) =>
        !cancel.signal.aborted && setState((now) => ({ ...now, key, error: asApiError(reason), loading: false })),
    );
    return () => cancel.abort();
  }, [key, round]);

  const reload = useCallback(() => setRound((now) => now + 1), []);
  const fresh = state.key === key;
  const unheard = fresh && state.error?.code === 0;
  useEffect(
    () => (unheard ? reach.subscribe(() => reach.lostAtMs() === undefined && reload()) : undefined),
    [unheard, reload],
  );
  return {
    value: fresh ? state.value : undefined,
    error: fresh ? state.error : undefined,
    loading: key !== undefined && (!fresh || state.loading),
    reload,
  };
}
