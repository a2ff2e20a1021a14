/** A text of a section. */
export interface HomeWord {
  readonly name: string;
  readonly label: string;
  /** Maximum number of characters in Chinese and in English. */
  readonly max: number;
  readonly maxEn: number;
  /** Number of lines of its input; more than one allows line breaks. */
  readonly lines: number;
  /** Standard text; "" where there is none. */
  readonly zh: string;
  readonly en: string;
  readonly hint?: string;
  /** Whether it is HTML of the articles' allow-list without pictures: words, tables and content blocks. */
  readonly rich?: true;
}

const title = (zh: string, en: string, more: Partial<HomeWord> = {}): HomeWord => ({
  name: "title",
  label: "标题",
  max: 40,
  maxEn: 80,
  lines: 1,
  zh,
  en,
  ...more,
});
const text = (zh: string, en: string, more: Partial<HomeWord> = {}): HomeWord => ({
  name: "text",
  label: "一段话",
  max: 160,
  maxEn: 320,
  lines: 3,
  zh,
  en,
  ...more,
});
const button = (zh: string, en: string, more: Partial<HomeWord> = {}): HomeWord => ({
  name: "action",
  label: "按钮",
  max: 16,
  maxEn: 32,
  lines: 1,
  zh,
  en,
  ...more,
});

/** Texts of sections that editors fill themselves: a case, a comparison, an invitation. */
const feature: readonly HomeWord[] = [
  title("", ""),
  text("", "", { max: 300, maxEn: 600, lines: 4 }),
  {
    name: "points",
    label: "数字",
    max: 240,
    maxEn: 400,
    lines: 4,
    zh: "",
    en: "",
    hint: "每行一条，最多四条：数字 | 说明，例如 85 ℃ × 8 分钟 | 每批饲料的灭菌",
  },
  button("", ""),
  {
    name: "body",
    label: "正文与版块",
    max: 20_000,
    maxEn: 20_000,
    lines: 1,
    zh: "",
    en: "",
    rich: true,
    hint: "场景图、曲线、关键数字和客户案例，显示在这一栏的下面。",
  },
];

/** Sections of the home page in their standard order, each with its texts. */
export const homeWords = {
  hero: [
    title("让每一栋猪舍\n自己说话", "Let every pig house\nspeak for itself", { lines: 2 }),
    text(
      "风、水、温度、猪群的声音，都从舍里实时传来。{brand}替你对照目标、看住偏差，该动手时才叫你。",
      "Air, water, temperature and the sound of the herd, live from the house. {brand} compares them with their targets and calls you only when it is time to act.",
    ),
    button("走进一栋演示猪舍", "Walk into a demo house", {
      hint: "不写链接时通往演示猪舍；没有演示时通往自助中心。",
    }),
    button("了解解决方案", "See the solutions", { name: "second", label: "第二个按钮" }),
  ],
  figures: [],
  night: [
    title("{time}，一台风机停了。", "At {time} a fan stopped.", { hint: "{time} 会换成示例里的时刻。" }),
    text(
      "同一晚，同样的 {heads} 头猪，同样的故障。一栋到天亮才有人知道，另一栋 {minutes} 分钟后一切如常。",
      "The same night, the same {heads} pigs, the same fault. In one house nobody knew until dawn; in the other all was as usual after {minutes} minutes.",
      { hint: "{heads} 和 {minutes} 会换成示例里的数字。" },
    ),
  ],
  solutions: [
    title("从一口空气，到一片农田", "From a breath of air to a field"),
    text(
      "十套方案各管一段，用同一批设备、同一套口径。可以从一台风机开始，也可以从一张图纸开始。",
      "Ten solutions, each for its own stretch, with the same devices and the same figures. Start with one fan, or with a drawing.",
    ),
  ],
  market: [title("今日外三元，全国均价", "DLY crossbreds today, national mean")],
  how: [
    title("设备说，平台懂，人来定", "Devices tell, the platform understands, people decide"),
    text(
      "控制留在舍里，断网也照常通风；平台负责看、算、提醒，最后的决定由人来做。",
      "Control stays in the house and keeps ventilating when the network is down; the platform watches, computes and alerts. People decide.",
    ),
  ],
  standards: [title("标准写成数字，才查得到", "A standard is a number you can check")],
  videos: [title("看一眼它怎么动", "See it move")],
  news: [title("资讯", "Articles")],
  partners: [title("一起做事的伙伴", "Partners we work with")],
  closing: [
    title("先看一栋，再决定。", "See one house first, then decide."),
    text(
      "演示账户随时可用，数值来自正在运行的设备。",
      "Demo accounts are always open; the values come from devices that are running.",
      {
        hint: "没有写时，只在演示环境显示。",
      },
    ),
  ],
  feature1: feature,
  feature2: feature,
  feature3: feature,
} as const satisfies Readonly<Record<string, readonly HomeWord[]>>;
export type HomeSectionId = keyof typeof homeWords;
export const homeSectionIds = Object.keys(homeWords) as HomeSectionId[];

/** Keys of all texts: section, name of the text, and `En` for English, as in `news.titleEn`. */
export const homeTextFields = Object.entries(homeWords).flatMap(([id, words]) =>
  words.flatMap(({ name }: HomeWord) => [`${id}.${name}`, `${id}.${name}En`]),
);
/** Key of a text in a language. */
export const homeTextField = (id: HomeSectionId, name: string, language: "zh" | "en"): string =>
  `${id}.${name}${language === "en" ? "En" : ""}`;

/** Chinese names of the sections, keys of the translations. */
export const homeSectionNames: Readonly<Record<HomeSectionId, string>> = {
  hero: "首屏",
  figures: "实时数字",
  night: "有无平台的对比",
  solutions: "解决方案",
  market: "价格行情",
  how: "工作方式",
  standards: "标准数字",
  videos: "视频",
  news: "资讯",
  partners: "合作伙伴",
  closing: "结尾",
  feature1: "专题一",
  feature2: "专题二",
  feature3: "专题三",
};

/** Whether editors fill the section themselves; it is empty and hidden until they do. */
export const isHomeFeature = (id: HomeSectionId): boolean => id.startsWith("feature");
/** Whether a text of a section is a body with content blocks. */
export const isHomeBody = (id: HomeSectionId, name: string): boolean =>
  homeWords[id].some((word: HomeWord) => word.name === name && word.rich === true);
/** Whether editors may choose the target of the section's link. */
export const hasHomeLink = (id: HomeSectionId): boolean => id === "hero" || isHomeFeature(id);
/** Most points in a section that editors fill. */
export const homePointsMax = 4;

/** Points of a section; the part before the bar is the point's figure. */
export const homePoints = (points: string): { figure: string; what: string }[] =>
  points
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .slice(0, homePointsMax)
    .map((line) => {
      const [figure = "", what = ""] = line.split(/[|｜]/, 2).map((part) => part.trim());
      return { figure, what };
    });

/** Whether a link is allowed: a page or an anchor of the site, or another site over TLS. */
export const isHomeLink = (link: string): boolean =>
  /^\/(?![/\\])[^\s\\]*$/.test(link) ||
  /^#[\w-]+$/.test(link) ||
  (/^https:\/\/[^\s\\/]/.test(link) && URL.canParse(link));
