import type { DocumentProduct } from "@herdwise/contract";
import type { Kysely } from "kysely";
import { type DrawnFilm, type WrittenVideo, writeFilm } from "../../modules/videos/index.ts";
import type { DB } from "../generated/database.ts";
import { onceOverServers } from "./once-over-servers.ts";

/** A caption of a demo film: its start and its text. */
type Caption = readonly [fromS: number, zh: string, en: string];

interface VideoSeed {
  product: DocumentProduct;
  title: string;
  titleEn: string;
  summary: string;
  summaryEn: string;
  captions: readonly Caption[];
  /** Draws the picture at a time in seconds. */
  frame: DrawnFilm["frame"];
}

const width = 960;
const height = 540;
const seconds = 12;
/** Time in seconds of the frame that becomes the poster. */
const posterAt = 7;

const ink = "#1d3026";
const line = "#8aa394";
const paper = "#f4f7f1";
const accent = "#1e7a46";
const warm = "#d0661f";
const cool = "#2f7fb3";

/** Progress between two times, 0 to 1, eased at both ends. */
const between = (at: number, from: number, to: number): number => {
  const part = Math.min(1, Math.max(0, (at - from) / (to - from)));
  return part * part * (3 - 2 * part);
};
const ground = `<rect width="${width}" height="${height}" fill="${paper}"/><path d="M0 440H960" stroke="${line}" stroke-width="2"/>`;
const stroke = (colour: string, wide = 4): string =>
  `fill="none" stroke="${colour}" stroke-width="${wide}" stroke-linecap="round" stroke-linejoin="round"`;
/** A fan with its blades at an angle in degrees. */
const fan = (x: number, y: number, size: number, angle: number): string =>
  `<g transform="translate(${x} ${y})"><circle r="${size}" fill="#fff" stroke="${ink}" stroke-width="4"/><g transform="rotate(${angle.toFixed(1)})">${[
    0, 120, 240,
  ]
    .map(
      (turn) =>
        `<path transform="rotate(${turn})" d="M0 0C${size * 0.5} ${-size * 0.15} ${size * 0.75} ${-size * 0.5} ${size * 0.3} ${-size * 0.8}C${size * 0.1} ${-size * 0.6} 0 ${-size * 0.3} 0 0Z" fill="${accent}"/>`,
    )
    .join("")}</g><circle r="${size * 0.14}" fill="${ink}"/></g>`;
const pig = (x: number, y: number): string =>
  `<g transform="translate(${x} ${y})" fill="#e8b9a8" stroke="${ink}" stroke-width="3"><path d="M8 26C8 8 30 0 52 0S92 8 94 24L104 22V34L92 38C88 44 80 46 74 46V58H64V46H36V58H26V44C14 42 8 36 8 26Z"/><circle cx="88" cy="20" r="2" fill="${ink}"/></g>`;

/** A summer day in a house: it gets warmer, the fans turn faster, the pad gets wet. */
function breathing(at: number): string {
  const heat = between(at, 2.5, 6) - 0.8 * between(at, 8, 11.5);
  const speed = 0.5 + 2.5 * between(at, 4, 7);
  // Angle turned so far: the sum of the speed in steps of a tenth.
  let turned = 0;
  for (let step = 0; step < at; step += 0.1) turned += 36 * (0.5 + 2.5 * between(step, 4, 7));
  const wet = between(at, 7.5, 8.5);
  const arrows = Array.from({ length: 5 }, (_, row) => {
    const x = ((at * 60 * speed + row * 150) % 600) + 190;
    const y = 236 + row * 36;
    const colour = wet > 0.5 ? cool : heat > 0.5 ? warm : line;
    return `<path d="M${x.toFixed(0)} ${y}h64m-14-10 14 10-14 10" ${stroke(colour, 3)} opacity="${Math.min(1, speed / 2).toFixed(2)}"/>`;
  }).join("");
  const drops = Array.from({ length: 9 }, (_, drop) => {
    const y = 210 + ((at * 90 + drop * 47) % 210);
    return `<circle cx="${146 + (drop % 3) * 12}" cy="${y.toFixed(0)}" r="4" fill="${cool}" opacity="${wet.toFixed(2)}"/>`;
  }).join("");
  const bar = 150 * Math.max(0.12, heat);
  return `${ground}
    <path d="M120 440V200L480 96L840 200V440" ${stroke(ink, 6)}/><path d="M100 206 480 92 860 206" ${stroke(ink, 6)}/>
    <rect x="132" y="206" width="40" height="230" fill="${wet > 0.5 ? "#cfe4f0" : "#e4e9e0"}" stroke="${ink}" stroke-width="4"/>
    ${[0, 1, 2, 3, 4, 5].map((row) => `<path d="M132 ${238 + row * 34}h40" ${stroke(line, 2)}/>`).join("")}${drops}${arrows}
    ${fan(812, 270, 46, turned)}${fan(812, 376, 46, turned + 40)}
    ${pig(300, 380)}${pig(440, 380)}${pig(580, 380)}
    <rect x="462" y="128" width="36" height="170" rx="18" fill="#fff" stroke="${ink}" stroke-width="4"/>
    <rect x="472" y="${(288 - bar).toFixed(0)}" width="16" height="${bar.toFixed(0)}" rx="8" fill="${heat > 0.5 ? warm : accent}"/>
    <path d="M446 ${178}h12M446 ${228}h12" ${stroke(ink, 3)}/>`;
}

/** Air in a scrubber: ammonia meets water and stays in it. */
function washing(at: number): string {
  const spray = between(at, 3, 4.5);
  const dots = Array.from({ length: 26 }, (_, dot) => {
    const way = (at * 0.16 + dot / 26) % 1;
    const x = way < 0.4 ? 90 + way * 900 : 450 + Math.sin(dot * 1.7) * 78;
    const y = way < 0.4 ? 392 - (dot % 4) * 14 : 392 - (way - 0.4) * 560;
    const caught = spray > 0.5 && way > 0.55 && dot % 8 !== 0;
    return caught
      ? ""
      : `<circle cx="${x.toFixed(0)}" cy="${y.toFixed(0)}" r="7" fill="#b98305" opacity="${y < 70 ? 0 : 0.9}"/>`;
  }).join("");
  const drops = Array.from({ length: 24 }, (_, drop) => {
    const y = 178 + ((at * 170 + drop * 61) % 190);
    return `<path d="M${370 + ((drop * 37) % 160)} ${y.toFixed(0)}v12" ${stroke(cool, 3)} opacity="${spray.toFixed(2)}"/>`;
  }).join("");
  const level = 14 + 20 * between(at, 4, 11);
  return `${ground}
    <path d="M60 440V330L180 290L300 330V440" ${stroke(ink, 5)}/><path d="M300 350h50M300 420h50" ${stroke(ink, 5)}/>
    <path d="M350 440V130Q350 96 390 96H510Q550 96 550 130V440Z" fill="#fff" stroke="${ink}" stroke-width="5"/>
    <path d="M370 160h160M400 160v14M450 160v14M500 160v14" ${stroke(accent, 5)}/>
    ${[0, 1, 2].map((row) => `<path d="M356 ${230 + row * 40}l24 16 24-16 24 16 24-16 24 16 24-16 24 16 20-14" ${stroke(line, 3)}/>`).join("")}
    <rect x="353" y="${(437 - level).toFixed(0)}" width="194" height="${level.toFixed(0)}" fill="#cfe4f0"/>${drops}${dots}
    <path d="M550 414h120v-254h-100" ${stroke(accent, 5)}/><circle cx="670" cy="414" r="26" fill="#fff" stroke="${ink}" stroke-width="5"/>
    <path d="M658 414h24m-9-9 9 9-9 9" ${stroke(accent, 4)}/>
    <rect x="740" y="250" width="150" height="190" rx="8" fill="#fff" stroke="${ink}" stroke-width="5"/>
    <path d="M764 400V${(390 - 90).toFixed(0)}M804 400V${(396 - 20 - 74 * (1 - spray)).toFixed(0)}" ${stroke(line, 2)}/>
    <rect x="760" y="300" width="34" height="110" fill="#b98305"/>
    <rect x="822" y="${(410 - (108 - 88 * spray)).toFixed(0)}" width="34" height="${(108 - 88 * spray).toFixed(0)}" fill="${accent}"/>`;
}

/** A person entering: five steps, each behind a door that opens when its time is over. */
function entering(at: number): string {
  const step = Math.min(4, Math.floor(at / 2.4));
  const inStep = at / 2.4 - step;
  const x = 110 + (step + between(inStep, 0.72, 1)) * 172;
  const rooms = Array.from({ length: 5 }, (_, room) => {
    const left = 40 + room * 172;
    const done = room < step;
    const isNow = room === step;
    const part = done ? 1 : isNow ? Math.min(1, inStep / 0.7) : 0;
    const open = part >= 1 && room < 5;
    return `<rect x="${left}" y="180" width="172" height="260" fill="${isNow ? "#e3f1e6" : "#fff"}" stroke="${ink}" stroke-width="5"/>
      <path d="M${left + 172} ${open ? 250 : 300}V440" ${stroke(open ? paper : ink, open ? 9 : 5)}/>
      ${open ? `<path d="M${left + 172} 300l-34 26V440" ${stroke(accent, 5)}/>` : ""}
      <circle cx="${left + 86}" cy="120" r="34" fill="#fff" stroke="${line}" stroke-width="4"/>
      <path d="M${left + 86} 120m0-27a27 27 0 1 1-.01 0" fill="none" stroke="${accent}" stroke-width="9" stroke-dasharray="${(169.6 * part).toFixed(1)} 170"/>`;
  }).join("");
  const water = Array.from({ length: 12 }, (_, drop) => {
    const y = 226 + ((at * 180 + drop * 53) % 190);
    return `<path d="M${410 + ((drop * 29) % 110)} ${y.toFixed(0)}v14" ${stroke(cool, 3)} opacity="${step === 2 ? 1 : 0.15}"/>`;
  }).join("");
  const clothes = step < 2 ? ink : step === 2 ? "#e8b9a8" : accent;
  return `${ground}${rooms}<path d="M420 214h96M468 190v24" ${stroke(ink, 5)}/>${water}
    <g transform="translate(${x.toFixed(0)} 330)"><circle cy="-24" r="20" fill="#e8b9a8" stroke="${ink}" stroke-width="4"/>
    <path d="M-22 104V30Q-22 0 0 0T22 30V104Z" fill="${clothes}" stroke="${ink}" stroke-width="4"/></g>`;
}

const demoVideos: readonly VideoSeed[] = [
  {
    product: "environment",
    title: "一栋舍怎么换气",
    titleEn: "How a pig house breathes",
    summary: "从最小通风到湿帘降温：温度升上来，风机升档，湿帘出水，温度回到目标。",
    summaryEn:
      "From minimum ventilation to the wet pad: it warms, the fans step up, the pad gets wet, and the target is met.",
    captions: [
      [0, "夜里用最小通风，只换掉湿气和氨。", "At night minimum ventilation takes out moisture and ammonia only."],
      [3, "太阳上来，舍里的温度往上走。", "The sun comes up and the house warms."],
      [5, "偏差够大、时间够长，风机才升一档。", "Once the deviation is large and long enough, the fans go up a gear."],
      [
        7.5,
        "风不够用了，湿帘出水，进来的空气变凉。",
        "When air alone will not do, the pad gets wet and cools what comes in.",
      ],
      [10, "温度回到目标，档位留够时间再降。", "Back at the target, the gear is held long enough before it goes down."],
    ],
    frame: breathing,
  },
  {
    product: "deodorization",
    title: "氨气在除臭塔里去了哪里",
    titleEn: "Where the ammonia goes in a scrubber",
    summary: "排风穿过填料，氨溶进循环水；进口和出口成对记录，看得见去掉了多少。",
    summaryEn:
      "Exhaust air passes the packing and its ammonia dissolves in the water; inlet and outlet are recorded in pairs.",
    captions: [
      [0, "排风从猪舍出来，带着氨。", "Exhaust air leaves the house with its ammonia."],
      [3, "塔里喷淋打开，填料湿透。", "Inside the tower the sprays open and the packing gets wet."],
      [5.5, "氨溶进酸性循环水，留在水里。", "The ammonia dissolves in the acidic water and stays there."],
      [
        8.5,
        "进口和出口成对记录，差多少就是去掉多少。",
        "Inlet and outlet are recorded in pairs: the difference is what was removed.",
      ],
    ],
    frame: washing,
  },
  {
    product: "bathroom",
    title: "洗澡进场的五步",
    titleEn: "The five steps of showering in",
    summary: "登记脱衣、存放物品、淋浴、换场内衣、消毒鞋底：每一步都有最少时间，时间不到，下一扇门不开。",
    summaryEn:
      "Sign in and undress, store belongings, shower, dress, disinfect the soles: each step has its minimum time, and the next door waits for it.",
    captions: [
      [0, "第一步，登记并脱下场外的衣服。", "First: sign in and leave the outside clothes."],
      [2.4, "第二步，存放个人物品。", "Second: put personal things away."],
      [4.8, "第三步，淋浴。水流够时间，门才开。", "Third: shower. The door opens when water has run long enough."],
      [7.2, "第四步，换上场内的衣服。", "Fourth: put on the farm’s clothes."],
      [9.6, "第五步，消毒鞋底，进入净区。", "Fifth: disinfect the soles and enter the clean side."],
    ],
    frame: entering,
  },
];

const stamp = (at: number): string => `00:00:${at.toFixed(3).padStart(6, "0")}`;
/** Captions of a language as WebVTT. */
const captionsOf = (captions: readonly Caption[], language: "zh" | "en"): string =>
  `WEBVTT\n\n${captions
    .map(
      ([from, zh, en], at) =>
        `${stamp(from)} --> ${stamp(captions[at + 1]?.[0] ?? seconds)}\n${language === "zh" ? zh : en}`,
    )
    .join("\n\n")}\n`;

/** Rows of the demo's videos as drafts; they are published once their films exist. */
export const demoVideoRows = (nextId: () => string) =>
  demoVideos.map(({ product, title, titleEn, summary, summaryEn }, at) => ({
    id: nextId(),
    videoTitle: title,
    videoTitleEn: titleEn,
    product,
    summary,
    summaryEn,
    example: true,
    sort: (at + 1) * 10,
  }));

/** Names of the demo's videos in both languages, for internal lists. */
export const videoNames: Readonly<Record<string, string>> = Object.fromEntries(
  demoVideos.map(({ title, titleEn }) => [title, titleEn]),
);

/**
 * Renders the missing films of the demo's videos one after the other, and publishes them; of several servers one does it.
 * @param write writes a film, by the videos' module
 * @param stopped ends it between two films
 * @param framesPerSecond movement looks smooth from eight on
 */
export async function seedDemoVideoFilms(
  db: Kysely<DB>,
  {
    write,
    stopped,
    framesPerSecond = 8,
  }: {
    write: (id: string, video: WrittenVideo) => Promise<void>;
    stopped: () => boolean;
    framesPerSecond?: number;
  },
): Promise<void> {
  await onceOverServers(db, "demo videos", async () => {
    const rows = await db
      .selectFrom("videos")
      .select(["id", "videoTitle"])
      .where("example", "=", true)
      .where("state", "=", "draft")
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("videoFiles").select("part").whereRef("videoFiles.videoId", "=", "videos.id"))),
      )
      .orderBy("sort")
      .execute();
    for (const { id, videoTitle } of rows) {
      const seed = demoVideos.find(({ title }) => title === videoTitle);
      if (seed === undefined) continue;
      if (stopped()) return;
      const { film, poster } = await writeFilm(
        { width, height, seconds, framesPerSecond, frame: seed.frame },
        posterAt,
      );
      const captions = { zh: captionsOf(seed.captions, "zh"), en: captionsOf(seed.captions, "en") };
      await write(String(id), { film, poster, captions });
    }
  });
}
