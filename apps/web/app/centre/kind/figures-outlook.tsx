import { attentionStates, outlookOf } from "@herdwise/device-kinds";
import { Link } from "react-router";
import { Translated } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { kindPath, useKind } from "./kind-view.ts";
import { saidOf } from "./overview-summary.tsx";
import { byWorstFigures, type FiguredPlace, stateOfCounts, sumOf } from "./place-figures.ts";
import { StateLine, StateMark } from "./state-mark.tsx";

const mostInAttention = 6;

/** What the figures of a place say of it. */
function useFigureWords(): (place: FiguredPlace) => string {
  const t = useTranslate();
  return ({ counts: { alarms, fault, offline, silent, bare } }) => {
    const open = alarms.CRITICAL + alarms.MAJOR + alarms.MINOR + alarms.WARN;
    return saidOf([
      [open, t("{count} 条未结告警", { count: open })],
      [fault, t("{count} 故障", { count: fault })],
      [offline, t("{count} 离线", { count: offline })],
      [silent, t("{count} 尚无上报", { count: silent })],
      [bare, t("{count} 未绑定", { count: bare })],
    ]);
  };
}

/** Of a tenant whose units are too many to be judged one by one: the worst houses, and what nothing is known of. */
export function FiguresOutlook({ places }: { places: readonly FiguredPlace[] }) {
  const t = useTranslate();
  const words = useFigureWords();
  const { kind } = useKind();
  const judged = places.map((place) => ({ ...place, state: stateOfCounts(place.counts) }));
  const { attention, allGood } = outlookOf(judged);
  const { silent, bare } = sumOf(places);
  const worst = judged
    .filter(({ state }) => attentionStates.some((candidate) => candidate === state))
    .toSorted(byWorstFigures)
    .slice(0, mostInAttention);
  return (
    <>
      {attention > 0 && (
        <section className="att" aria-label={t("需要关注")}>
          <h2>
            {t("需要关注")} <span className="mut num">{t("{count} 栋", { count: attention })}</span>
          </h2>
          <ul>
            {worst.map((place) => (
              <li key={place.id}>
                <Link to={`${kindPath(kind.kind, "overview")}?place=${place.id}`}>
                  <StateMark state={place.state} tag />
                  <b>
                    <Translated text={place.farm.name} />{" "}
                    {place.house ? <Translated text={place.house.name} /> : t("整场设备")}
                  </b>
                  <span>{words(place)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {allGood && <StateLine state="ok">{t("各栋的设备都在上报，没有未结告警")}</StateLine>}
      {silent > 0 && (
        <StateLine state="silent">{t("{count} 台设备从未上报，不知道那里怎样", { count: silent })}</StateLine>
      )}
      {bare > 0 && (
        <StateLine state="bare">{t("{count} 个单元没有绑定设备，不知道里面怎样", { count: bare })}</StateLine>
      )}
    </>
  );
}
