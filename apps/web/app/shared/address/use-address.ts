import { useCallback, useContext, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { type NavigateOptions, UNSAFE_DataRouterContext, useNavigate, useSearchParams } from "react-router";

/** Sets or, by undefined or "", removes parameters of the address. */
export type ChangeAddress = (values: Record<string, string | undefined>) => void;

type WriteAddress = (update: (now: URLSearchParams) => URLSearchParams, options: NavigateOptions) => void;

/** Queries as `window.location.search` has them: from which one to which one the address is going. */
interface Asked {
  readonly from: string;
  readonly to: string;
  /** A step, such as to another row, may be stopped by a form that asks: it shows when it is done. */
  readonly isStep: boolean;
}

/** The last change of the address that was asked for; one for the page, as it has one address. */
let asked: Asked | undefined;
const listeners = new Set<() => void>();

function ask(change: Asked | undefined): void {
  asked = change;
  for (const tell of listeners) tell();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What was asked for last, while the address is on its way there: the browser has it a moment later, and the router later still. */
function onTheWay(): Asked | undefined {
  const now = window.location.search;
  return asked && (now === asked.from || now === asked.to) ? asked : undefined;
}

/** The query as it shows before the router has it. */
function queryAhead(): string | undefined {
  const { isStep, to } = onTheWay() ?? { isStep: true };
  return isStep ? undefined : to;
}

/**
 * The parameters of the address, and their setter. A change that is no step shows at once, and each begins with what was asked of the address last: of
 * changes that follow each other closely all count. What changes nothing is no step. While another page is on its way only
 * steps count.
 */
export function useAddress(): [URLSearchParams, WriteAddress] {
  const [shown] = useSearchParams();
  const ahead = useSyncExternalStore(subscribe, queryAhead, () => undefined);
  const search = useMemo(() => (ahead === undefined ? shown : new URLSearchParams(ahead)), [ahead, shown]);
  const navigate = useNavigate();
  const latest = useRef(navigate);
  latest.current = navigate;
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  const write = useCallback<WriteAddress>(
    (update, options) => {
      // A word that was typed just before a click on a row would take the place of the page that is on its way. The router itself is
      // asked, as a busy page draws only later that it is leaving.
      const target = router?.state.navigation.location;
      if (options.replace && target !== undefined && target.pathname !== window.location.pathname) return;
      const from = window.location.search;
      const now = new URLSearchParams(onTheWay()?.to ?? from);
      const next = update(new URLSearchParams(now)).toString();
      if (next === now.toString()) return;
      const own = { from, to: next === "" ? "" : `?${next}`, isStep: !options.replace };
      ask(own);
      void Promise.resolve(latest.current(own.to === "" ? "?" : own.to, options)).finally(() => {
        // It is there, and only there; or it did not come to that, as where somebody stays on a form.
        if (asked === own) ask(window.location.search === own.to ? { ...own, from: own.to } : undefined);
      });
    },
    [router],
  );
  return [search, write];
}

/** Parameters of an address with some of them set or removed. */
export function withValues(now: URLSearchParams, values: Record<string, string | undefined>): URLSearchParams {
  for (const [key, value] of Object.entries(values)) {
    if (value) now.set(key, value);
    else now.delete(key);
  }
  return now;
}

/**
 * The parameters of the address, and a setter of single ones.
 * @param isStep whether the browser's way back undoes a change
 * @param fromTop whether a change shows something else, which is read from its beginning
 */
export function useAddressValues({ isStep = false, fromTop = false } = {}): [URLSearchParams, ChangeAddress] {
  const [search, write] = useAddress();
  const change = useCallback<ChangeAddress>(
    (values) => write((now) => withValues(now, values), { replace: !isStep, preventScrollReset: !fromTop }),
    [write, isStep, fromTop],
  );
  return [search, change];
}

/** Renames parameters of old addresses. @param names new names by old ones */
export function useFormerNames(names: Readonly<Record<string, string>>): void {
  const [search, change] = useAddressValues();
  useEffect(() => {
    const former = Object.entries(names).flatMap(([before, now]) => {
      const value = search.get(before);
      return value === null
        ? []
        : [
            [before, undefined],
            [now, value],
          ];
    });
    if (former.length > 0) change(Object.fromEntries(former));
  }, [names, search, change]);
}
