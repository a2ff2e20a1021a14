import { useEffect, useState } from "react";
import { draftPrefix } from "../session/storage.ts";
import { markUnsaved } from "../session/unsaved.ts";

/** What somebody typed, kept through errors, expiry and reload until it is sent. @param place account and form */
export function useDraft<Values extends object>(
  place: string,
  empty: Values,
): [Values, (change: Partial<Values>) => void, () => void] {
  const key = `${draftPrefix}${place}`;
  const [values, setValues] = useState<Values>(() => {
    try {
      return { ...empty, ...(JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<Values>) };
    } catch {
      return empty;
    }
  });
  const [changed, setChanged] = useState(false);
  useEffect(() => {
    if (!changed) return;
    try {
      localStorage.setItem(key, JSON.stringify(values));
    } catch {
      // The form itself still holds it.
    }
  }, [key, values, changed]);
  // A session that ends asks for the password here, over what is typed and the photos beside it.
  const isTyped = changed || JSON.stringify(values) !== JSON.stringify(empty);
  useEffect(() => (isTyped ? markUnsaved() : undefined), [isTyped]);
  return [
    values,
    (change) => {
      setChanged(true);
      setValues((now) => ({ ...now, ...change }));
    },
    () => {
      setChanged(false);
      localStorage.removeItem(key);
    },
  ];
}
