import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clearSession, draftPrefix } from "./storage.ts";

/** A storage whose keys are its own properties, as the browser's are. */
function storageOf(entries: Record<string, string>): Storage {
  const methods = {
    getItem(this: Record<string, string>, key: string) {
      return this[key] ?? null;
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value;
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key];
    },
    clear(this: Record<string, string>) {
      for (const key of Object.keys(this)) delete this[key];
    },
  };
  return Object.assign(Object.create(methods), entries) as Storage;
}
let local: Storage;
let tab: Storage;
beforeEach(() => {
  local = storageOf({ token: "t", theme: "dark", [`${draftPrefix}1_address`]: "{}" });
  tab = storageOf({ view: "1", sms_login: "{}", [`${draftPrefix}1_card`]: "{}" });
  vi.stubGlobal("localStorage", local);
  vi.stubGlobal("sessionStorage", tab);
});
afterEach(() => vi.unstubAllGlobals());

test("a session that ends leaves what was typed, in the browser and in the tab, and nothing of itself", () => {
  clearSession(false);
  expect(Object.keys(local)).toEqual(["theme", `${draftPrefix}1_address`]);
  expect(Object.keys(tab)).toEqual(["sms_login", `${draftPrefix}1_card`]);
});

test("a log-out leaves nothing of what was typed", () => {
  clearSession();
  expect(Object.keys(local)).toEqual(["theme"]);
  expect(Object.keys(tab)).toEqual(["sms_login"]);
});
