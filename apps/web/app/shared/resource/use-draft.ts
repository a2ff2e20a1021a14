import { useEffect, useState } from "react";
import { draftPrefix } from "../session/storage.ts";
import { markUnsaved } from "../session/unsaved.ts";

/**
 * Keeps input through errors, an expired session and a reload until it is sent; only fields that differ from the initial values
 * are stored.
 * @param place account and form
 * @param held initial values: empty, or the saved ones
 * @param keeper session storage for numbers of cards and phones, which are removed with the tab
 */
export function useDraft<Values extends object>(
  place: string,
  held: Values,
  keeper: Storage = localStorage,
): [Values, (change: Partial<Values> | ((now: Values) => Partial<Values>)) => void, () => void] {
  const key = `${draftPrefix}${place}`;
  const [values, setValues] = useState<Values>(() => {
    try {
      return { ...held, ...(JSON.parse(keeper.getItem(key) ?? "{}") as Partial<Values>) };
    } catch {
      return held;
    }
  });
  const [changed, setChanged] = useState(false);
  const differing = Object.entries(values).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(held[field as keyof Values]),
  );
  const typed = JSON.stringify(Object.fromEntries(differing));
  useEffect(() => {
    if (!changed) return;
    try {
      if (typed === "{}") keeper.removeItem(key);
      else keeper.setItem(key, typed);
    } catch {
      // Ignored, because the form still holds the input.
    }
  }, [key, keeper, typed, changed]);
  // An expired session is renewed in place, so that the input and its photos are kept.
  const isTyped = differing.length > 0;
  useEffect(() => (isTyped ? markUnsaved() : undefined), [isTyped]);
  return [
    values,
    (change) => {
      setChanged(true);
      setValues((now) => ({ ...now, ...(typeof change === "function" ? change(now) : change) }));
    },
    () => {
      setChanged(false);
      keeper.removeItem(key);
    },
  ];
}
