import { myTenants, type TenantChoice } from "@herdwise/contract";
import { useRef } from "react";
import { Link } from "react-router";
import { screens } from "../screens.ts";
import { call } from "../shared/api/call.ts";
import { useLoad } from "../shared/api/use-load.ts";
import { Brand } from "../shared/icons/brand.tsx";
import { Icon } from "../shared/icons/icon.tsx";
import type { Language } from "../shared/language/dictionary.ts";
import { Translated } from "../shared/language/translated.tsx";
import { useTranslate } from "../shared/language/use-language.ts";
import { useNames } from "../shared/language/use-names.ts";
import { openCustomerService } from "../shared/mall/customer-service.ts";
import { openMall } from "../shared/mall/mall.ts";
import { useMallAddress } from "../shared/mall/use-mall-address.ts";
import { keepAppearance, keepLanguage } from "../shared/preferences/account-appearance.ts";
import { ThemeButton } from "../shared/preferences/appearance-controls.tsx";
import {
  type Accent,
  accents,
  type Density,
  densities,
  type Side,
  usePreferences,
} from "../shared/preferences/preferences.tsx";
import { calledOf, nodeOfScreen } from "../shared/session/access.ts";
import { useAccess } from "../shared/session/access-context.ts";
import { logOut, switchTenant } from "../shared/session/log-out.ts";
import { groupsOf, type Standing } from "../shared/session/menu.ts";
import { JobMenu } from "./jobs/job-menu.tsx";
import { MessageBell } from "./message-bell.tsx";
import { MenuSheet } from "./side-menu.tsx";

const accentNames: Readonly<Record<Accent, string>> = { leaf: "叶绿", water: "水蓝", clay: "陶红" };
const densityNames: Readonly<Record<Density, string>> = { regular: "常规", compact: "紧凑", barn: "舍内大字" };
const sideNames: Readonly<Record<Side, string>> = { light: "浅色", dark: "深色" };

/** Languages by their own names, the same in every language. */
const languageNames: Readonly<Record<Language, string>> = { zh: "中文", en: "English" };

interface ChoiceProps<Value extends string> {
  label: string;
  values: readonly Value[];
  names: Readonly<Record<Value, string>>;
  value: Value;
  onChange: (value: Value) => void;
}

function Choice<Value extends string>({ label, values, names, value, onChange }: ChoiceProps<Value>) {
  const t = useTranslate();
  return (
    <fieldset className="choice">
      <legend>{label}</legend>
      <div className="seg">
        {values.map((candidate) => (
          <button key={candidate} type="button" aria-pressed={candidate === value} onClick={() => onChange(candidate)}>
            {t(names[candidate])}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

function Tenants({ tenants, current }: { tenants: readonly TenantChoice[]; current: string }) {
  const t = useTranslate();
  if (tenants.length < 2) return null;
  return (
    <section aria-label={t("切换组织")} className="tenant-list">
      <h2>{t("切换组织")}</h2>
      {tenants.map(({ tenantId, tenantName }) => (
        <button
          key={tenantId}
          type="button"
          className="pop-row"
          aria-current={tenantId === current ? "true" : undefined}
          disabled={tenantId === current}
          // A refusal shows as a toast; the page stays where it is.
          onClick={() => void switchTenant(tenantId).catch(() => undefined)}
        >
          <Icon name={tenantId === current ? "check" : "swap"} small />
          <Translated text={tenantName} />
        </button>
      ))}
    </section>
  );
}

function AccountMenu({ mallUrl }: { mallUrl: string }) {
  const t = useTranslate();
  const menu = useRef<HTMLDivElement>(null);
  const { user, menu: nodes } = useAccess();
  const inBarns = screens.some((screen) => screen.menuCode === "env_overview" && nodeOfScreen(nodes, screen));
  const safe = screens.find((screen) => screen.menuCode === "self_safe" && nodeOfScreen(nodes, screen));
  const preferences = usePreferences();
  const tenants = useLoad("my-tenants", (signal) => call(myTenants, { signal, quiet: true }));
  const name = useNames()(calledOf(user));
  return (
    <>
      <button type="button" className="account-menu" popoverTarget="account-menu">
        <span className="ava" aria-hidden="true">
          {name.slice(0, 1)}
        </span>
        <span className="who">
          <span>{name}</span>
          <span>
            <Translated text={user.tenant_name} />
          </span>
        </span>
      </button>
      <div id="account-menu" popover="auto" className="pop" ref={menu}>
        <div className="pop-head">
          <b>{name}</b>
          <span>
            <Translated text={user.tenant_name} />　{user.account}
          </span>
        </div>
        <Tenants tenants={tenants.value ?? []} current={user.tenant_id} />
        <Choice
          label={t("语言")}
          values={["zh", "en"]}
          names={languageNames}
          value={preferences.language}
          onChange={(language) => {
            void preferences.setLanguage(language);
            void keepLanguage(language);
          }}
        />
        <Choice
          label={t("字号与间距")}
          values={densities}
          names={densityNames}
          value={preferences.density}
          onChange={preferences.setDensity}
        />
        <Choice
          label={t("强调色")}
          values={accents}
          names={accentNames}
          value={preferences.accent}
          onChange={(accent) => {
            preferences.setAccent(accent);
            void keepAppearance({ activeColor: accent });
          }}
        />
        <Choice
          label={t("侧栏")}
          values={["light", "dark"]}
          names={sideNames}
          value={preferences.side}
          onChange={(side) => {
            preferences.setSide(side);
            void keepAppearance({ sideMode: side });
          }}
        />
        {safe && (
          <Link className="pop-row" to={safe.path} onClick={() => menu.current?.hidePopover()}>
            <Icon name="shield" small />
            {t("安全设置")}
          </Link>
        )}
        {mallUrl && (
          <button type="button" className="pop-row only-narrow" onClick={() => void openMall(mallUrl)}>
            <Icon name="shop" small />
            {t("商城")}
          </button>
        )}
        {inBarns && (
          // A document of its own: its worker keeps the page for when there is no network.
          <a className="pop-row" href="/barn">
            <Icon name="phone" small />
            {t("舍内模式")}
          </a>
        )}
        <button type="button" className="pop-row" onClick={() => void openCustomerService()}>
          <Icon name="chat" small />
          {t("联系客服")}
        </button>
        <button type="button" className="pop-row" onClick={() => void logOut()}>
          <Icon name="exit" small />
          {t("退出登录")}
        </button>
      </div>
    </>
  );
}

/** Brand, groups, find, language, theme and account. */
export function Header({ standing, onFind }: { standing: Standing; onFind: () => void }) {
  const t = useTranslate();
  const { menu } = useAccess();
  const { language, setLanguage } = usePreferences();
  const other = language === "zh" ? "en" : "zh";
  const sheet = useRef<HTMLDialogElement>(null);
  const mallUrl = useMallAddress();
  return (
    <header className="top">
      <button
        type="button"
        className="icon-button only-m"
        aria-label={t("打开菜单")}
        onClick={() => sheet.current?.showModal()}
      >
        <Icon name="menu" />
      </button>
      <a className="brand" href="/index">
        <Brand />
      </a>
      <nav aria-label={t("分组")}>
        {groupsOf(menu).map(({ type, name, entry }) => (
          <Link key={type} to={entry.path} aria-current={type === standing.group?.type ? "true" : undefined}>
            {t(name)}
          </Link>
        ))}
      </nav>
      <span className="spacer" />
      <JobMenu />
      <button type="button" className="find" onClick={onFind}>
        <Icon name="search" small />
        <span>{t("查找页面、设备、单据、人")}</span>
        <kbd>Ctrl K</kbd>
      </button>
      <button type="button" className="icon-button only-m" aria-label={t("查找")} onClick={onFind}>
        <Icon name="search" />
      </button>
      <button
        type="button"
        className="icon-button with-text"
        lang={language === "zh" ? "en" : "zh-CN"}
        title={language === "zh" ? "Switch to English" : "切换到中文"}
        onClick={() => {
          void setLanguage(other);
          void keepLanguage(other);
        }}
      >
        {language === "zh" ? "EN" : "中文"}
      </button>
      {mallUrl && (
        <button type="button" className="icon-button with-text mall" onClick={() => void openMall(mallUrl)}>
          <Icon name="shop" small />
          {t("商城")}
        </button>
      )}
      <ThemeButton />
      <MessageBell />
      <AccountMenu mallUrl={mallUrl} />
      <MenuSheet sheet={sheet} standing={standing} />
    </header>
  );
}
