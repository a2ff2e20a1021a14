import { type Appearance, languagePreference, preferenceSubmit, setSelfInfo, type UserInfo } from "@herdwise/contract";
import { useEffect } from "react";
import { call } from "../api/call.ts";
import type { Language } from "../language/dictionary.ts";
import { showToast } from "../states/toast-store.ts";
import { accents, usePreferences } from "./preferences.tsx";

/** Takes side mode and accent over from the account, once per person: on another device it looks the same. */
export function useAccountAppearance({ user_id: userId, sideMode, activeColor }: UserInfo): void {
  const { setSide, setAccent, side, accent } = usePreferences();
  // Later changes on this page are the person's own, and go the other way.
  useEffect(() => {
    const known = accents.find((candidate) => candidate === activeColor);
    if (known && known !== accent) setAccent(known);
    if (sideMode && sideMode !== side) setSide(sideMode);
  }, [userId]);
}

/** Keeps the language with the account: what leaves the portal about alarms is told in it. */
export async function keepLanguage(language: Language): Promise<void> {
  try {
    await call(preferenceSubmit, { body: { key: languagePreference, value: JSON.stringify(language) }, quiet: true });
  } catch {
    // The page is in the language all the same; the next choice is sent again.
  }
}

/** Keeps side mode or colours with the account (product.md 7: code 0 is success). A refusal shows as a toast. */
export async function keepAppearance(appearance: Appearance): Promise<void> {
  try {
    const { msg } = await call(setSelfInfo, { body: appearance, successCode: 0 });
    showToast({ kind: "ok", text: msg || "设置成功" });
  } catch {
    // The toast has said it; this browser keeps the choice.
  }
}
