/* All the script of the public site, 4 kB: the pages come finished from the server, this lets their figures tick, their
   ages count and the theme change. A visitor on a farm's mobile network should not wait for a framework to read a page. */
import {
  type KindFigures,
  kindFigures,
  type LiveFigures,
  liveFigures,
  pictureCaptcha,
  publicClient,
  searchSuggestions,
} from "@herdwise/contract";
import { trueMinus } from "../shared/language/true-minus.ts";
import { asksForPrivacy, beginVisit, chooseVisits, countsVisits, watchVisits } from "../shared/session/visits.ts";

const pollMs = 30_000;
const root = document.documentElement;
const locale = root.lang.startsWith("zh") ? "zh-CN" : "en-GB";

const basic = `Basic ${btoa(`${publicClient.id}:${publicClient.secret}`)}`;

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
      headers: { Authorization: basic },
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

/** Reads or keeps something in the browser's storage, which may be full or forbidden: then nothing is kept. */
function inStorage(work: () => void): void {
  try {
    work();
  } catch {
    // All of the page works without it.
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
      // The cookie remembers it as well.
      inStorage(() => localStorage.setItem("theme", theme));
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

/** Whether visits are counted is the visitor's choice, unless the browser has made it. */
function setUpVisitChoice(): void {
  const part = document.querySelector<HTMLElement>("[data-visit-choice]");
  const box = part?.querySelector("input");
  const told = part?.querySelector<HTMLElement>("[role=status]");
  if (!part || !box || !told) return;
  part.hidden = false;
  // The browser went to the part that the address names before it could be seen.
  if (location.hash === `#${part.id}`) part.scrollIntoView();
  box.checked = countsVisits();
  box.disabled = asksForPrivacy();
  if (box.disabled) told.textContent = told.dataset.browser ?? "";
  box.addEventListener("change", () => {
    inStorage(() => chooseVisits(box.checked));
    // A browser that keeps nothing shows what holds.
    box.checked = countsVisits();
    told.textContent = (box.checked ? told.dataset.on : told.dataset.off) ?? "";
  });
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

/** Between two letters of somebody who types, ms; only a pause is asked about. */
const pauseMs = 250;

/** Offers what is published while somebody types what to look for. */
function setUpOffers(): void {
  const input = document.querySelector<HTMLInputElement>("[data-offers]");
  const list = input?.list;
  if (!input || !list) return;
  let timer = 0;
  let asked = "";
  const offer = async (): Promise<void> => {
    const keyword = input.value.trim();
    // What was chosen from the list needs no other offer.
    if (keyword === "" || keyword === asked || [...list.children].some((one) => one.getAttribute("value") === keyword))
      return;
    asked = keyword;
    const language = locale === "zh-CN" ? "zh" : "en";
    const answer = await fetch(`${searchSuggestions.path}?${new URLSearchParams({ keyword, language })}`, {
      headers: { Authorization: basic },
    }).catch(() => undefined);
    // An answer that comes late is none to what stands there now.
    if (!answer?.ok || asked !== keyword) return;
    const { data } = (await answer.json()) as { data: { offered: string[] } };
    list.replaceChildren(...data.offered.map((word) => new Option("", word)));
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(offer, pauseMs);
  });
  // Somebody may have typed before this script came.
  if (input.value !== input.defaultValue) void offer();
}

/** Puts the outlets in the order of their distance; the position stays in the browser. */
function setUpNearest(): void {
  const area = document.querySelector<HTMLElement>("[data-near]");
  const nearest = document.querySelector<HTMLElement>("[data-nearest]");
  const head = nearest?.querySelector("h2");
  const list = nearest?.querySelector("ul");
  const button = area?.querySelector("button");
  const told = area?.querySelector<HTMLElement>("[role=status]");
  // Browsers tell a position on safe connections alone.
  if (!area || !nearest || !head || !list || !button || !told || !globalThis.isSecureContext || !navigator.geolocation)
    return;
  area.hidden = false;
  const show = (latitude: number, longitude: number): void => {
    const radians = Math.PI / 180;
    const cards = [...document.querySelectorAll<HTMLElement>(".outlet[data-place]")]
      .map((card) => {
        const [lat = 0, lon = 0] = (card.dataset.place ?? "").split(",").map(Number);
        const half =
          Math.sin(((lat - latitude) * radians) / 2) ** 2 +
          Math.cos(lat * radians) * Math.cos(latitude * radians) * Math.sin(((lon - longitude) * radians) / 2) ** 2;
        return { card, km: 12_742 * Math.asin(Math.sqrt(half)), name: card.querySelector("h3")?.textContent ?? "" };
      })
      .sort((a, b) => a.km - b.km);
    const kmOf = (km: number): string => format(km, km < 10 ? 1 : 0);
    for (const { card, km } of cards) {
      const place = card.querySelector<HTMLElement>("[data-distance]");
      if (place) {
        place.textContent = `${kmOf(km)} km`;
        place.hidden = false;
      }
      list.append(card);
    }
    nearest.hidden = false;
    // Groups that gave all their outlets away have nothing left to show.
    for (const group of document.querySelectorAll<HTMLElement>(".outlet-group"))
      group.hidden = group.querySelector(".outlet") === null;
    const [first] = cards;
    const open = cards.find(({ card }) => "open" in card.dataset);
    const words = !open ? head.dataset.foundClosed : open === first ? head.dataset.foundOpen : head.dataset.found;
    const values = { name: first?.name, km: kmOf(first?.km ?? 0), open: open?.name, openKm: kmOf(open?.km ?? 0) };
    head.textContent = (words ?? "").replace(/\{(\w+)\}/g, (_, key: keyof typeof values) => values[key] ?? "");
    told.textContent = "";
    // The map stands between the button and the list on a phone.
    head.focus();
  };
  button.addEventListener("click", () => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => show(coords.latitude, coords.longitude),
      () => {
        told.textContent = told.dataset.refused ?? "";
      },
      { maximumAge: 600_000, timeout: 10_000 },
    );
  });
}

/** A picture of characters that is older is renewed when somebody turns to it, ms; the server keeps it for half an hour. */
const pictureKeptMs = 1_500_000;

/** Asks for the characters of a picture before a form is sent, so that it is sent once. Without an answer the server asks for them. */
function setUpCaptcha(form: HTMLFormElement): void {
  const part = form.querySelector<HTMLFieldSetElement>("[data-captcha]");
  const key = part?.querySelector<HTMLInputElement>("[name=captchaKey]");
  const code = part?.querySelector<HTMLInputElement>("[name=captchaCode]");
  if (!part || !key || !code) return;
  let drawnAtMs = part.hidden ? Number.NEGATIVE_INFINITY : Date.now();
  const renew = async (): Promise<void> => {
    drawnAtMs = Date.now();
    const answer = await fetch(pictureCaptcha.path, { headers: { Authorization: basic } }).catch(() => undefined);
    if (!answer?.ok) return;
    const drawn = (await answer.json()) as { key: string; image: string };
    const picture = part.querySelector("img") ?? new Image(130, 48);
    picture.src = drawn.image;
    picture.alt = part.dataset.alt ?? "";
    if (!picture.isConnected) part.querySelector("legend")?.after(picture);
    key.value = drawn.key;
    code.value = "";
    code.required = true;
    part.hidden = part.disabled = false;
  };
  form.addEventListener("focusin", ({ target }) => {
    const isOld = Date.now() - drawnAtMs > pictureKeptMs;
    if (isOld && (part.hidden || target === code)) void renew();
  });
  part.querySelector("button")?.addEventListener("click", (event) => {
    event.preventDefault();
    void renew().then(() => code.focus());
  });
}

/** Keeps what somebody writes into a form until it is sent, for this tab alone; consent is given anew. */
function setUpKeeping(form: HTMLFormElement, place: string): void {
  const fields = [...form.elements].filter(
    (field): field is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement =>
      /^(INPUT|SELECT|TEXTAREA)$/.test(field.tagName) &&
      !/^(hidden|checkbox)$/.test((field as HTMLInputElement).type) &&
      (field as HTMLInputElement).name !== "captchaCode",
  );
  // What the server sent back is newer.
  if (form.dataset.siteForm === "new")
    inStorage(() => {
      const kept = JSON.parse(sessionStorage.getItem(place) ?? "{}") as Record<string, string>;
      for (const field of fields) field.value = kept[field.name] || field.value;
    });
  form.addEventListener("input", () => {
    const typed = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
    inStorage(() => sessionStorage.setItem(place, JSON.stringify(typed)));
  });
}

/** Forms of the site work without script; with it they are sent once and keep what was typed. */
function setUpForms(): void {
  const place = `form:${location.pathname}`;
  for (const form of document.querySelectorAll<HTMLFormElement>("[data-site-form]")) {
    setUpCaptcha(form);
    setUpKeeping(form, place);
  }
  if (document.querySelector(".form-sent")) inStorage(() => sessionStorage.removeItem(place));
}

/** Turns to what is to be mended in a form that the server sent back. */
function turnToProblem(): void {
  const form = document.querySelector("[data-site-form=answered]");
  const field =
    form?.querySelector<HTMLElement>("[aria-invalid=true]") ??
    form?.querySelector<HTMLElement>("[name=captchaCode]:enabled");
  field?.focus();
}

/** Lays out what lies below the first screen, once that has been painted; see site.css. */
function layOutAll(): void {
  requestAnimationFrame(() =>
    setTimeout(() => {
      root.toggleAttribute("data-painted", true);
      // Not before the browser has gone to the part that the address names, which takes the focus away.
      turnToProblem();
    }),
  );
}

greet();
if (document.readyState === "complete") layOutAll();
else addEventListener("load", layOutAll);
setUpTheme();
setUpMenu();
setUpVerify();
showOwnName();
setUpNearest();
setUpOffers();
setUpForms();
watchVisits();
setUpArticle();
setUpVisitChoice();
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
