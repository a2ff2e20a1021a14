import type { Locator, Page } from "playwright-core";
import { settled } from "./browser.ts";

/** What a person did on a page. */
export interface Effort {
  /** Clicks and taps; a choice from a list that opens is two. */
  clicks: number;
  /** Fields that were typed into, one each. */
  typed: number;
  /** Keys pressed at once: Ctrl-K is one, Enter is one. */
  keys: number;
  /** Whole screens that were scrolled before something was in view. */
  scrolls: number;
}

const limit = 15_000;

/**
 * A page as a person works with it: everything that hands do goes through here and is counted, so that the number of a way is never
 * written by hand. Looking costs nothing but the screens that were scrolled.
 */
export class CountedPage {
  readonly page: Page;
  readonly effort: Effort = { clicks: 0, typed: 0, keys: 0, scrolls: 0 };

  constructor(page: Page) {
    this.page = page;
  }

  /** All of it: each of its parts counts the same. */
  get sum(): number {
    const { clicks, typed, keys, scrolls } = this.effort;
    return clicks + typed + keys + scrolls;
  }

  /** Looks at something, and scrolls to it where it is out of view. */
  async sees(target: Locator): Promise<void> {
    await target.waitFor({ timeout: limit });
    // What is still to come may push the target out of view.
    await settled(this.page);
    this.effort.scrolls += await screensTo(this.page, target);
    await target.scrollIntoViewIfNeeded();
  }

  async clicks(target: Locator): Promise<void> {
    await this.sees(target);
    await target.click({ timeout: limit });
    this.effort.clicks += 1;
  }

  async types(field: Locator, text: string): Promise<void> {
    await this.sees(field);
    await field.fill(text);
    this.effort.typed += 1;
  }

  /** Chooses from a list that opens: one click for the list, one for the line. */
  async chooses(list: Locator, option: string | { label: string } | { index: number }): Promise<void> {
    await this.sees(list);
    await list.selectOption(option, { timeout: limit });
    this.effort.clicks += 2;
  }

  /** Adds files from a device: one click for the button, one for the file. */
  async adds(input: Locator, files: Parameters<Locator["setInputFiles"]>[0]): Promise<void> {
    await input.setInputFiles(files, { timeout: limit });
    this.effort.clicks += 2;
  }

  async presses(keys: string): Promise<void> {
    await this.page.keyboard.press(keys);
    this.effort.keys += 1;
  }
}

/** Whole screens between what is in view and a target; what stands still over the page, such as a dialog, is in view. */
async function screensTo(page: Page, target: Locator): Promise<number> {
  const box = await target.boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  if (box === null || height === 0) return 0;
  const away = box.y < 0 ? -box.y : box.y + Math.min(box.height, height) - height;
  return Math.max(0, Math.floor(away / height));
}
