import {
  type Commissioning,
  type CommissioningAct,
  commissioningActSubmit,
  commissioningDetail,
  commissioningLook,
  commissioningMeasure,
  mostCommissioningActs,
} from "@herdwise/contract";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { type ApiError, asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { reach } from "../../shared/api/reach.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { readSession } from "../../shared/session/storage.ts";
import { keptFor, type QueuedAct } from "./kept.ts";

/** How often a trial is looked at, and how often what waits is sent again, ms. */
const lookMs = 3000;
const againMs = 10_000;

type Act = Pick<CommissioningAct, "itemId" | "type" | "passed" | "text" | "note" | "photo">;

export interface OpenList {
  list: Commissioning | undefined;
  error: ApiError | undefined;
  /** Since when the server is not heard, ms since 1970. */
  lostAtMs: number | undefined;
  /** Acts that wait for the network. */
  waiting: readonly QueuedAct[];
  /** What the server refused last, by item, in Chinese. */
  refused: Readonly<Record<string, string>>;
  act: (act: Act) => void;
  /** Lets the server measure. @throws {ApiError} what it refused */
  measure: (itemId: string, more?: { accountId?: string; confirmed?: boolean }) => Promise<void>;
  show: (list: Commissioning) => void;
  reload: () => void;
}

/** A list on site. Everything that a person does goes through a queue: with a network it leaves at once, without one when it is back. */
export function useCommissioning(id: string): OpenList {
  const { user, permissions } = useAccess();
  const mayEdit = permissions.has("commissioning_edit");
  const store = useMemo(() => keptFor(`${readSession()?.tenantId ?? ""}_${user.user_id}`), [user.user_id]);
  const [list, setList] = useState<Commissioning | undefined>(() => store.list(id));
  const [error, setError] = useState<ApiError>();
  const [queue, setQueue] = useState<readonly QueuedAct[]>(() => store.queue(Date.now()));
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const lostAtMs = useSyncExternalStore(reach.subscribe, reach.lostAtMs, () => undefined);
  const sending = useRef(false);

  const show = useCallback(
    (fresh: Commissioning): void => {
      if (fresh.id !== id) return;
      store.keepList(fresh);
      setList(fresh);
      setError(undefined);
    },
    [store, id],
  );
  const load = useCallback(
    async (looking = false): Promise<void> => {
      try {
        show(
          looking
            ? await call(commissioningLook, { body: { id }, quiet: true })
            : await call(commissioningDetail, { query: { id }, quiet: true }),
        );
      } catch (reason) {
        setError(asApiError(reason));
      }
    },
    [id, show],
  );
  const changeQueue = useCallback(
    (change: (queue: readonly QueuedAct[]) => readonly QueuedAct[]): void => {
      // Another tab may have queued meanwhile: what is stored counts.
      const next = change(store.queue(Date.now()));
      store.keepQueue(next);
      setQueue(next);
    },
    [store],
  );
  const send = useCallback(async (): Promise<void> => {
    const waiting = store.queue(Date.now()).slice(0, mostCommissioningActs);
    if (sending.current || waiting.length === 0) return;
    sending.current = true;
    try {
      const acts = waiting.map(({ listId: _list, ...act }) => act);
      const answers = await call(commissioningActSubmit, { body: { acts, sentMs: Date.now() }, quiet: true });
      setRefused((before) => {
        const next = { ...before };
        for (const { key, outcome, text } of answers) {
          const itemId = waiting.find((one) => one.key === key)?.itemId ?? "";
          if (outcome === "refused") next[itemId] = text;
          else delete next[itemId];
        }
        return next;
      });
      changeQueue((now) => now.filter(({ key }) => !answers.some((answer) => answer.key === key)));
      await load();
    } catch {
      // Without an answer it waits on.
    } finally {
      sending.current = false;
    }
  }, [store, changeQueue, load]);

  useEffect(() => {
    void load();
    void send();
    const round = (): void => void send();
    const timer = setInterval(round, againMs);
    window.addEventListener("online", round);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", round);
    };
  }, [load, send]);
  const isRunning = mayEdit && list?.state === "open" && list.items.some(({ result }) => result === "running");
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => void load(true), lookMs);
    return () => clearInterval(timer);
  }, [isRunning, load]);

  return {
    list,
    error,
    lostAtMs,
    waiting: queue,
    refused,
    act(act) {
      setRefused((before) => ({ ...before, [act.itemId]: "" }));
      changeQueue((now) => [...now, { ...act, key: crypto.randomUUID(), atMs: Date.now(), listId: id }]);
      void send();
    },
    measure: async (itemId, more = {}) =>
      show(await call(commissioningMeasure, { body: { itemId, ...more }, quiet: true })),
    show,
    reload: () => void load(),
  };
}
