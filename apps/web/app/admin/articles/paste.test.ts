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
