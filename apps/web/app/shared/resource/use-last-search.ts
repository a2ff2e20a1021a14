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
 * What a list that shows nothing without conditions was searched for last time, as long as the browser's tab is open.
 * @param place account and list
 * @param searched the conditions show rows now, and are what the next visit gets
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
