import { afterEach, beforeEach, expect, it, vi } from "vitest";

const sent: { visits: unknown[] }[] = [];
const on: Record<string, () => void> = {};
let visibility = "visible";

beforeEach(() => {
  vi.useFakeTimers();
  sent.length = 0;
  visibility = "visible";
  vi.stubGlobal("location", { origin: "https://farm.test" });
  vi.stubGlobal("navigator", {
    sendBeacon: (_path: string, body: Blob) => {
      void body.text().then((text) => sent.push(JSON.parse(text)));
      return true;
    },
  });
  const listen = (name: string, listener: () => void): void => {
    on[name] = listener;
  };
  vi.stubGlobal("window", { addEventListener: listen });
  vi.stubGlobal("document", {
    referrer: "https://farm.test/index?secret=1",
    get visibilityState() {
      return visibility;
    },
    addEventListener: listen,
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("counts visible time per page and sends it when the page goes away", async () => {
  const { beginVisit, watchVisits } = await import("./visits.ts");
  watchVisits();
  beginVisit("login", "/login", "zh");
  vi.advanceTimersByTime(4000);
  beginVisit("self_home", "/selfCenter/home", "zh");
  beginVisit("self_home", "/selfCenter/home", "zh");
  vi.advanceTimersByTime(1000);
  visibility = "hidden";
  on.visibilitychange?.();
  vi.advanceTimersByTime(60_000);
  visibility = "visible";
  on.visibilitychange?.();
  vi.advanceTimersByTime(500);
  on.pagehide?.();
  vi.useRealTimers();
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  expect(sent.flatMap(({ visits }) => visits)).toEqual([
    { routeName: "login", path: "/login", referrer: "/index", language: "zh", dwellMs: 4000 },
    { routeName: "self_home", path: "/selfCenter/home", referrer: "/login", language: "zh", dwellMs: 1500 },
  ]);
});

it("counts nothing for who does not want it, nor for a browser that asks for privacy", async () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  const { beginVisit, chooseVisits, countsVisits, watchVisits } = await import("./visits.ts");
  watchVisits();
  const visit = (path: string): void => {
    beginVisit("news", path, "zh");
    on.pagehide?.();
  };
  chooseVisits(false);
  expect(countsVisits()).toBe(false);
  visit("/unwanted");
  chooseVisits(true);
  vi.stubGlobal("navigator", { ...navigator, globalPrivacyControl: true });
  expect(countsVisits()).toBe(false);
  visit("/private");
  vi.stubGlobal("navigator", { ...navigator, globalPrivacyControl: false });
  visit("/counted");
  vi.useRealTimers();
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(sent.flatMap(({ visits }) => visits)).toMatchObject([{ path: "/counted" }]);
});
