import type { PublicPartner } from "@herdwise/contract";
import { useTranslate } from "../shared/language/use-language.ts";
import { ExampleMark } from "./article-parts.tsx";
import { SiteHead } from "./site-head.tsx";

const kindNames: Readonly<Record<string, string>> = {
  equipment: "装备制造",
  feed: "饲料",
  health: "动物健康",
  water: "水与环保",
  research: "科研院校",
  service: "金融与服务",
};

/** The partners by what they do. */
export function PartnerPage({
  origin,
  path,
  partners,
}: {
  origin: string;
  path: string;
  partners: readonly PublicPartner[];
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
        </header>
        {partners.length === 0 && <p className="nothing">{t("还没有公布合作伙伴。")}</p>}
        {[...groups].map(([kind, held]) => (
          <section key={kind} className="partner-group" aria-labelledby={`kind-${kind}`}>
            <h2 id={`kind-${kind}`}>{t(kindNames[kind] ?? kind)}</h2>
            <ul>
              {held.map(({ id, name, intro, example }) => (
                <li key={id}>
                  <h3>
                    {name}
                    {example && <ExampleMark />}
                  </h3>
                  <p>{intro}</p>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </main>
  );
}
