import {
  macroRegions,
  type Province,
  type PublicOutlet,
  provinces,
  type publicOutlets,
  type ReplyOf,
} from "@herdwise/contract";
import { Icon } from "../shared/icons/icon.tsx";
import { useLanguage, useTranslate } from "../shared/language/use-language.ts";
import { TileMap } from "../shared/prices/tile-map.tsx";
import { ExampleMark } from "./article-parts.tsx";
import { hoursText, outletState } from "./outlet-hours.ts";
import { ServiceNav } from "./service-nav.tsx";
import { addressIn, breadcrumbs, SiteHead } from "./site-head.tsx";
import { Standing } from "./standing.tsx";

/** Of more outlets than these, only those of the first group stand open. */
const mostUnfolded = 12;

const serviceNames: Readonly<Record<PublicOutlet["services"][number], string>> = {
  repair: "设备维修",
  parts: "常用配件",
  installation: "安装调试",
  calibration: "传感器校准",
  training: "使用培训",
  disinfection: "洗消服务",
};

const provinceCode = (outlet: PublicOutlet): string => outlet.regionCode.slice(0, 2);
const macroOf = (outlet: PublicOutlet): string =>
  provinces.find(({ code }) => code === provinceCode(outlet))?.macro ?? "";

/** Where a map leads to the outlet: to its place, or to a search for its address. */
const routeAddress = ({ name, places, street, latitude, longitude }: PublicOutlet): string =>
  latitude === undefined
    ? `https://uri.amap.com/search?${new URLSearchParams({ keyword: `${places.join("")}${street}` })}`
    : `https://uri.amap.com/marker?${new URLSearchParams({ position: `${longitude},${latitude}`, name, coordinate: "wgs84", callnative: "1" })}`;

function Card({ outlet, days, nowMs }: { outlet: PublicOutlet; days: readonly { worked: boolean }[]; nowMs: number }) {
  const t = useTranslate();
  const language = useLanguage();
  const english = language === "en" && outlet.nameEn !== "";
  const foreign = language === "en" && !english ? { lang: "zh-CN" } : {};
  const places = outlet.places.slice(1).join(" ");
  const province = provinces.find(({ code }) => code === provinceCode(outlet));
  const state = outletState(outlet, days, nowMs);
  return (
    <li
      className="outlet"
      id={`o-${outlet.id}`}
      data-open={state.kind === "open" ? "" : undefined}
      data-place={outlet.latitude === undefined ? undefined : `${outlet.latitude},${outlet.longitude}`}
    >
      <div className="outlet-head">
        <h3 {...foreign}>{english ? outlet.nameEn : outlet.name}</h3>
        <span className="mut">{province && t(province.name)}</span>
        <span className="num" data-distance="" hidden />
        {outlet.example && <ExampleMark />}
      </div>
      <Standing state={state} />
      <dl>
        <div>
          <dt>{t("地址")}</dt>
          <dd {...(language === "en" && outlet.streetEn === "" ? { lang: "zh-CN" } : {})}>
            {language === "en" && outlet.streetEn !== "" ? (
              outlet.streetEn
            ) : (
              <>
                {places} <span>{outlet.street}</span>
              </>
            )}{" "}
            <a href={routeAddress(outlet)} rel="noreferrer">
              {t("怎么去")}
            </a>
          </dd>
        </div>
        <div>
          <dt>{t("电话")}</dt>
          <dd>
            <a className="num" href={`tel:${outlet.line.replaceAll(/[^\d+]/g, "")}`}>
              {outlet.line}
            </a>
          </dd>
        </div>
        <div>
          <dt>{t("工作日")}</dt>
          <dd className="num">{hoursText(outlet.weekdayHours)}</dd>
        </div>
        <div>
          <dt>{t("周末")}</dt>
          <dd className="num">{outlet.weekendHours === "" ? t("休息") : hoursText(outlet.weekendHours)}</dd>
        </div>
        {outlet.services.length > 0 && (
          <div>
            <dt>{t("服务项目")}</dt>
            <dd>
              <ul className="outlet-services">
                {outlet.services.map((service) => (
                  <li key={service}>{t(serviceNames[service])}</li>
                ))}
              </ul>
            </dd>
          </div>
        )}
      </dl>
    </li>
  );
}

interface NetworkProps {
  origin: string;
  /** What was looked for; "" for nothing. */
  word: string;
  /** Province that the address names; "" for none. */
  province: string;
  all: ReplyOf<typeof publicOutlets>;
  /** What the word finds; undefined without one. */
  found: readonly PublicOutlet[] | undefined;
  nowMs: number;
}

/** The service network: look for a place, provinces as tiles, outlets with address, telephone, hours and services. */
export function NetworkPage({ origin, word, province, all: { outlets, days }, found, nowMs }: NetworkProps) {
  const t = useTranslate();
  const named = provinces.find(({ code }) => code === province);
  const provinceName = named ? t(named.name) : "";
  const shown = (found ?? outlets).filter((outlet) => province === "" || provinceCode(outlet) === province);
  const groups = Map.groupBy(shown, macroOf);
  const counts = Map.groupBy(outlets, provinceCode);
  const isOpen = (outlet: PublicOutlet): boolean => outletState(outlet, days, nowMs).kind === "open";
  const openNow = outlets.filter(isOpen).length;
  const path = province === "" ? "/service/network" : `/service/network?province=${province}`;
  const title = named ? t("{province}服务网点", { province: provinceName }) : t("服务网点");
  const description =
    outlets.length === 0
      ? ""
      : named
        ? t("{province}有 {count} 个服务网点：地址、电话、营业时间和服务项目。", {
            province: provinceName,
            count: counts.get(province)?.length ?? 0,
          })
        : t("{count} 个服务网点，{provinces} 个省：地址、电话、营业时间和服务项目。", {
            count: outlets.length,
            provinces: counts.size,
          });
  const toneOf = (count: number): string => (count >= 6 ? "c4" : count >= 4 ? "c3" : count >= 2 ? "c2" : "c1");
  const tileOf = ({ code, name }: Province) => {
    const count = counts.get(code)?.length ?? 0;
    return count === 0
      ? { tone: "no", lines: ["—"], words: t("{area}：没有网点", { area: t(name) }) }
      : {
          tone: `${toneOf(count)}${code === province ? " chosen" : ""}`,
          lines: [String(count)],
          href: `/service/network?province=${code}#outlets`,
          words: t("{area}：{count} 个网点", { area: t(name), count }),
        };
  };
  return (
    <main id="main" className="content-page network" data-page="network">
      <SiteHead
        title={title}
        description={description}
        origin={origin}
        path={path}
        hidden={word !== "" || outlets.length === 0}
        structured={[
          breadcrumbs([
            [t("首页"), addressIn("zh", origin, "/index")],
            [t("服务网点"), addressIn("zh", origin, "/service/network")],
          ]),
          ...(shown.length > 0 && shown.length <= 100
            ? [
                {
                  "@type": "ItemList",
                  itemListElement: shown.map((outlet, at) => ({
                    "@type": "ListItem",
                    position: at + 1,
                    item: {
                      "@type": "LocalBusiness",
                      name: outlet.name,
                      telephone: outlet.line,
                      address: {
                        "@type": "PostalAddress",
                        addressCountry: "CN",
                        addressRegion: outlet.places[0] ?? "",
                        streetAddress: `${outlet.places.slice(1).join("")}${outlet.street}`,
                      },
                    },
                  })),
                },
              ]
            : []),
        ]}
      />
      <ServiceNav path="/service/network" />
      <div className="wrap">
        <header className="list-head">
          <h1>{t("离你最近的人")}</h1>
          <p>
            {outlets.length === 0
              ? t("网点还在登记，先打电话，我们派最近的人。")
              : openNow === 0
                ? t("{count} 个服务网点，{provinces} 个省，现在都没开门。设备紧急告警全天有人接。", {
                    count: outlets.length,
                    provinces: counts.size,
                  })
                : t("{count} 个服务网点，{provinces} 个省，现在 {open} 个营业中。设备紧急告警全天有人接。", {
                    count: outlets.length,
                    provinces: counts.size,
                    open: openNow,
                  })}
          </p>
        </header>
        {outlets.length > 0 && (
          <search className="network-search">
            <form method="get" action="/service/network">
              <label htmlFor="outlet-q">{t("你的猪场在哪")}</label>
              <div>
                <input
                  id="outlet-q"
                  className="input"
                  type="search"
                  name="q"
                  maxLength={64}
                  defaultValue={word}
                  placeholder={t("省、市、县或网点名")}
                />
                <select className="input" name="province" aria-label={t("省份")} defaultValue={province}>
                  <option value="">{t("全部省份")}</option>
                  {provinces
                    .filter(({ code }) => counts.has(code))
                    .map(({ code, name }) => (
                      <option key={code} value={code}>
                        {t(name)}
                      </option>
                    ))}
                </select>
                <button className="btn primary" type="submit">
                  <Icon name="search" small />
                  {t("查找")}
                </button>
              </div>
            </form>
            {outlets.some(({ latitude }) => latitude !== undefined) && (
              <div className="near-me" data-near="" hidden>
                <button type="button" className="btn">
                  <Icon name="map" small />
                  {t("按离我远近排")}
                </button>
                <small>{t("位置只在这台设备上用，不发给我们")}</small>
                <p role="status" data-refused={t("没有得到位置。请选省份，或写市、县的名字。")} />
              </div>
            )}
            {(word !== "" || province !== "") && (
              <p role="status">
                {t("找到 {count} 个网点", { count: shown.length })} <a href="/service/network">{t("看全部")}</a>
              </p>
            )}
          </search>
        )}
        {outlets.length > 0 && (
          <div className="network-two">
            <aside aria-labelledby="network-map-title">
              <h2 id="network-map-title">{t("各省网点数")}</h2>
              <TileMap label={t("各省网点数")} tileOf={tileOf} />
              <ul className="scale-marks">
                {(
                  [
                    ["c1", "1"],
                    ["c2", "2–3"],
                    ["c3", "4–5"],
                    ["c4", "≥ 6"],
                  ] as const
                ).map(([tone, words]) => (
                  <li key={tone}>
                    <i className={tone} aria-hidden="true" />
                    <span className="num">{words}</span>
                  </li>
                ))}
              </ul>
            </aside>
            <section id="outlets" aria-label={t("网点")}>
              <div className="nearest" data-nearest="" hidden>
                <h2
                  tabIndex={-1}
                  data-found={t("最近的是{name}，直线 {km} km；营业中最近的是{open}，直线 {openKm} km。")}
                  data-found-open={t("最近的是{name}，直线 {km} km，正在营业。")}
                  data-found-closed={t("最近的是{name}，直线 {km} km；现在都没开门。")}
                >
                  {t("离你最近的人")}
                </h2>
                <ul />
              </div>
              {shown.length === 0 && <p className="nothing">{t("没有找到。换一个省、市或县的名字，或看全部网点。")}</p>}
              {[...groups].map(([code, held], at) => (
                <details key={code} className="outlet-group" open={at === 0 || shown.length <= mostUnfolded}>
                  <summary>
                    <h2>{t(macroRegions.find(([macro]) => macro === code)?.[1] ?? "")}</h2>
                    <small>
                      {t("{count} 个网点", { count: held.length })}
                      {" · "}
                      {t("{count} 个营业中", { count: held.filter(isOpen).length })}
                    </small>
                    <Icon name="down" small />
                  </summary>
                  <ul>
                    {held.map((outlet) => (
                      <Card key={outlet.id} outlet={outlet} days={days} nowMs={nowMs} />
                    ))}
                  </ul>
                </details>
              ))}
            </section>
          </div>
        )}
      </div>
    </main>
  );
}
