import { type DeviceKind, localUnit } from "@herdwise/device-kinds";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { settled } from "./browser.ts";

/** What a page of a device shows of its kind's declaration. */
interface Shown {
  channels: string[];
  /** Text of the row of each channel. */
  rows: Record<string, string>;
  /** What the head says of the connection and the newest report. */
  head: string;
  events: string[];
  commands: string[];
  states: string[];
  analytics: string[];
}

const shownOn = (page: Page): Promise<Shown> =>
  page.evaluate<Shown>(`(() => {
    const all = (selector) => Array.from(document.querySelectorAll(selector));
    const named = (selector, name) => all(selector).map((found) => found.dataset[name]);
    return {
      channels: named("[data-channel]", "channel"),
      rows: Object.fromEntries(all("[data-channel]").map((row) => [row.dataset.channel, row.textContent])),
      head: document.querySelector("main .meta")?.textContent ?? "",
      events: all("option").map((option) => option.value),
      commands: all("button").map((button) => button.innerText.replace("…", "").trim()),
      states: named("[data-state-of]", "stateOf"),
      analytics: named("[data-analytic]", "analytic"),
    };
  })()`);

/**
 * Holds that a page of a device shows all that its kind declares: every value with its unit or range and how old it is, every type of
 * record, every command, every state, and every analytic, told or not. Made from the declaration: what is added to a kind is looked for.
 * @param page of a device, in English
 */
export async function expectAllDeclared(page: Page, kind: DeviceKind): Promise<void> {
  const shown: Shown = { channels: [], rows: {}, head: "", events: [], commands: [], states: [], analytics: [] };
  for (const tab of ["now", "history", "records", "analysis", "about"]) {
    await page.locator(`#tab-${tab}`).click();
    await settled(page);
    // What cannot be told stands behind a word of its own.
    if (tab === "analysis") await page.locator("[data-analytic]").first().waitFor({ state: "attached" });
    const { rows, head, ...lists } = await shownOn(page);
    Object.assign(shown.rows, rows);
    shown.head = head;
    for (const [name, found] of Object.entries(lists)) shown[name as keyof typeof lists].push(...found);
  }
  const missing = (wanted: readonly string[], found: readonly string[]) => wanted.filter((one) => !found.includes(one));
  const { channels, events, commands, states, analytics } = kind;
  expect
    .soft(
      missing(
        channels.map(({ key }) => key),
        shown.channels,
      ),
      `${kind.kind}: values`,
    )
    .toEqual([]);
  expect
    .soft(
      missing(
        events.map(({ type }) => type),
        shown.events,
      ),
      `${kind.kind}: records`,
    )
    .toEqual([]);
  expect
    .soft(
      missing(
        commands.map(({ name }) => name.en),
        shown.commands,
      ),
      `${kind.kind}: commands`,
    )
    .toEqual([]);
  expect
    .soft(
      missing(
        states.map(({ value }) => value),
        shown.states,
      ),
      `${kind.kind}: states`,
    )
    .toEqual([]);
  expect
    .soft(
      missing(
        analytics.map(({ id }) => id),
        shown.analytics,
      ),
      `${kind.kind}: analytics`,
    )
    .toEqual([]);
  for (const { key, normal, valid, unit, words } of channels) {
    const row = shown.rows[key] ?? "";
    if (words === undefined && (normal ?? valid)) {
      const isFigure = kind.pages?.figures.includes(key);
      // What a sensor can tell at all stands only in the list.
      if (normal || !isFigure)
        expect.soft(row, `${kind.kind}: range of ${key}`).toMatch(normal ? /usually|comfort|limit/ : /range|limit/);
      // A figure has the unit of its number, which may be one.
      const isNamed = row.includes(localUnit(unit).en) || row.includes(localUnit(unit, 1).en);
      expect.soft(isNamed, `${kind.kind}: unit of ${key} in ${row}`).toBe(true);
    }
    // Figures that came with the newest report are as old as the head says.
    const aged = kind.pages?.figures.includes(key) ? `${row} ${shown.head}` : row;
    expect.soft(aged, `${kind.kind}: age of ${key}`).toMatch(/ago|never|not reported/i);
  }
}
