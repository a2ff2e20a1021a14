import { usePreference } from "../../shared/query/use-preference.ts";

const mostKept = 8;
const isText = (value: unknown): value is string =>
  typeof value === "string" && /^[a-z_]{1,40}:[\w/.?=&#@:-]{1,120}$/i.test(value);
const read = (kept: unknown): readonly string[] => (Array.isArray(kept) ? kept.filter(isText).slice(0, mostKept) : []);

/**
 * Keys of what was opened last, newest first, the same in every browser of the account. Names are not kept: whatever is shown of them is
 * asked for again, and is gone when the person may not see it any more.
 */
export function useRecent(): [keys: readonly string[], note: (key: string) => void] {
  const [keys, keep] = usePreference("find.recent", read);
  return [keys, (key) => keep([key, ...keys.filter((one) => one !== key)].slice(0, mostKept))];
}
