import { type FoundKind, findKept, findList, longestFind } from "@herdwise/contract";
import { useEffect, useState } from "react";
import { type ApiError, asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { reach } from "../../shared/api/reach.ts";
import { useLoad } from "../../shared/api/use-load.ts";

/** How long the hand rests before the server is asked, ms. */
const restMs = 80;

export interface Found {
  /** Of the newest text that was answered; they stay until the next answer, so that the list does not blink. */
  kinds: readonly FoundKind[];
  /** The answer to what is typed now is still to come. */
  isWaiting: boolean;
  error: ApiError | undefined;
}

const nothing: readonly FoundKind[] = [];

/** Things of the server by what is typed. An answer that comes late never replaces a newer one. */
export function useFound(typed: string): Found {
  const text = typed.trim().slice(0, longestFind);
  const [state, setState] = useState<{ text: string; kinds: readonly FoundKind[]; error?: ApiError }>({
    text: "",
    kinds: nothing,
  });
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (text === "") {
      setState({ text, kinds: nothing });
      return;
    }
    const cancel = new AbortController();
    const timer = setTimeout(() => {
      call(findList, { query: { q: text }, signal: cancel.signal, quiet: true }).then(
        (kinds) => !cancel.signal.aborted && setState({ text, kinds }),
        (reason: unknown) => !cancel.signal.aborted && setState({ text, kinds: nothing, error: asApiError(reason) }),
      );
    }, restMs);
    return () => {
      clearTimeout(timer);
      cancel.abort();
    };
  }, [text, round]);
  const isUnheard = state.error?.code === 0;
  // Asked again as soon as the server is heard.
  useEffect(
    () => (isUnheard ? reach.subscribe(() => reach.lostAtMs() === undefined && setRound((now) => now + 1)) : undefined),
    [isUnheard],
  );
  return { kinds: text === "" ? nothing : state.kinds, isWaiting: state.text !== text, error: state.error };
}

/** Of the things that were opened before those that the person may still see, with the names that they have now. */
export function useKept(things: readonly string[]): { kinds: readonly FoundKind[]; isWaiting: boolean } {
  const asked = things.join();
  const { value, loading } = useLoad(asked === "" ? undefined : asked, (signal) =>
    call(findKept, { query: { things: asked }, signal, quiet: true }),
  );
  return { kinds: value ?? nothing, isWaiting: loading && value === undefined };
}
