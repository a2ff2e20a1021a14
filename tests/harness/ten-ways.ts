import type { CountedPage } from "./counted-page.ts";
import { picture } from "./upload.ts";

/** What a way is about, as its person knows it. */
export interface Given {
  farm: string;
  house: string;
  unit: string;
  device: string;
  serialNumber: string;
  /** Sentence of an alarm. */
  sentence: string;
  colleague: string;
}

/** A way through the portal, as somebody goes it who follows what the screens say, from the console on. */
type Way = (person: CountedPage, given: Given) => Promise<void>;

const isNarrow = ({ page }: CountedPage): boolean => (page.viewportSize()?.width ?? 0) < 700;

/** Opens something by the finder, which the head of each screen offers: by its keys at a desk, by its glass on a phone. */
async function finds(person: CountedPage, words: string, line: string): Promise<void> {
  const { page } = person;
  if (isNarrow(person)) await person.clicks(page.getByRole("banner").getByRole("button", { name: "查找" }));
  else {
    await page.getByText("Ctrl K").first().waitFor();
    await person.presses("Control+k");
  }
  await person.types(page.getByRole("combobox", { name: "查找一切" }), words);
  await person.clicks(page.getByRole("dialog", { name: "查找" }).getByRole("option").filter({ hasText: line }).first());
}

/** Opens a unit from the console by its farm. */
async function opensUnit(person: CountedPage, { farm, house, unit }: Given): Promise<void> {
  const { page } = person;
  await person.clicks(page.getByRole("region", { name: "我的场区" }).getByRole("link", { name: farm }));
  const tiles = page.locator(".house-row", { hasText: house }).locator("a.tile");
  // A tile of a unit says its number.
  const number = unit.replace(/\s*单元$/, "");
  await person.clicks(tiles.filter({ has: page.locator("b").getByText(number, { exact: true }) }).first());
  await page.getByRole("heading", { level: 1, name: `${house} ${unit}` }).waitFor();
}

/** Opens an area of the menu, then one of its screens. */
async function opensScreen(person: CountedPage, area: string, screen: string): Promise<void> {
  const { page } = person;
  await person.clicks(page.getByRole("banner").getByRole("link", { name: area, exact: true }));
  await person.clicks(page.locator("aside.side").getByRole("link", { name: screen, exact: true }));
}

const worst: Way = async (person, { sentence }) => {
  const { page } = person;
  await person.clicks(page.getByRole("list", { name: "最严重的告警" }).getByText(sentence));
  await person.clicks(page.getByRole("link", { name: /手动档位/ }).first());
  const asked = page.getByRole("alertdialog");
  await person.types(asked.getByRole("textbox").or(asked.getByRole("spinbutton")).first(), "9");
  await person.clicks(asked.getByRole("checkbox"));
  await person.clicks(asked.getByRole("button", { name: "手动档位" }));
  await person.sees(page.getByRole("list", { name: "指令记录" }).getByText("已完成").first());
};

const washing: Way = async (person, given) => {
  const { page } = person;
  await opensUnit(person, given);
  await person.clicks(page.getByRole("button", { name: /^单元模式/ }));
  await person.clicks(page.getByRole("dialog").getByRole("button", { name: /^冲洗/ }));
  await person.clicks(page.getByRole("alertdialog").getByRole("button", { name: "切换" }));
  await person.sees(page.getByRole("button", { name: /冲洗到/ }));
};

const mortality: Way = async (person) => {
  const { page } = person;
  await opensScreen(person, "兽医与环控", "数据分析");
  await person.clicks(page.getByRole("button", { name: /各场区近 7 日的死亡/ }));
  await person.sees(page.getByRole("heading", { name: "差多少" }));
};

const bySerial: Way = async (person, { serialNumber, device }) => {
  await finds(person, serialNumber, serialNumber);
  await person.sees(person.page.getByRole("heading", { level: 1, name: device }));
};

const order: Way = async (person, { serialNumber }) => {
  const { page } = person;
  await finds(person, serialNumber, serialNumber);
  await person.clicks(page.getByRole("link", { name: "提交工单" }).first());
  await person.types(page.locator("#order-title"), "2 号风机有异响");
  await person.types(page.locator("#order-description"), "昨晚开始，转起来有摩擦声。");
  await person.adds(page.locator("main input[type=file]").first(), {
    name: "fan.jpg",
    mimeType: "image/jpeg",
    buffer: await picture("jpeg"),
  });
  await page.locator("main img").first().waitFor();
  await person.clicks(page.getByRole("button", { name: "提交", exact: true }));
  await page.waitForURL(/orderService\/detail\?id=/);
  await person.sees(page.getByRole("heading", { level: 1 }));
};

const binding: Way = async (person, { farm, house, unit, serialNumber }) => {
  const { page } = person;
  await person.clicks(page.getByRole("main").getByRole("link", { name: "全部设备", exact: true }).first());
  await person.clicks(page.getByRole("link", { name: "绑定设备" }).first());
  await person.types(page.locator("#label-serial"), serialNumber);
  await person.types(page.locator("#label-code"), "260801");
  await person.clicks(page.getByRole("button", { name: "下一步" }));
  await person.clicks(page.getByRole("button", { name: "就是这台" }));
  await person.chooses(page.locator("#place-farm"), { label: farm });
  await person.chooses(page.locator("#place-house"), { label: house });
  await person.chooses(page.locator("#place-unit"), { label: unit });
  await person.clicks(page.getByRole("button", { name: "绑定", exact: true }));
  await person.sees(page.getByText("已绑定"));
};

const changed: Way = async (person, given) => {
  const { page } = person;
  await finds(person, `${given.house} ${given.unit}`, given.unit);
  await person.clicks(page.getByRole("tab", { name: "参数设置" }));
  await person.sees(page.getByRole("row", { name: /目标温度/ }).getByText(given.colleague));
};

const weekly: Way = async (person, { colleague }) => {
  const { page } = person;
  await person.clicks(page.getByRole("main").getByRole("link", { name: "养殖报告" }).first());
  await person.clicks(page.getByRole("button", { name: "周报" }));
  await person.clicks(page.getByRole("button", { name: "发给同事" }));
  const question = page.getByRole("dialog", { name: "把周报发给谁" });
  await person.clicks(question.getByText(colleague));
  await person.clicks(question.getByRole("button", { name: "发送" }));
  await person.sees(page.getByText("已发给 1 人"));
};

const night: Way = async (person, given) => {
  const { page } = person;
  await opensUnit(person, given);
  await person.clicks(page.getByRole("link", { name: "昨夜" }));
  await person.sees(page.locator("#tab-panel .chart svg").first());
};

const known: Way = async (person, { sentence }) => {
  const { page } = person;
  await person.clicks(page.getByRole("list", { name: "最严重的告警" }).getByText(sentence));
  const panel = page.getByRole("complementary", { name: "告警详情" });
  await person.chooses(panel.getByLabel("不再提醒"), { label: "1 小时" });
  await person.clicks(panel.getByRole("button", { name: "确认，我来" }));
  await person.sees(panel.getByText(/已知到/).first());
};

/** The ten tasks, by their numbers in docs/ten-tasks.md. */
export const ways = {
  1: worst,
  2: washing,
  3: mortality,
  4: bySerial,
  5: order,
  6: binding,
  7: changed,
  8: weekly,
  9: night,
  10: known,
} as const;
export type TaskNumber = keyof typeof ways;
