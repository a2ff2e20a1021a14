import { expect, test } from "vitest";
import { tied, tiedHtml } from "./tied.ts";

/** Shows what can't be seen: a blank that holds as `_`, a joint as `+`. */
const seen = (text: string): string => text.replaceAll("\u00a0", "_").replaceAll("\u2060", "+");

test.each([
  ["85 ℃ × 8 分钟", "85_℃ × 8_分+钟"],
  ["200 公里直供，200公里", "200_公+里直供，200+公+里"],
  ["2 个服务工时内答复", "2_个+服+务+工+时内答复"],
  ["3 个工作日，480 头", "3_个+工+作+日，480_头"],
  ["安静时每分钟 25–35 次", "安静时每分钟 25+–+35_次"],
  ["每周降 1–1.5 ℃", "每周降 1+–+1.5_℃"],
  ["within 2 service hours", "within 2_service_hours"],
  ["1 working day, 10 minutes, 5 m", "1_working_day, 10_minutes, 5_m"],
  ["Above 85 % humidity, 30 ppm", "Above 85_% humidity, 30_ppm"],
  ["3 mills, 2 trucks, 4 heads, 8 months", "3 mills, 2 trucks, 4 heads, 8 months"],
  ["A – B, 5 – 6", "A – B, 5 – 6"],
  ["DW-10 by RS-485, mini-app, 5-8", "DW-+10 by RS-+485, mini-app, 5-8"],
])("a number stays with its unit: %s", (text, expected) => {
  expect(seen(tied(text))).toBe(expected);
  expect(tied(tied(text))).toBe(tied(text));
});

test("in HTML nothing but the text is touched", () => {
  expect(seen(tiedHtml('<p title="8 分钟 > 5 kg">8 分钟</p><img alt="1–2" src="/a 5 m.png"/>3 kg'))).toBe(
    '<p title="8 分钟 > 5 kg">8_分+钟</p><img alt="1–2" src="/a 5 m.png"/>3_kg',
  );
});
