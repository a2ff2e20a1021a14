import {
  type BodyOf,
  type PriceBreed,
  type PriceCell,
  type PriceDesk,
  priceDesk,
  type priceSubmit,
} from "@herdwise/contract";
import { isOutlier } from "@herdwise/contract/price-rules";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { call } from "../../shared/api/call.ts";
import { yuan } from "../../shared/prices/price-words.ts";
import { readPrice, type Typed } from "./price-input.ts";

/** Others enter and confirm, too: the desk follows, ms. */
const renewMs = 15_000;

const keyOf = ({ regionCode, breed }: { regionCode: string; breed: string }): string => `${regionCode}.${breed}`;

/** A cell with what is typed into it and not saved. */
export interface DeskCell extends PriceCell {
  key: string;
  /** Undefined while nothing is typed. */
  text: string | undefined;
  typed: Typed | undefined;
  /** What would be saved: another price than the one that is. */
  changed: boolean;
  /** Price that it has or would have. */
  shownFen: number | undefined;
  /** Whether what is typed would wait for a second person. */
  outlier: boolean;
}

function cellOf(cell: PriceCell, text: string | undefined): DeskCell {
  const typed = text === undefined ? undefined : readPrice(text, cell.beforeFen);
  const typedFen = typed?.kind === "price" ? typed.fen : undefined;
  const changed = typed !== undefined && typed.kind !== "wrong" && typedFen !== cell.fen;
  const shownFen = typed === undefined ? cell.fen : typedFen;
  return {
    ...cell,
    key: keyOf(cell),
    text,
    typed,
    changed,
    shownFen,
    outlier: changed && shownFen !== undefined && isOutlier(shownFen, cell.beforeFen),
  };
}

/** The desk of a day: what the server has, what is typed over it, and how the two become one. */
export function usePriceDesk(day: string | undefined) {
  const client = useQueryClient();
  const queryKey = useMemo(() => ["price-desk", day ?? ""], [day]);
  const loaded = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(priceDesk, { query: day === undefined ? {} : { day }, signal, quiet: true }),
    refetchInterval: renewMs,
  });
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const desk = loaded.data;
  const cells = useMemo(
    () => new Map((desk?.cells ?? []).map((cell) => [keyOf(cell), cellOf(cell, typed[keyOf(cell)])])),
    [desk, typed],
  );
  const type = useCallback((key: string, text: string | undefined) => {
    setTyped(({ [key]: _before, ...rest }) => (text === undefined ? rest : { ...rest, [key]: text }));
  }, []);
  const fill = useCallback((entries: readonly { regionCode: string; breed: PriceBreed; fen: number }[]) => {
    setTyped((now) => ({ ...now, ...Object.fromEntries(entries.map((entry) => [keyOf(entry), yuan(entry.fen)])) }));
  }, []);
  /** Takes the desk that a call answered. */
  const take = (answer: PriceDesk): void => {
    client.setQueryData(queryKey, answer);
  };
  const all = [...cells.values()];
  const changed = all.filter((cell) => cell.changed);
  const entries: BodyOf<typeof priceSubmit>["entries"] = changed.map(({ regionCode, breed, shownFen, version }) => ({
    regionCode: regionCode as BodyOf<typeof priceSubmit>["entries"][number]["regionCode"],
    breed,
    version,
    ...(shownFen !== undefined && { fen: shownFen }),
  }));
  return {
    loaded,
    desk,
    cells,
    all,
    changed,
    wrong: all.filter((cell) => cell.typed?.kind === "wrong"),
    entries,
    type,
    fill,
    take,
    /** Forgets what was typed. */
    clear: () => setTyped({}),
    reload: () => void client.invalidateQueries({ queryKey }),
  };
}
