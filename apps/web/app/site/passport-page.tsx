import { type Passport, type PassportBody, saleCategories } from "@herdwise/contract";
import { exactText, halfEven } from "@herdwise/contract/money";
import { Fragment, type ReactNode } from "react";
import { Mark } from "../shared/icons/mark.tsx";
import { parseWireDateTime } from "../shared/language/format.ts";
import { useFormats, useLanguage, useTranslate } from "../shared/language/use-language.ts";
import { SiteHead } from "./site-head.tsx";

const seals = {
  intact: { mark: "ok", word: "这一页没有被改动过" },
  "earlier-key": { mark: "minor", word: "这一页没有被改动过，签名用的是更早的密钥" },
  altered: { mark: "critical", word: "这一页被改动过，内容不可信，不再显示" },
} as const;
const channels = { t_in: "温度", nh3: "氨气", rh: "相对湿度", water: "有水" } as const;
const units = { t_in: "°C", nh3: "ppm", rh: "%", water: "" } as const;

/** Whether the page is as it was issued, and how to check it without trusting the page. */
function Seal({ passport: { seal, issueTime, signed }, path }: { passport: Passport; path: string }) {
  const t = useTranslate();
  const { dateTime } = useFormats();
  const { mark, word } = seals[seal];
  return (
    <section className="pp-seal" data-seal={seal}>
      <Mark name={mark} />
      <div>
        <h2>{t(word)}</h2>
        <p>
          {seal === "altered"
            ? t("请不要按这一页办事，并把二维码的照片发给客服。")
            : t("于 {time} 签发，装车过磅时定稿，到达后补上到达时间。", {
                time: dateTime(parseWireDateTime(issueTime) ?? 0),
              })}
        </p>
        <details>
          <summary>{t("怎样自己核对")}</summary>
          <ol>
            <li>
              <a className="link" href={`${path}/signed.json`} download>
                {t("下载签名文件")}
              </a>
            </li>
            <li>
              {t("用任何支持 Ed25519 的工具，按公钥核对签名：")}
              <code>{signed.publicKey}</code>
            </li>
            <li>{t("公钥对每个批次都一样；与以前扫过的批次对照，就知道是不是同一家签的。")}</li>
          </ol>
        </details>
      </div>
    </section>
  );
}

/** Days after the last withdrawal period, at the loading. */
function withdrawalWords({ withdrawalUntil, loadedOn }: PassportBody): readonly [days: number, isOver: boolean] {
  const left = withdrawalUntil === undefined ? 0 : (Date.parse(withdrawalUntil) - Date.parse(loadedOn)) / 86_400_000;
  return [Math.max(0, left), left < 0];
}

function Figures({ body }: { body: PassportBody }) {
  const t = useTranslate();
  const [left] = withdrawalWords(body);
  const figures: [value: string, name: string][] = [
    [body.ageDays === undefined ? "—" : t("{count} 天", { count: body.ageDays }), t("装车日龄")],
    [`${exactText(body.netGrams, 3, 0)} kg`, t("净重，{count} 头", { count: body.heads })],
    [`${exactText(halfEven(body.meanGrams, 100), 1, 1)} kg`, t("头均重")],
    [t("{count} 天", { count: left }), t("装车时休药期还剩")],
  ];
  return (
    <section className="pp-card pp-figures" aria-label={t("批次")}>
      {figures.map(([value, name]) => (
        <div key={name}>
          <b className="num">{value}</b>
          <span>{name}</span>
        </div>
      ))}
    </section>
  );
}

/** Share in percent with one decimal, never 100 while a part is missing from it. */
const share = (part: number, of: number): string =>
  of === 0 ? "—" : `${(Math.floor((part / of) * 1000) / 10).toFixed(1).replace(/\.0$/, "")} %`;

function Climate({ body }: { body: PassportBody }) {
  const t = useTranslate();
  const { climate, housedDays } = body;
  const title =
    housedDays === undefined
      ? t("装车前 30 天，多少小时在范围里")
      : t("在舍 {count} 天，多少小时在范围里", { count: housedDays });
  if (climate === undefined)
    return (
      <section className="pp-card">
        <h2>{t("舍内环境")}</h2>
        <p className="pp-note">{t("这一批的猪舍没有环境监测，没有可写的。")}</p>
      </section>
    );
  const known = climate.rows.filter(({ missing }) => missing < climate.hours);
  const gaps = climate.rows.filter(({ missing }) => missing > 0);
  return (
    <section className="pp-card">
      <h2>{title}</h2>
      {known.map(({ key, low, high, fine, near, beyond, missing }) => {
        const told = fine + near + beyond;
        const range =
          low === undefined || high === undefined
            ? ""
            : low === 0
              ? `≤ ${high} ${units[key]}`
              : `${low}–${high} ${units[key]}`;
        const parts = [fine, near, beyond].map((part) => `${(part / climate.hours) * 100}%`);
        return (
          <div className="pp-line" key={key}>
            <span>
              {t(channels[key])} <small className="num">{range}</small>
            </span>
            <span
              className="pp-bar"
              role="img"
              aria-label={t(
                "在范围 {fine} 小时，偏离而没有过限 {near} 小时，过限 {beyond} 小时，没有数据 {missing} 小时",
                {
                  fine,
                  near,
                  beyond,
                  missing,
                },
              )}
            >
              <i data-part="fine" style={{ width: parts[0] }} />
              <i data-part="near" style={{ width: parts[1] }} />
              <i data-part="beyond" style={{ width: parts[2] }} />
            </span>
            <b className="num">{share(fine, told)}</b>
          </div>
        );
      })}
      <p className="pp-note">
        {t("按小时算：一小时里最低和最高都在范围里才算。绿色在范围，黄色偏离而没有过限，红色过限，斜纹没有数据。")}{" "}
        {gaps.map(({ key, missing }) => (
          <span key={key}>
            {t("{name} 有 {share} 的小时没有数据，没有补。", {
              name: t(channels[key]),
              share: share(missing, climate.hours),
            })}{" "}
          </span>
        ))}
      </p>
    </section>
  );
}

function Steps({ rows }: { rows: readonly { key: string; at: string; what: ReactNode; more: string }[] }) {
  return (
    <ol className="pp-steps">
      {rows.map(({ key, at, what, more }) => (
        <li key={key}>
          <time className="num">{at}</time>
          <div>
            {what}
            {more !== "" && <span>{more}</span>}
          </div>
        </li>
      ))}
    </ol>
  );
}

function Medicines({ body }: { body: PassportBody }) {
  const t = useTranslate();
  const [left, isOver] = withdrawalWords(body);
  return (
    <section className="pp-card">
      <h2>{t("免疫与用药")}</h2>
      {body.medicines.length === 0 ? (
        <p className="pp-note">{t("这一批在舍期间没有免疫和用药的记录。")}</p>
      ) : (
        <Steps
          rows={body.medicines.map(({ day, name, kind, heads, lots, withdrawalDays, withdrawalUntil }, at) => ({
            key: `${day} ${at}`,
            at: day,
            what: (
              <>
                <span lang="zh-CN" className="pp-name">
                  {name}
                </span>
                {` · ${t(kind === "vaccination" ? "免疫" : "用药")}`}
                {heads !== undefined && ` · ${t("{count} 头", { count: heads })}`}
              </>
            ),
            more: [
              lots.length > 0 ? t("批号 {lots}", { lots: lots.join("、") }) : "",
              withdrawalDays === 0 ? t("没有休药期") : t("休药期止于 {day}", { day: withdrawalUntil }),
            ]
              .filter(Boolean)
              .join(" · "),
          }))}
        />
      )}
      {body.withdrawalUntil !== undefined && (
        <p className="pp-note">
          {isOver
            ? t("最后一个休药期止于 {day}，装车时已过 {count} 天。", {
                day: body.withdrawalUntil,
                count: (Date.parse(body.loadedOn) - Date.parse(body.withdrawalUntil)) / 86_400_000,
              })
            : t("最后一个休药期止于 {day}，装车时还剩 {count} 天。", { day: body.withdrawalUntil, count: left })}
        </p>
      )}
    </section>
  );
}

function Road({ vehicle, name }: { vehicle: PassportBody["vehicles"][number]; name: string }) {
  const t = useTranslate();
  const { dateTime } = useFormats();
  const { heads, netGrams, disinfectionNumber, disinfectionUntilMs, dried, quarantineNumber, quarantineUntil } =
    vehicle;
  const at = (ms: number | undefined) => (ms === undefined ? "—" : dateTime(ms));
  return (
    <section className="pp-card">
      <h2>{name}</h2>
      <Steps
        rows={[
          {
            key: "washed",
            at: at(vehicle.disinfectedMs),
            what: t(dried ? "车辆洗消并烘干" : "车辆洗消"),
            more: `${disinfectionNumber} · ${t("有效到 {until}", { until: at(disinfectionUntilMs) })}`,
          },
          {
            key: "quarantine",
            at: "",
            what: t("动物检疫合格证明"),
            more: [quarantineNumber, quarantineUntil && t("有效到 {until}", { until: quarantineUntil })]
              .filter(Boolean)
              .join(" · "),
          },
          {
            key: "loaded",
            at: at(vehicle.loadedMs),
            what: t("装车过磅，{count} 头", { count: heads }),
            more: t("净重 {kg} kg", { kg: exactText(netGrams, 3, 1) }),
          },
          ...(vehicle.departedMs === undefined
            ? []
            : [{ key: "left", at: at(vehicle.departedMs), what: t("离开场区"), more: "" }]),
          {
            key: "came",
            at: at(vehicle.arrivedMs),
            what: t(vehicle.arrivedMs === undefined ? "还没有到达" : "到达"),
            more: "",
          },
        ]}
      />
    </section>
  );
}

interface PassportPageProps {
  origin: string;
  path: string;
  passport: Passport;
  /** Field, house and region in the language of the page. */
  places: readonly string[];
}

/** The page of a loaded lot for whoever scans its QR code: phone first, no person and no price. */
export function PassportPage({ origin, path, passport, places }: PassportPageProps) {
  const t = useTranslate();
  const language = useLanguage();
  const { body } = passport;
  const category = saleCategories.find(([key]) => key === body?.category)?.[1];
  const title = t("批次护照");
  return (
    <main id="main" className="pp" data-page="passport">
      <SiteHead title={title} description={title} origin={origin} path={path} hidden />
      <h1>{body ? `${t("{count} 头", { count: body.heads })} ${category ? t(category) : ""}` : title}</h1>
      {body && (
        <p className="pp-sub">
          {t("批次 {lot}", { lot: body.lot })}
          {" · "}
          {places.map((place, at) => (
            <Fragment key={place}>
              {at > 0 && (language === "zh" ? "，" : ", ")}
              {/* A name that nobody translated is read as what it is. */}
              <span lang={/\p{Script=Han}/u.test(place) ? "zh-CN" : undefined}>{place}</span>
            </Fragment>
          ))}
          {" · "}
          {t("{day} 装车", { day: body.loadedOn })}
        </p>
      )}
      <Seal passport={passport} path={path} />
      {body && (
        <>
          <Figures body={body} />
          <Climate body={body} />
          <Medicines body={body} />
          {body.vehicles.map((vehicle, at) => (
            <Road
              key={vehicle.disinfectionNumber + at}
              vehicle={vehicle}
              name={body.vehicles.length === 1 ? t("路上") : t("路上，第 {number} 车", { number: at + 1 })}
            />
          ))}
          <p className="pp-foot">{t("不含任何人的姓名、电话和价格。数字来自设备和记录，由猪场对其真实性负责。")}</p>
        </>
      )}
    </main>
  );
}
