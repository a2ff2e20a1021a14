import { useState } from "react";

/** Begins keys that a cleared session leaves alone (shared/session/storage.ts). */
const prefix = "sms_kept_";

/** A typed value that survives a reload in this tab. For names and numbers, never for passwords. */
export function useKept(name: string): [string, (value: string) => void, () => void] {
  const key = prefix + name;
  const [value, setValue] = useState(() => sessionStorage.getItem(key) ?? "");
  const change = (next: string): void => {
    sessionStorage.setItem(key, next);
    setValue(next);
  };
  return [value, change, () => sessionStorage.removeItem(key)];
}
