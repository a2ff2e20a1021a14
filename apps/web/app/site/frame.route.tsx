import { Outlet, useLocation } from "react-router";
import { Brand } from "../shared/icons/brand.tsx";
import { Icon } from "../shared/icons/icon.tsx";
import { useLanguage, useTranslate } from "../shared/language/use-language.ts";
import { ThemeButton } from "../shared/preferences/appearance-controls.tsx";
import { usePreferences } from "../shared/preferences/preferences.tsx";
import "./site.css";
import { ContactRail, dialled } from "./contact-rail.tsx";
import { servicePages } from "./service-nav.tsx";
// Bundled by itself: this page loads it instead of the framework.
import siteScript from "./site-script.ts?worker&url";
import { solutionPath, solutions } from "./solutions.ts";
import { Standing, useHoursWords, useServiceStanding } from "./standing.tsx";

/** Read by the document: pages of the site need no framework in the browser. */
export const handle = { plain: true } as const;

const sections = [
  { href: "/index#solutions", name: "解决方案" },
  { href: "/market", name: "行情" },
  { href: "/information", name: "养殖资讯" },
  { href: "/service/productService", name: "服务支持" },
  { href: "/service/productInfo", name: "产品资料" },
  { href: "/news", name: "集团动态" },
  { href: "/partner", name: "合作伙伴" },
] as const;

/** Section of the site that a path belongs to. */
const sectionOf = (path: string): string =>
  path.startsWith("/solution/")
    ? "/index#solutions"
    : path === "/service/fileShow" || path === "/productFileShow" || path === "/service/productInfo"
      ? "/service/productInfo"
      : path.startsWith("/service/")
        ? "/service/productService"
        : path === "/informationDetails"
          ? "/information"
          : path.startsWith("/news")
            ? "/news"
            : path;

/** Where the record of a website with the public security is looked up, by the digits in it. */
const policeAddress = (record: string): string =>
  `https://beian.mps.gov.cn/#/query/webSearch?code=${record.replace(/\D/g, "")}`;

/** What names a page beside its path. Anything else in an address must not reach a page that others are shown, too. */
const namingParameters = [
  "id",
  "topic",
  "period",
  "kind",
  "product",
  "service",
  "wish",
  "page",
  "q",
  "token",
  "preview",
  "breed",
  "days",
  "area",
  "province",
];

/** Address of this page in the other language; a plain link, so that it works without scripts. */
function otherLanguage(language: "zh" | "en", path: string, search: string): string {
  const held = new URLSearchParams(search);
  const query = new URLSearchParams();
  for (const name of namingParameters) {
    for (const value of held.getAll(name)) query.append(name, value);
  }
  query.set("lang", language === "zh" ? "en" : "zh");
  return `${path}?${query}`;
}

/** Header and footer of the public site. All links load documents: pages here are rendered by the server. */
export default function SiteFrame() {
  const t = useTranslate();
  const language = useLanguage();
  const { pathname, search } = useLocation();
  const other = otherLanguage(language, pathname, search);
  const current = (href: string) => (sectionOf(pathname) === href ? { "aria-current": "page" as const } : {});
  const { nonce, brand, records, contact } = usePreferences();
  const hoursWords = useHoursWords();
  const standing = useServiceStanding();
  return (
    <div className="site">
      {/* Not async: it works on what stands below it. */}
      <script type="module" src={siteScript} nonce={nonce} />
      <a className="skip" href="#main">
        {t("跳到正文")}
      </a>
      <header className="site-head">
        <div className="wrap">
          <a className="brand" href="/index">
            <Brand latin />
          </a>
          <nav aria-label={t("主导航")}>
            {sections.map(({ href, name }) => (
              <a key={href} href={href} {...current(href)}>
                {t(name)}
              </a>
            ))}
          </nav>
          <span className="spacer" />
          <a
            className="icon-button with-text"
            href={other}
            hrefLang={language === "zh" ? "en" : "zh-CN"}
            lang={language === "zh" ? "en" : "zh-CN"}
          >
            {language === "zh" ? "English" : "中文"}
          </a>
          <a className="icon-button" href="/search" aria-label={t("站内搜索")}>
            <Icon name="search" />
          </a>
          <ThemeButton />
          <a className="btn quiet" href="/login" data-guest="">
            {t("登录")}
          </a>
          <a className="btn primary" href="/selfCenter/home">
            {t("自助中心")}
          </a>
          <details className="mobile-menu">
            <summary className="icon-button" aria-label={t("打开菜单")}>
              <Icon name="menu" />
            </summary>
            <div className="mn-sheet">
              {sections.map(({ href, name }) => (
                <a key={href} href={href} {...current(href)}>
                  {t(name)}
                </a>
              ))}
              <a href="/login" data-guest="">
                {t("登录")}
              </a>
              <a href={other} hrefLang={language === "zh" ? "en" : "zh-CN"} lang={language === "zh" ? "en" : "zh-CN"}>
                {language === "zh" ? "English" : "中文"}
              </a>
            </div>
          </details>
        </div>
      </header>
      <Outlet />
      <ContactRail />
      <footer className="site-foot">
        <div className="wrap cols">
          <div>
            <a className="brand" href="/index">
              <Brand latin />
            </a>
            <p>{t("猪场环境控制、生物安全与智慧养殖平台")}</p>
            {(contact.service !== "" || contact.sales !== "") && (
              <address className="reach">
                {contact.service !== "" && (
                  <p>
                    {t("客服电话")} <a href={`tel:${dialled(contact.service)}`}>{contact.service}</a>
                  </p>
                )}
                {contact.sales !== "" && (
                  <p>
                    {t("销售电话")} <a href={`tel:${dialled(contact.sales)}`}>{contact.sales}</a>
                  </p>
                )}
                {standing && <Standing state={standing} />}
                <p>{hoursWords}</p>
              </address>
            )}
            {contact.place !== "" && <p>{contact.place}</p>}
          </div>
          <nav aria-label={t("解决方案")}>
            <h2>{t("解决方案")}</h2>
            <ul>
              {solutions.slice(0, 5).map((solution) => (
                <li key={solution.name}>
                  <a href={solutionPath(solution)}>{t(solution.title)}</a>
                </li>
              ))}
            </ul>
          </nav>
          <nav aria-label={t("更多方案")}>
            <h2>{t("更多方案")}</h2>
            <ul>
              {solutions.slice(5).map((solution) => (
                <li key={solution.name}>
                  <a href={solutionPath(solution)}>{t(solution.title)}</a>
                </li>
              ))}
            </ul>
          </nav>
          <nav aria-label={t("服务支持")}>
            <h2>{t("服务支持")}</h2>
            <ul>
              {/* Notices are what the group tells about itself. */}
              {servicePages
                .filter(([href]) => href !== "/service/notice")
                .map(([href, name]) => (
                  <li key={href}>
                    <a href={href}>{t(name)}</a>
                  </li>
                ))}
            </ul>
          </nav>
          <nav aria-label={t("关于")}>
            <h2>{t("关于")}</h2>
            <ul>
              <li>
                <a href="/information">{t("养殖资讯")}</a>
              </li>
              <li>
                <a href="/news">{t("集团动态")}</a>
              </li>
              <li>
                <a href="/service/notice">{t("通知公告")}</a>
              </li>
              <li>
                <a href="/market">{t("市场行情")}</a>
              </li>
              <li>
                <a href="/partner">{t("合作伙伴")}</a>
              </li>
            </ul>
          </nav>
          <nav aria-label={t("账户")}>
            <h2>{t("账户")}</h2>
            <ul>
              <li data-guest="">
                <a href="/login">{t("登录")}</a>
              </li>
              <li>
                <a href="/selfCenter/home">{t("自助中心")}</a>
              </li>
            </ul>
          </nav>
        </div>
        <div className="legal">
          <div className="wrap">
            <span>
              © {new Date().getFullYear()} {contact.company || `${brand.en} ${brand.zh}`.trim()}
            </span>
            <a href="/legal/privacy">{t("隐私政策")}</a>
            <a href="/legal/privacy#choices">{t("隐私选择")}</a>
            <a href="/legal/terms">{t("用户协议")}</a>
            {records.icp !== "" && (
              <a href="https://beian.miit.gov.cn/" rel="noreferrer" lang="zh-CN">
                {records.icp}
              </a>
            )}
            {records.police !== "" && (
              <a href={policeAddress(records.police)} rel="noreferrer" lang="zh-CN">
                {records.police}
              </a>
            )}
          </div>
        </div>
      </footer>
    </div>
  );
}
