import type { ReactNode } from "react";
import { Brand } from "../shared/icons/brand.tsx";
import { useTranslate } from "../shared/language/use-language.ts";
import { ThemeButton } from "../shared/preferences/appearance-controls.tsx";
import { usePreferences } from "../shared/preferences/preferences.tsx";
import { NeedsScripts } from "../shared/states/needs-scripts.tsx";
import { PageTitle } from "../shared/states/page-title.tsx";
import { BrandPanel } from "./brand-panel.tsx";
import "../shared/forms/forms.css";
import "./account.css";

function PageTools() {
  const { language, setLanguage } = usePreferences();
  return (
    <div className="top-links">
      <button
        type="button"
        className="icon-button with-text"
        lang={language === "zh" ? "en" : "zh-CN"}
        onClick={() => void setLanguage(language === "zh" ? "en" : "zh")}
      >
        {language === "zh" ? "English" : "中文"}
      </button>
      <ThemeButton />
    </div>
  );
}

function SkipLink() {
  const t = useTranslate();
  return (
    <a className="skip" href="#main">
      {t("跳到正文")}
    </a>
  );
}

/** The house at night on the left, a form on the right. */
export function AccountShell({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="account-page">
      <PageTitle title={title} />
      <SkipLink />
      <BrandPanel />
      <main className="form-panel" id="main">
        <PageTools />
        <div className="form-box">{children}</div>
      </main>
    </div>
  );
}

/** One question in the middle of the page, for phones and for guests of another site. */
export function AskShell({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="ask">
      <PageTitle title={title} />
      <SkipLink />
      <header>
        <a className="brand" href="/index">
          <Brand latin />
        </a>
        <PageTools />
      </header>
      <main id="main">
        <h1 className="visually-hidden">{title}</h1>
        <div className="ask-card">{children}</div>
      </main>
    </div>
  );
}

/** Places of a form's fields, at their size. */
function Waiting() {
  const t = useTranslate();
  return (
    <div className="bx-wait" aria-busy="true">
      {import.meta.env.SSR ? <NeedsScripts /> : <noscript />}
      <span className="visually-hidden" role="status">
        {t("正在加载")}
      </span>
      {["title", "line", "field", "field", "field", "field go"].map((kind, index) => (
        <span key={index} className={`skeleton ${kind}`} />
      ))}
    </div>
  );
}

/** What the server sends: the page as it will stand, without the fields, which are nothing without scripts. */
export function AccountFallback({ title }: { title: string }) {
  const t = useTranslate();
  return (
    <AccountShell title={t(title)}>
      <Waiting />
    </AccountShell>
  );
}

/** The same for one question. */
export function AskFallback({ title }: { title: string }) {
  const t = useTranslate();
  return (
    <AskShell title={t(title)}>
      <Waiting />
    </AskShell>
  );
}
