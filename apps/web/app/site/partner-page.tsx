import type { PublicPartner } from "@herdwise/contract";
import { useTranslate } from "../shared/language/use-language.ts";
import type { FormAnswer } from "./send-form.ts";
import "./service.css";
import { ExampleMark } from "./article-parts.tsx";
import { Cells } from "./cells.tsx";
import { SiteForm } from "./site-form.tsx";
import { SiteHead } from "./site-head.tsx";
import { tied } from "./tied.ts";

const kindNames: Readonly<Record<string, string>> = {
  equipment: "装备制造",
  feed: "饲料",
  health: "动物健康",
  water: "水与环保",
  research: "科研院校",
  service: "金融与服务",
};

const joiners = [
  ["装备制造", "风机、湿帘、料线、水线和传感器厂家，设备能按公开的协议上报数据。"],
  ["饲料与动保", "有生产许可，批次可以追溯，愿意把批号和检验结果一起给。"],
  ["水与环保", "做粪水、除臭和还田的工程与运营单位，数据能逐时留存。"],
  ["科研院校", "做猪舍环境、行为和疫病研究，需要真实场景和连续数据的团队。"],
  ["金融与服务", "保险、金融、物流和洗消服务单位，按授权使用数据。"],
  ["服务网点", "有维修人员和固定场所，能在约定时间内到场。"],
] as const;
const gains = [
  ["接入", "公开的设备协议和沙箱环境，先在虚拟设备上跑通，再上真机。"],
  ["数据", "客户授权之后，按范围和期限取数，授权随时能收回，每次取数都有记录。"],
  ["现场", "试点舍由场方、厂家和我们三方一起看数，结论写成报告，好坏都写。"],
] as const;

/** The partners by what they do, who may join them, and how. */
export function PartnerPage({
  origin,
  path,
  partners,
  answer,
  sent,
}: {
  origin: string;
  path: string;
  partners: readonly PublicPartner[];
  answer: FormAnswer | undefined;
  sent: string | undefined;
}) {
  const t = useTranslate();
  const groups = Map.groupBy(partners, ({ kind }) => kind);
  return (
    <main id="main" className="content-page" data-page="partner">
      <SiteHead
        title={t("合作伙伴")}
        description={t("和我们一起把猪舍管好的装备、饲料、动保、环保与科研伙伴。")}
        origin={origin}
        path={path}
      />
      <div className="wrap">
        <header className="list-head">
          <h1>{t("合作伙伴")}</h1>
          <p>{t("和我们一起把猪舍管好的装备、饲料、动保、环保与科研伙伴。")}</p>
          <p>
            <a className="btn primary large" href="#join">
              {t("申请合作")}
            </a>
          </p>
        </header>
        {partners.length === 0 && <p className="nothing">{t("还没有公布合作伙伴。")}</p>}
        {partners.length > 0 && (
          <section className="block" aria-labelledby="partners-title">
            <h2 id="partners-title">{t("已经在一起的伙伴")}</h2>
            <ul className="partner-rows">
              {[...groups].map(([kind, held]) => (
                <li key={kind}>
                  <h3>{t(kindNames[kind] ?? kind)}</h3>
                  <ul>
                    {held.map(({ id, name, intro, example }) => (
                      <li key={id}>
                        <h4>
                          {name} {example && <ExampleMark />}
                        </h4>
                        <p>{tied(intro)}</p>
                      </li>
                    ))}
                  </ul>
                </li>
              ))}
            </ul>
          </section>
        )}
        <section className="block" aria-labelledby="who-title">
          <h2 id="who-title">{t("谁可以加入")}</h2>
          <Cells of={joiners.map(([title, text]) => ({ key: title, title: t(title), text: t(text) }))} />
        </section>
        <section className="block" aria-labelledby="gain-title">
          <h2 id="gain-title">{t("一起做，能得到什么")}</h2>
          <Cells of={gains.map(([title, text]) => ({ key: title, title: t(title), text: t(text) }))} />
        </section>
        <section className="ask-form" id="join" aria-labelledby="join-title">
          <div>
            <h2 id="join-title">{t("申请合作")}</h2>
            <p>{tied(t("写下你们做什么、想怎么合作。5 个工作日内答复，合适的话约一次见面，看现场再谈。"))}</p>
            <ol>
              <li>{t("核对：营业执照和经营范围，线下进行，这里不收资料。")}</li>
              <li>{t("试点：先在一栋舍里做，数据双方都看得到。")}</li>
              <li>{t("签约：合同在线签署，条款和版本都留存。")}</li>
            </ol>
          </div>
          <SiteForm kind="partner" path={path} answer={answer} sent={sent} />
        </section>
      </div>
    </main>
  );
}
