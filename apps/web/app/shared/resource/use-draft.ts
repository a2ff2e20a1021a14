import { useEffect, useState } from "react";
import { draftPrefix } from "../session/storage.ts";
import { markUnsaved } from "../session/unsaved.ts";

/**
 * What somebody typed, kept through errors, expiry and reload until it is sent; only what differs from what the form begins with.
 * @param place account and form
 * @param held what the form begins with: nothing, or what is saved
 * @param keeper the tab's storage for numbers of cards and phones, which end with the tab
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
      // The form itself still holds it.
    }
  }, [key, keeper, typed, changed]);
  // A session that ends asks for the password here, over what is typed and the photos beside it.
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
