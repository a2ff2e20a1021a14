import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { Link } from "react-router";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import styles from "./frame.module.css";
import { type FrameTab, frameTabs } from "./frame-tab-names.ts";

const names: Readonly<Record<FrameTab, string>> = {
  now: "现在",
  history: "历史",
  analysis: "统计分析",
  parameters: "参数设置",
  records: "设备记录",
  alarms: "告警",
  about: "关于",
};

const isTab = (text: string | null): text is FrameTab => frameTabs.some((tab) => tab === text);

/** The tabs of a page, in the address as `tab`; arrow keys, Home and End move between them. @param parts what each of them shows */
export function FrameTabs({ parts }: { parts: Readonly<Record<FrameTab, () => ReactNode>> }) {
  const t = useTranslate();
  const [search, change] = useAddressValues();
  const list = useRef<HTMLDivElement>(null);
  const asked = search.get("tab");
  const tab = isTab(asked) ? asked : "now";
  const choose = (next: FrameTab): void => change({ tab: next === "now" ? undefined : next });
  const onKey = (event: KeyboardEvent): void => {
    const at = frameTabs.indexOf(tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    const next = to === undefined ? undefined : frameTabs.at(to % frameTabs.length);
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <>
      <div className={styles.tabs} role="tablist" aria-label={t("页面内容")} ref={list} onKeyDown={onKey}>
        {frameTabs.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`tab-${one}`}
            aria-selected={one === tab}
            aria-controls="tab-panel"
            tabIndex={one === tab ? 0 : -1}
            onClick={() => choose(one)}
          >
            {t(names[one])}
          </button>
        ))}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`} className={styles.panel}>
        {parts[tab]()}
      </div>
    </>
  );
}

/** Leads to another tab of the page, and stays with its other choices. @param range of time that it shows there */
export function TabLink({ tab, range, children }: { tab: FrameTab; range?: string; children: ReactNode }) {
  const [search] = useAddressValues();
  const to = new URLSearchParams(search);
  to.set("tab", tab);
  if (range !== undefined) to.set("range", range);
  return (
    <Link className="link" to={`?${to}`} replace preventScrollReset>
      {children}
    </Link>
  );
}
