import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { PreferenceProvider } from "../preferences/preferences.tsx";
import { readPreferences } from "../preferences/read-preferences.ts";
import { unknownPortal } from "../session/title.ts";
import { type ExceptionProps, ExceptionView } from "./exception-view.tsx";

const initial = {
  ...readPreferences({}),
  dictionary: {},
  dictionaryPart: "whole",
  ...unknownPortal,
  nonce: undefined,
} as const;
const render = (props: ExceptionProps): string =>
  renderToStaticMarkup(createElement(PreferenceProvider, { initial, children: createElement(ExceptionView, props) }));

describe("exception view", () => {
  it.each([
    ["403", "没有访问权限", "请开通资源权限"],
    ["404", "页面不存在", "您访问的页面不存在"],
    ["500", "服务器出错了", "请稍后再试"],
    ["empty", "暂无数据", "还没有内容"],
    ["noSearchData", "请先选择查询条件", "结果会显示在这里"],
  ] as const)("of type %s says what happened and what to do, with a picture of its own", (type, title, text) => {
    const html = render({ type });
    expect(html).toContain(`<h2>${title}</h2>`);
    expect(html).toContain(text);
    expect(html).toContain("<svg");
    expect(html).toContain('aria-hidden="true"');
  });

  it("tells its types apart by the picture, too", () => {
    const pictures = (["403", "404", "500", "empty", "noSearchData"] as const).map(
      (type) => /<svg.*<\/svg>/s.exec(render({ type }))?.[0],
    );
    expect(new Set(pictures).size).toBe(5);
  });

  it("takes a picture and words of its own, and actions", () => {
    const html = render({
      type: "empty",
      image: createElement("img", { alt: "", src: "/own.svg" }),
      title: "还没有场区",
      text: "建好后显示",
      children: createElement("button", { type: "button" }, "新建"),
    });
    expect(html).toContain('<img alt="" src="/own.svg"/><h2>还没有场区</h2><p>建好后显示</p>');
    expect(html).toContain('<div class="exception-actions"><button type="button">新建</button></div>');
    expect(html).not.toContain("<svg");
  });

  it("has the page's heading where it stands alone, and the way home where it is asked for", () => {
    const html = render({ type: "404", wholePage: true, homeLink: true });
    expect(html).toContain("<h1>页面不存在</h1>");
    expect(html).toContain('href="/index"');
  });
});
