import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { settingNames, unknownSettings } from "./setting-names.ts";

test("every setting that the configuration reads is known by its name", () => {
  const source = readFileSync(new URL("./config.ts", import.meta.url), "utf8");
  const read = new Set([...source.matchAll(/\b(?:text|list|needed)\("([A-Z0-9_]+)"\)/g)].map(([, name = ""]) => name));
  // Those that a prefix is put before.
  const prefixed = new Set(["KEY_ID", "KEY_SECRET", "APP_ID", "SIGN_NAME", "TEMPLATE_ALARM"]);
  expect(read.size).toBeGreaterThan(50);
  expect([...read].filter((name) => !settingNames.has(name) && !prefixed.has(name))).toEqual([]);
});

test("a mistyped setting is told with the one that was meant, and nobody else's variables are", () => {
  expect(unknownSettings(["PUBIC_URL", "DATABSE_URL", "SMS_SIGNATURE"])).toEqual([
    { name: "PUBIC_URL", meant: "PUBLIC_URL" },
    { name: "DATABSE_URL", meant: "DATABASE_URL" },
    { name: "SMS_SIGNATURE" },
  ]);
  const others = "PATH HOME MAIL USER SHELL HOSTNAME SESSION_MANAGER XDG_DATA_DIRS LOGNAME NODE_ENV TEST_DATABASE_URL";
  expect(unknownSettings([...others.split(" "), ...settingNames])).toEqual([]);
});
