import { homePoints, type ShownSection } from "@herdwise/contract";
import { useTranslate } from "../shared/language/use-language.ts";
import { Cover } from "./article-parts.tsx";
import { drawnBody } from "./body-blocks.ts";
import type { HomeText } from "./home-text.ts";

/** A section that editors made themselves: what they have to say, their figures, and where it goes on. */
export function HomeFeature({ section: { id, link, cover }, text }: { section: ShownSection; text: HomeText }) {
  const t = useTranslate();
  const points = homePoints(text("points"));
  return (
    <section className="site-section home-feature" aria-labelledby={`${id}-title`}>
      <div className={cover === "" ? "wrap" : "wrap with-cover"}>
        <div>
          <h2 id={`${id}-title`}>{text("title")}</h2>
          {text("text") !== "" && <p className="sub">{text("text")}</p>}
          {points.length > 0 && (
            <dl className="points">
              {points.map(({ figure, what }) => (
                <div key={`${figure} ${what}`}>
                  <dt>{what}</dt>
                  <dd>{figure}</dd>
                </div>
              ))}
            </dl>
          )}
          {link !== "" && text("action") !== "" && (
            <a className="btn large" href={link}>
              {text("action")}
            </a>
          )}
        </div>
        {cover !== "" && <Cover name={cover} />}
      </div>
      {text("body") !== "" && (
        <div className="wrap">
          <div className="prose" dangerouslySetInnerHTML={{ __html: drawnBody(text("body"), t) }} />
        </div>
      )}
    </section>
  );
}
