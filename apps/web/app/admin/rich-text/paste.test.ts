import { expect, test } from "vitest";
import { cleanPasted } from "./paste.ts";

test("what Word adds is taken out and counted, the words and their structure stay", () => {
  const word = `<!--[if gte mso 9]><xml><w:WordDocument/></xml><![endif]--><style>p.MsoNormal{margin:0}</style>
<p class="MsoNormal" style="margin:0cm;color:red"><span lang="ZH-CN" style='font-family:"宋体"'>夜里<b>不冲栏</b></span><o:p></o:p></p>
<p class=MsoNormal>&nbsp;</p><ul><li style="mso-list:l0">一</li></ul>`;
  const pasted = cleanPasted(word);
  expect(pasted.html.replace(/\n/g, "")).toBe("<p>夜里<b>不冲栏</b></p><ul><li>一</li></ul>");
  expect(pasted.empty).toBe(1);
  expect(pasted.comments).toBeGreaterThanOrEqual(2);
  expect(pasted.looks).toBeGreaterThanOrEqual(4);
});

test("plain markup is left as it is", () => {
  expect(cleanPasted("<h2>一</h2><p>二</p>")).toEqual({
    html: "<h2>一</h2><p>二</p>",
    looks: 0,
    empty: 0,
    comments: 0,
  });
});

test("raised and lowered figures stay raised and lowered, by element or by style", () => {
  const plain = "<p>10<sup>6</sup> 拷贝/mL，H<sub>2</sub>S</p>";
  expect(cleanPasted(plain).html).toBe(plain);
  expect(
    cleanPasted(
      '<p>10<span lang=EN-US style="vertical-align:super">6</span> 拷贝/mL，H<span style="vertical-align:sub">2</span>S</p>',
    ).html,
  ).toBe("<p>10<sup>6</sup> 拷贝/mL，H<sub>2</sub>S</p>");
  // As sheets write it.
  expect(
    cleanPasted(
      '<style><!--table\n\t{border:0}\n.font6 {vertical-align:super;} .xl65{font-weight:700; vertical-align:top}--></style><table><tr><td class=xl65>10<font class="font6">6</font></td></tr></table>',
    ).html,
  ).toBe("<table><tr><td><strong>10</strong><strong><sup>6</sup></strong></td></tr></table>");
});

test("bold, slanted, underlined and struck out by style stay so, where no element says it already", () => {
  const of = (html: string) => cleanPasted(html).html;
  expect(of('<p>夜里<span style="font-family:&quot;宋体&quot;;font-weight:700">不冲栏</span></p>')).toBe(
    "<p>夜里<strong>不冲栏</strong></p>",
  );
  expect(of("<p>夜里<b><span style='font-weight:bold;mso-bidi-font-weight:normal'>不冲栏</span></b></p>")).toBe(
    "<p>夜里<b>不冲栏</b></p>",
  );
  expect(of('<p style="font-weight:bold">甲<span style="font-weight:normal">乙</span><p>丙')).toBe(
    "<p><strong>甲</strong>乙<p>丙",
  );
  // As Google's documents are copied.
  expect(
    of('<b style="font-weight:normal"><p>甲<span style="font-weight:600;font-style:italic">乙</span></p></b>'),
  ).toBe("<p>甲<strong><em>乙</em></strong></p>");
  expect(
    of('<p><span style="text-decoration:underline">甲</span><span style="text-decoration:line-through">乙</span></p>'),
  ).toBe("<p><u>甲</u><s>乙</s></p>");
  expect(
    of(
      '<h2><span style="font-weight:bold">甲</span></h2><a href="/news"><span style="text-decoration:underline">乙</span></a>',
    ),
  ).toBe('<h2>甲</h2><a href="/news">乙</a>');
});
