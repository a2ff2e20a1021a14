import { type PublicService, serviceKinds } from "@herdwise/contract";
import { useFormats, useLanguage, useTranslate } from "../shared/language/use-language.ts";
import { usePreferences } from "../shared/preferences/preferences.tsx";
import { ExampleMark } from "./article-parts.tsx";
import { type Glyph, stationDrawing } from "./flow-drawing.ts";
import type { FormAnswer, FormValues } from "./send-form.ts";
import "./service.css";
import { Cells } from "./cells.tsx";
import { ServiceNav } from "./service-nav.tsx";
import { SiteForm } from "./site-form.tsx";
import { addressIn, breadcrumbs, SiteHead } from "./site-head.tsx";
import { useHoursWords } from "./standing.tsx";
import { tied } from "./tied.ts";

interface At {
  origin: string;
  path: string;
}

/** What is done after a sale, in the order in which a farm meets it. */
const services = [
  { kind: "survey", title: "勘测与设计", text: "装之前到场看：量风、量水、看电、看网络，给出点位图和清单。" },
  { kind: "installation", title: "安装与调试", text: "按点位图装好，逐台通电、绑定、核对读数，和场里的人一起验收。" },
  {
    kind: "calibration",
    title: "校准",
    text: "温度、湿度、氨、二氧化碳和称重用标准器具比对，偏差写进设备的维护记录。",
  },
  { kind: "training", title: "培训", text: "按岗位讲：饲养员看什么、场长看什么、停电断网怎么办，讲完当场做一遍。" },
  { kind: "parts", title: "备件", text: "常用件在服务网点有存货；停产的型号写明替代件和最后供应日期。" },
  { kind: "inspection", title: "巡检", text: "按约定的周期到场：清洗探头、查接线和密封、看历史曲线里的漂移。" },
  {
    kind: "diagnosis",
    title: "远程诊断",
    text: "工单会带上设备 24 小时的读数、告警和固件版本，工程师先看数据再打电话。",
  },
] as const;

/** What stands above each of them. */
const glyphs: Readonly<Record<(typeof services)[number]["kind"], Glyph>> = {
  survey: "sheet",
  installation: "truck",
  calibration: "panel",
  training: "person",
  parts: "silo",
  inspection: "house",
  diagnosis: "screen",
};

const times = [
  ["售后工单", "2 个服务工时内答复", "8 个服务工时内解决，或给出下一步和时间"],
  ["投诉", "4 个服务工时内答复", "3 个工作日内给出结果"],
  ["建议", "10 个工作日内答复", "采纳的在网站上公开"],
  ["网站申请", "1 个工作日内回电", "按约好的日期上门"],
] as const;

const links = [
  ["/service/productServiceList", "服务项目", "每一项做什么、用多久、多少钱、要准备什么。"],
  ["/service/productApply", "申请服务", "不用注册，填好就有编号。"],
  ["/service/productInfo", "产品资料", "说明书、图纸、检验报告，可以先看再下载。"],
  ["/service/videos", "视频", "安装、使用和养护，几分钟看一段。"],
  ["/service/network", "服务网点", "看最近的网点在哪、现在开不开门。"],
  ["/service/workOrder", "售后与投诉", "已经是客户的，从这里提交工单。"],
  ["/service/notice", "通知公告", "停机维护、软件更新和规则变动。"],
] as const;

/** What the group does after a sale, and how soon. */
export function ProductServicePage({ origin, path }: At) {
  const t = useTranslate();
  const language = useLanguage();
  const { appName } = usePreferences();
  const hoursWords = useHoursWords();
  const description = t("从勘测、安装、校准到备件和远程诊断：做什么，多久到，找谁。");
  return (
    <main id="main" className="content-page" data-page="product-service">
      <SiteHead
        title={t("售后服务")}
        description={description}
        origin={origin}
        path={path}
        structured={[
          {
            "@type": "Service",
            name: t("售后服务"),
            description,
            provider: { "@type": "Organization", name: appName },
            url: addressIn(language, origin, path),
          },
        ]}
      />
      <ServiceNav path={path} />
      <div className="wrap">
        <header className="list-head">
          <h1>{t("装好只是开始")}</h1>
          <p>{description}</p>
          <p>
            <a className="btn primary large" href="/service/productApply">
              {t("申请服务")}
            </a>
          </p>
        </header>
        <section className="block" aria-labelledby="what-title">
          <h2 id="what-title">{t("我们做的七件事")}</h2>
          <Cells
            of={services.map(({ kind, title, text }) => ({
              key: kind,
              title: t(title),
              text: t(text),
              drawing: import.meta.env.SSR ? stationDrawing(glyphs[kind]) : "",
            }))}
          />
        </section>
        <section className="block" aria-labelledby="times-title">
          <h2 id="times-title">{t("多久有人管")}</h2>
          <p className="sub">
            {t(
              "服务时间：{hours}。法定节假日不计时，调休上班日照常。设备的紧急告警不受这个时间限制，按推送设置随时发出。",
              { hours: hoursWords },
            )}
          </p>
          <table className="site-table">
            <thead>
              <tr>
                <th scope="col">{t("事项")}</th>
                <th scope="col">{t("答复")}</th>
                <th scope="col">{t("办理结果")}</th>
              </tr>
            </thead>
            <tbody>
              {times.map(([what, first, then]) => (
                <tr key={what}>
                  <th scope="row">{t(what)}</th>
                  <td>{tied(t(first))}</td>
                  <td>{tied(t(then))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        <section className="block" aria-labelledby="links-title">
          <h2 id="links-title">{t("从哪里开始")}</h2>
          <Cells of={links.map(([href, name, text]) => ({ key: href, href, title: t(name), text: t(text) }))} />
        </section>
      </div>
    </main>
  );
}

/** What a service costs, in words. */
function Price({ service }: { service: PublicService }) {
  const t = useTranslate();
  const { number } = useFormats();
  if (service.price === undefined) return <p className="service-price">{t("价格按约定")}</p>;
  if (service.price === 0) return <p className="service-price">{t("免费")}</p>;
  return (
    <p className="service-price">
      <b className="num">¥{number(service.price / 100)}</b>
      {service.priceUnit !== "" && ` / ${service.priceUnit}`}
    </p>
  );
}

/** Of which kind a service is, where its name does not say it, and whether it is an example. */
function ServiceMeta({ service: { kind, name, example } }: { service: PublicService }) {
  const t = useTranslate();
  const word = t(serviceKinds.find(([known]) => known === kind)?.[1] ?? "");
  if (word === name && !example) return null;
  return (
    <p className="article-meta">
      {word !== name && <span>{word}</span>}
      {example && <ExampleMark />}
    </p>
  );
}

/** Each service with its scope, time, price, and what to prepare. */
export function ServiceListPage({ origin, path, services: listed }: At & { services: readonly PublicService[] }) {
  const t = useTranslate();
  const language = useLanguage();
  const description = t("每一项写明范围、用时、价格和客户要准备的；没有写价格的，看过现场再约定。");
  return (
    <main id="main" className="content-page" data-page="product-service-list">
      <SiteHead
        title={t("服务项目")}
        description={description}
        origin={origin}
        path={path}
        structured={[
          {
            "@type": "ItemList",
            itemListElement: listed.map(({ name, serviceScope }, at) => ({
              "@type": "ListItem",
              position: at + 1,
              item: { "@type": "Service", name, description: serviceScope },
            })),
          },
          breadcrumbs([
            [t("首页"), addressIn(language, origin, "/index")],
            [t("售后服务"), addressIn(language, origin, "/service/productService")],
            [t("服务项目"), addressIn(language, origin, path)],
          ]),
        ]}
      />
      <ServiceNav path={path} />
      <div className="wrap">
        <header className="list-head">
          <h1>{t("服务项目")}</h1>
          <p>{description}</p>
        </header>
        {listed.length === 0 && <p className="nothing">{t("服务项目还在整理，请先打电话或填申请。")}</p>}
        <ul className="service-cards">
          {listed.map((service) => (
            <li key={service.id} id={`service-${service.id}`}>
              <div>
                <ServiceMeta service={service} />
                <h2>{tied(service.name)}</h2>
                <Price service={service} />
              </div>
              <dl>
                <div>
                  <dt>{t("服务范围")}</dt>
                  <dd>{tied(service.serviceScope)}</dd>
                </div>
                <div>
                  <dt>{t("用时")}</dt>
                  <dd>{tied(service.duration)}</dd>
                </div>
                <div>
                  <dt>{t("要准备的")}</dt>
                  <dd>{tied(service.prepare)}</dd>
                </div>
              </dl>
              <a className="btn" href={`/service/productApply?service=${service.id}`}>
                {t("申请这一项")}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </main>
  );
}

/** How the words of a form begin for those who come for one thing. */
const wishes: Readonly<Record<string, string>> = {
  quote: "想要一份报价。猪场规模和要的设备：",
  survey: "想请人上门勘测。猪场地址和方便的时间：",
};

/** The form by which somebody without an account asks for a service. */
export function ApplyPage({
  origin,
  path,
  services: listed,
  given,
  wish,
  answer,
  sent,
}: At & {
  services: readonly PublicService[];
  given: FormValues;
  /** What somebody comes for, as the address says. */
  wish: string;
  answer: FormAnswer | undefined;
  sent: string | undefined;
}) {
  const t = useTranslate();
  const description = t("不用注册：写下设备、地方和希望的日期，1 个工作日内有人回电，约好时间再上门。");
  return (
    <main id="main" className="content-page" data-page="product-apply">
      <SiteHead
        title={t("申请服务")}
        description={description}
        origin={origin}
        path={path}
        hidden={sent !== undefined}
      />
      <ServiceNav path={path} />
      <div className="wrap">
        <header className="list-head">
          <h1>{t("申请服务")}</h1>
          <p>{tied(description)}</p>
        </header>
        <section className="ask-form" aria-label={t("申请服务")}>
          <div>
            <h2>{t("提交之后")}</h2>
            <ol>
              <li>{t("页面上给您一个编号，请记下来。")}</li>
              <li>{tied(t("客服在工作时间核对，1 个工作日内回电。"))}</li>
              <li>{t("约好日期和要准备的，写成工单，之后都能查。")}</li>
              <li>{t("办结后满一年，联系方式自动删除。")}</li>
            </ol>
            <p>
              {t("已经是客户的，从设备页提交会带上读数和告警，更快：")}{" "}
              <a href="/service/workOrder">{t("售后与投诉")}</a>
            </p>
          </div>
          <SiteForm
            kind="service"
            path={path}
            services={listed}
            given={{ ...given, ...(wishes[wish] && { content: t(wishes[wish]) }) }}
            answer={answer}
            sent={sent}
          />
        </section>
      </div>
    </main>
  );
}
