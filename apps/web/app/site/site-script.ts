/* All the script of the public site, 2 kB: the pages come finished from the server, this lets their figures tick, their
   ages count and the theme change. A visitor on a farm's mobile network should not wait for a framework to read a page. */
import { type KindFigures, kindFigures, type LiveFigures, liveFigures, publicClient } from "@herdwise/contract";

import { beginVisit, watchVisits } from "../shared/session/visits.ts";
import { trueMinus } from "./true-minus.ts";

const pollMs = 30_000;
const root = document.documentElement;
const locale = root.lang.startsWith("zh") ? "zh-CN" : "en-GB";

function format(value: number, decimals: number): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return trueMinus(new Intl.NumberFormat(locale, digits).format(value));
}

/** The number that an element's `data-live` names: a reading of the showcase unit, or a figure of the portal. */
function figureOf(figures: LiveFigures, name: string): number | undefined {
  const own: unknown = Reflect.get(figures, name) ?? figures.showcase?.readings[name]?.value;
  const value = name === "showcaseHeads" ? figures.showcase?.headCount : own;
  return typeof value === "number" ? value : undefined;
}

/** Puts new numbers into their places; nothing else on the page moves. */
function showNumbers(numberOf: (name: string) => number | undefined, atMs: number): void {
  for (const place of document.querySelectorAll<HTMLElement>("[data-live]")) {
    const value = numberOf(place.dataset.live ?? "");
    if (value === undefined) continue;
    const text = format(value, Number(place.dataset.decimals ?? 0));
    place.textContent = place.dataset.words ? place.dataset.words.replace(/\{\w+\}/, text) : text;
  }
  for (const age of document.querySelectorAll<HTMLElement>("[data-age]")) age.dataset.age = String(atMs);
}

function showFigures(figures: LiveFigures): void {
  showNumbers((name) => figureOf(figures, name), figures.asOfMs);
  if (!figures.showcase) return;
  let turning = Number(figures.showcase.readings.vent?.value ?? 0) > 0;
  for (const fan of document.querySelectorAll("[data-fan]")) {
    const runs = figures.showcase.readings[`fan_${Number(fan.getAttribute("data-fan")) + 1}`]?.value === true;
    fan.toggleAttribute("data-on", runs);
    turning ||= runs;
  }
  document.querySelector("[data-house]")?.toggleAttribute("data-still", !turning);
}

/** Rewrites ages from their templates: seconds, then minutes. */
function countAges(): void {
  for (const place of document.querySelectorAll<HTMLElement>("[data-age]")) {
    const seconds = Math.max(0, Math.floor((Date.now() - Number(place.dataset.age)) / 1000));
    const words = seconds < 60 ? place.dataset.seconds : place.dataset.minutes;
    place.textContent = (words ?? "").replace("{count}", String(seconds < 60 ? seconds : Math.floor(seconds / 60)));
  }
}

/** Asks for figures while somebody looks. Without an answer the last ones stay, with their age. */
async function renew(): Promise<void> {
  if (document.visibilityState !== "visible") return;
  const kind = document.querySelector<HTMLElement>("[data-live-kind]")?.dataset.liveKind;
  try {
    const answer = await fetch(kind ? `${kindFigures.path}?kind=${kind}` : liveFigures.path, {
      headers: { Authorization: `Basic ${btoa(`${publicClient.id}:${publicClient.secret}`)}` },
    });
    if (!answer.ok) return;
    const { data } = (await answer.json()) as { data: unknown };
    if (kind) {
      const { figures, measuredAtMs } = data as KindFigures;
      if (figures.length > 0) showNumbers((name) => figures.find(({ key }) => key === name)?.value, measuredAtMs);
    } else showFigures(data as LiveFigures);
  } catch {
    // The network is away; the next round asks again.
  }
}

function setUpTheme(): void {
  for (const button of document.querySelectorAll(".theme")) {
    button.classList.remove("await-scripts");
    button.addEventListener("click", () => {
      const theme = root.dataset.theme === "dark" ? "light" : "dark";
      root.dataset.theme = theme;
      const secure = location.protocol === "https:" ? ";secure" : "";
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari 16 and Firefox of farm phones.
      document.cookie = `theme=${theme};path=/;max-age=31536000;samesite=lax${secure}`;
      try {
        localStorage.setItem("theme", theme);
      } catch {
        // Storage is full or forbidden; the cookie still remembers.
      }
    });
  }
}

/** A document that is verified stays here: its hash alone goes to the server. */
function setUpVerify(): void {
  const form = document.querySelector<HTMLFormElement>("[data-verify]");
  const input = form?.querySelector<HTMLInputElement>("input[type=file]");
  // Browsers offer it on safe connections alone; elsewhere the form is sent as it is.
  if (!form || !input || !globalThis.crypto?.subtle) return;
  form.querySelector("[data-verify-plain]")?.setAttribute("hidden", "");
  form.querySelector("[data-verify-script]")?.removeAttribute("hidden");
  form.addEventListener("submit", (event) => {
    const [file] = input.files ?? [];
    if (!file) return;
    event.preventDefault();
    file
      .arrayBuffer()
      .then((bytes) => crypto.subtle.digest("SHA-256", bytes))
      .then((hash) => {
        const digits = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
        location.assign(`${form.getAttribute("action")}?hash=${digits}`);
      })
      // A file that can't be read here is sent.
      .catch(() => form.submit());
  });
}

/** The phone menu closes when it was used, or when somebody taps elsewhere. */
function setUpMenu(): void {
  const menu = document.querySelector<HTMLDetailsElement>("details.mobile-menu");
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element)) return;
    if (menu?.open && (!menu.contains(target) || target.closest("a"))) menu.open = false;
  });
}

/** What only scripts can do beside an article is offered only with them. */
function setUpArticle(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => print());
  }
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy-link]")) {
    // The clipboard is for secure pages only.
    if (!navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener("click", () => {
      const address = document.querySelector<HTMLLinkElement>("link[rel=canonical]")?.href ?? location.href;
      void navigator.clipboard.writeText(address).then(() => {
        const words = button.querySelector("span");
        if (words) words.textContent = button.dataset.done ?? "";
      });
    });
  }
}

/** A film that can't be played says so below its player; the event of a source does not bubble. */
function setUpVideo(): void {
  const told = document.querySelector<HTMLElement>("[data-video-error]");
  document.addEventListener(
    "error",
    ({ target }) => {
      if (told && target instanceof Element && target.matches("video, video source")) told.hidden = false;
    },
    true,
  );
}

/** Who is signed in is offered no log-in, which would end the session, and gets from the demo's buttons to the own houses. */
function greet(): void {
  try {
    if (localStorage.getItem("token") === null) return;
  } catch {
    return;
  }
  for (const offer of document.querySelectorAll<HTMLElement>("[data-guest]")) offer.hidden = true;
  // Where a page is missing, their own menus are the way on.
  if (document.querySelector("[data-not-found]")) location.replace("/selfCenter/404");
  for (const link of document.querySelectorAll<HTMLAnchorElement>("[data-visit]")) link.href = "/selfCenter/home";
}

/** In a row of names that is wider than the screen, the open page's own is in sight. */
function showOwnName(): void {
  const own = document.querySelector<HTMLElement>(".solution-nav [aria-current]");
  const row = own?.parentElement;
  if (own && row) row.scrollLeft = own.offsetLeft - (row.clientWidth - own.offsetWidth) / 2;
}

greet();
setUpTheme();
setUpMenu();
setUpVerify();
showOwnName();
watchVisits();
setUpArticle();
setUpVideo();
// Whatever somebody typed is one page: the one that isn't there. Pages of content say what they are.
const isHome = location.pathname === "/index";
const contentPage = document.querySelector<HTMLElement>("main[data-page]")?.dataset.page;
beginVisit(
  isHome ? "home" : (contentPage ?? "not-found"),
  isHome || contentPage !== undefined ? location.pathname : "/404",
  root.lang.startsWith("zh") ? "zh" : "en",
);
if (document.querySelector("[data-live]")) {
  setInterval(countAges, 1000);
  setInterval(renew, pollMs);
  document.addEventListener("visibilitychange", renew);
}
