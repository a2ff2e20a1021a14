import { attentionStates, outlookOf, type PlacedUnit, problemSentence, worstUnitState } from "@herdwise/device-kinds";
import { Link } from "react-router";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { kindPath, useKind, useLocalText, useUnitWords } from "./kind-view.ts";
import { KnownHere, useWorstFirst } from "./known-places.tsx";
import { StateLine, StateMark } from "./state-mark.tsx";
import { stateCounts } from "./unit-states.ts";
import { UnitTile } from "./unit-tile.tsx";
import { farmTypeNames, pigstyNames } from "./words.ts";

const groupedBy = <Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): [Key, Item[]][] => [
  ...Map.groupBy(items, keyOf),
];

const needsAttention = ({ state }: PlacedUnit): boolean => attentionStates.some((candidate) => candidate === state);

const mostInAttention = 6;

/**
 * The worst units in words, so that nobody has to search the board for them.
 * @param leads each row says that it leads to its unit, on a page that does not show the units itself
 */
export function Attention({ units, leads }: { units: readonly PlacedUnit[]; leads?: boolean }) {
  const t = useTranslate();
  const words = useUnitWords();
  const local = useLocalText();
  const { kind } = useKind();
  const worstFirst = useWorstFirst(({ unit }: PlacedUnit) => unit.id);
  const worst = units.filter(needsAttention).toSorted(worstFirst);
  if (worst.length === 0) return null;
  return (
    <section className="att" aria-label={t("需要关注")}>
      <h2>
        {t("需要关注")} <span className="mut num">{worst.length}</span>
      </h2>
      <ul>
        {worst.slice(0, mostInAttention).map((judged) => (
          <li key={judged.unit.id}>
            <Link to={kindPath(kind.kind, "unit", judged.unit.id)}>
              <StateMark state={judged.state} tag />
              <b>
                <Translated text={judged.house.name} /> <Translated text={judged.unit.name} />
              </b>
              <span>
                {judged.problems[0] && judged.state !== "offline"
                  ? local(problemSentence(judged.problems[0]))
                  : words(judged)}{" "}
                <KnownHere id={judged.unit.id} />
              </span>
              {leads && (
                <i className="att-go" aria-hidden="true">
                  {t("去看看")}
                </i>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What is to be said of units beside those that need somebody: that they are well, or that nothing is known of them. */
export function Outlook({ units }: { units: readonly PlacedUnit[] }) {
  const t = useTranslate();
  const { attention, silent, bare, heard, allGood } = outlookOf(units);
  return (
    <>
      {allGood && <StateLine state="ok">{t("全部单元正常，没有需要您处理的事")}</StateLine>}
      {!allGood && attention === 0 && heard > 0 && (
        <StateLine state="ok">{t("有上报的 {count} 个单元都正常", { count: heard })}</StateLine>
      )}
      {silent > 0 && (
        <StateLine state="silent">{t("{count} 个单元的设备从未上报，不知道里面怎样", { count: silent })}</StateLine>
      )}
      {bare > 0 && (
        <StateLine state="bare">{t("{count} 个单元没有绑定设备，不知道里面怎样", { count: bare })}</StateLine>
      )}
    </>
  );
}

/** What a farm says at the end of its name: that all is well, or how many units are not. */
function FarmTag({ units }: { units: readonly PlacedUnit[] }) {
  const t = useTranslate();
  if (units.every(({ state }) => state === "bare")) return <StateMark state="bare" tag />;
  if (outlookOf(units).allGood)
    return (
      <StateMark state="ok" tag>
        {t("全部正常")}
      </StateMark>
    );
  return toldOnFarm.map((state) => {
    const count = units.filter((judged) => judged.state === state).length;
    return (
      count > 0 && (
        <StateMark key={state} state={state} tag>
          {t(stateCounts[state], { count })}
        </StateMark>
      )
    );
  });
}

/** What needs somebody, and what nothing is known of. */
const toldOnFarm = [...attentionStates, "silent", "bare"] as const;

const isBare = ({ state }: PlacedUnit): boolean => state === "bare";

function UnitLinks({ units }: { units: readonly PlacedUnit[] }) {
  const { kind } = useKind();
  return units.map(({ unit }) => (
    <Link key={unit.id} to={kindPath(kind.kind, "unit", unit.id)}>
      <Translated text={unit.name} />
    </Link>
  ));
}

/** Units of a house without a device, in one line: they have no figure to be a tile of. */
function BareUnits({ units }: { units: readonly PlacedUnit[] }) {
  if (units.length === 0) return null;
  return (
    <p className="bares">
      <StateMark state="bare" />
      <UnitLinks units={units} />
    </p>
  );
}

/** Houses without any device in one line of a farm, each with its units. */
function BareHouses({ houses }: { houses: readonly (readonly [id: string, units: readonly PlacedUnit[]])[] }) {
  if (houses.length === 0) return null;
  return (
    <p className="bares">
      <StateMark state="bare" />
      {houses.map(([id, units]) => (
        <span key={id}>
          <Translated text={units[0]?.house.name ?? ""} />
          <UnitLinks units={units} />
        </span>
      ))}
    </p>
  );
}

/** Every house of every farm as a row of tiles. */
export function Board({ units, showAttention }: { units: readonly PlacedUnit[]; showAttention: boolean }) {
  const t = useTranslate();
  const nameOf = useNames();
  const formats = useFormats();
  const { houseNote } = useKind();
  return (
    <>
      {showAttention && <Attention units={units} />}
      {groupedBy(units, ({ farm }) => farm.id).map(([farmId, inFarm]) => {
        const farm = inFarm[0]?.farm;
        if (!farm) return null;
        const all = groupedBy(inFarm, ({ house }) => house.id);
        const bare = all.filter(([, inHouse]) => inHouse.every(isBare));
        const houses = all.filter((house) => !bare.includes(house));
        return (
          <section key={farmId} className="farm-group" aria-label={nameOf(farm.name)}>
            <header>
              <h2>
                <Translated text={farm.name} />
              </h2>
              <span className="mut">
                {t(farmTypeNames[farm.type])} · <Translated text={farm.regionName} />
              </span>
              <span className="spacer" />
              <FarmTag units={inFarm} />
            </header>
            <div className={houses.every(([, inHouse]) => inHouse.length <= 4) ? "houses pairs" : "houses"}>
              {houses.map(([houseId, inHouse]) => {
                const [first] = inHouse;
                if (!first) return null;
                const known = inHouse.filter((judged) => !isBare(judged));
                const note = houseNote?.(first, t, formats);
                const kind = t(pigstyNames[first.house.pigstyType]);
                return (
                  <div key={houseId} className="house-row" data-worst={worstUnitState(inHouse)}>
                    <div className="house-label">
                      <b>
                        <Translated text={first.house.name} />
                      </b>
                      {!nameOf(first.house.name).includes(kind) && <span>{kind}</span>}
                      {note !== undefined && <span>{note}</span>}
                    </div>
                    <div>
                      {known.length > 0 && (
                        <div className="tiles">
                          {known.map((judged) => (
                            <UnitTile key={judged.unit.id} judged={judged} />
                          ))}
                        </div>
                      )}
                      <BareUnits units={inHouse.filter(isBare)} />
                    </div>
                  </div>
                );
              })}
            </div>
            <BareHouses houses={bare} />
          </section>
        );
      })}
    </>
  );
}
