import { useEffect, useState } from "react";
import type { Selecting } from "./list-state.ts";

const storageKey = (place: string): string => `searched_${place}`;

function readSearch(place: string): Pick<Selecting, "keyword" | "where"> | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey(place)) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Remembers the last conditions of a list that requires one, until the browser tab is closed.
 * @param place account and list
 * @param searched whether the current conditions show rows, and so are stored
 */
export function useLastSearch(
  place: string,
  { keyword, where }: Selecting,
  searched: boolean,
): Pick<Selecting, "keyword" | "where"> | undefined {
  const [last] = useState(() => readSearch(place));
  const text = JSON.stringify({ keyword, where });
  useEffect(() => {
    if (searched) sessionStorage.setItem(storageKey(place), text);
  }, [searched, place, text]);
  return last;
}
