import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileOf } from "../apps/web/app/screen-files.ts";
import { screens } from "../apps/web/app/screens.ts";

const root = join(import.meta.dirname, "..");
const page = readFileSync(join(root, "docs/monitoring.md"), "utf8");
const rows = [...page.matchAll(/^\| (.+?) \| `(\/[^`]+)` \| (tests\/\S+) \|$/gm)].map(
  ([, view = "", path = "", file = ""]) => ({
    view,
    path,
    file,
  }),
);

/** Views of the specification that a row of the table must be about. */
const named = [
  "bathRoomEquipment",
  "bathRoomEquipmentDetail",
  "athAnalysis",
  "alarmAnalysisPerson",
  "waterDisinfect",
  "waterDisinfectDetail",
  "waterDispensingMonitor",
  "alarm",
];

test("every monitoring view of the specification has a screen and a test that opens it", () => {
  expect(rows.length).toBeGreaterThanOrEqual(30);
  for (const last of named) expect(rows.map(({ path }) => path)).toContain(`/selfCenter/biosafety/${last}`);
  for (const word of ["needleless", "cough", "temperature", "environment", "deodorization", "dosing", "cleaning"])
    expect(
      rows.some(({ view }) => view.includes(word)),
      word,
    ).toBe(true);
  const paths = new Set(screens.map((screen) => screen.path));
  for (const { view, path, file } of rows) {
    expect(paths, view).toContain(path);
    expect(existsSync(join(root, file)), `${view}: ${file}`).toBe(true);
  }
});

test("every screen of a device kind, the reports and the alarms stand in the page", () => {
  // Addresses of several screens are written with braces: /a/{b,c}.
  const written = [...page.matchAll(/`(\/[^`]+)`/g)].flatMap(([, text = ""]) => {
    const [, before = "", list, after = ""] = /^(.*?)\{([^}]+)\}(.*)$/.exec(text) ?? [];
    return list === undefined ? [text] : list.split(",").map((part) => `${before}${part}${after}`);
  });
  const monitoring = screens
    .filter(
      (screen) => /\/selfCenter\/(vet|biosafety|clean)\//.test(screen.path) && !fileOf(screen).includes("alarms/"),
    )
    .map(({ path }) => path);
  expect(monitoring.length).toBeGreaterThan(30);
  expect(monitoring.filter((path) => !written.includes(path))).toEqual([]);
});
