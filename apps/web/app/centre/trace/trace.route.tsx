import {
  alarmOpen,
  alarmSeverityNames,
  type ContactTrace,
  farmTree,
  type QueryOf,
  type TraceContact,
  traceContacts,
  traceLanes,
  transits,
} from "@herdwise/contract";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { pageAddress } from "@herdwise/device-kinds/kind-pages";
import { useState } from "react";
import { Link as RouterLink } from "react-router";
import { useAddress, withValues } from "../../shared/address/use-address.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { Offers } from "../../shared/kit/offers.tsx";
import { ScrollTable } from "../../shared/kit/scroll-table.tsx";
import { Segments } from "../../shared/kit/segments.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { downloadCsv } from "../../shared/sheets/csv.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { PlaceChoice } from "../farms/place-choice.tsx";
import styles from "./trace.module.css";
import {
  type Direction,
  directions,
  type Link,
  linksOf,
  placesOf,
  readChoice,
  type StartKind,
  spans,
  spread,
  startKinds,
  type TraceChoice,
  visitorsOf,
} from "./trace-model.ts";

const startNames: Readonly<Record<StartKind, string>> = { unit: "单元", farm: "场区", person: "人员", plate: "车牌" };
const directionNames: Readonly<Record<Direction, string>> = { both: "前后都看", before: "从哪来", after: "到哪去" };
const laneNames: Readonly<Record<TraceContact["lane"], string>> = { person: "人", vehicle: "车", pigs: "猪" };
const sideNames: Readonly<Record<TraceContact["side"], string>> = {
  before: "之前在",
  here: "来过这里",
  after: "之后去了",
};
const faultNames: Readonly<Record<TraceContact["faults"][number], string>> = {
  not_passed: "洗澡不合格",
  not_washed: "没有洗消证",
  wash_over: "洗消证过期",
  not_dried: "没烘干",
};
const sourceNames: Readonly<Record<ContactTrace["evidence"][number]["source"], string>> = {
  showers: "洗澡间记录",
  strangers: "没认出的人和绕行",
  transits: "车辆洗消和烘干",
  movements: "转群记录",
};

/** What stands between the words of a list. */
const useComma = (): string => (useLanguage() === "zh" ? "、" : ", ");

type Change = (to: Partial<TraceChoice>) => void;

/** A person or a plate, as the records write them. */
function WordChoice({
  kind,
  value,
  onChoose,
}: {
  kind: "person" | "plate";
  value: string;
  onChoose: (text: string) => void;
}) {
  const t = useTranslate();
  const [typed, setTyped] = useState(value);
  const label = t(kind === "person" ? "人员编号，和洗澡间记录一样" : "车牌，和转运单一样");
  return (
    <form
      className={styles.word}
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(typed.trim());
      }}
    >
      <input
        className="input"
        aria-label={label}
        placeholder={label}
        value={typed}
        maxLength={40}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button small type="submit">
        {t("追溯")}
      </Button>
    </form>
  );
}

function Controls({ choice, change }: { choice: TraceChoice; change: Change }) {
  const t = useTranslate();
  const { kind, value, days, direction } = choice;
  return (
    <section className={`card ${styles.controls}`} aria-label={t("从哪里追")}>
      <div className={styles.control}>
        <span aria-hidden="true">{t("从哪里追")}</span>
        <Segments
          label={t("从哪里追")}
          values={startKinds.map((one) => [one, t(startNames[one])] as const)}
          chosen={kind}
          onChoose={(next) => change({ kind: next, value: "" })}
        />
        {kind === "unit" || kind === "farm" ? (
          <PlaceChoice key={kind} kind={kind} value={value} onChoose={(id) => change({ value: id })} />
        ) : (
          <WordChoice key={kind} kind={kind} value={value} onChoose={(text) => change({ value: text })} />
        )}
      </div>
      {(kind === "unit" || kind === "farm") && (
        <div className={styles.control}>
          <span aria-hidden="true">{t("看哪一边")}</span>
          <Segments
            label={t("看哪一边")}
            values={directions.map((one) => [one, t(directionNames[one])] as const)}
            chosen={direction}
            onChoose={(next) => change({ direction: next })}
          />
        </div>
      )}
      <div className={styles.control}>
        <span aria-hidden="true">{t("看几天")}</span>
        <Segments
          label={t("看几天")}
          values={spans.map((one) => [one, t("{count} 天", { count: one })] as const)}
          chosen={days}
          onChoose={(next) => change({ days: next })}
        />
      </div>
    </section>
  );
}

/** In words: who or what, and how it came to be there. */
function useCarrierWords() {
  const t = useTranslate();
  const comma = useComma();
  const nameOf = useNames();
  return ({ lane, who, heads, gapHours, steps, sameDriver, faults }: TraceContact): string =>
    [
      lane === "pigs"
        ? t("转群 {count} 头", { count: heads })
        : sameDriver
          ? t("{plate}，同一司机", { plate: who })
          : nameOf(who),
      lane === "pigs" && steps > 1 ? t("第 {count} 手", { count: steps }) : "",
      gapHours === undefined ? "" : t("间隔 {count} 小时", { count: gapHours }),
      ...faults.map((fault) => t(faultNames[fault])),
    ]
      .filter(Boolean)
      .join(comma);
}

/** The answer first: where it may have gone, and where it may have come from. */
function Answer({ trace, links, direction }: { trace: ContactTrace; links: readonly Link[]; direction: Direction }) {
  const t = useTranslate();
  const language = useLanguage();
  const comma = useComma();
  const nameOf = useNames();
  const words = useCarrierWords();
  const inBrackets = (text: string): string => (language === "zh" ? `（${text}）` : ` (${text})`);
  const placeOf = ({ lane, farmName, unitName }: TraceContact): string =>
    [nameOf(farmName), lane === "pigs" ? nameOf(unitName) : ""].filter(Boolean).join(" ");
  const sentence = (side: "before" | "after") =>
    placesOf(links, side)
      .slice(0, 3)
      .map(({ links: [first] }) => (first ? `${placeOf(first.contact)}${inBrackets(words(first.contact))}` : ""))
      .join(comma);
  const [gone, came] = [placesOf(links, "after"), placesOf(links, "before")];
  const gaps = trace.evidence.filter(({ state }) => state !== "complete");
  return (
    <section className={`card ${styles.answer}`}>
      {direction !== "before" && (
        <h2>
          {gone.length === 0
            ? t("记录里没有从这里带到别处的。")
            : t("有 {count} 处可能被带到：{places}。", { count: gone.length, places: sentence("after") })}
        </h2>
      )}
      {direction !== "after" &&
        (came.length === 0 ? (
          <p>{t("记录里没有从别处带进来的。")}</p>
        ) : (
          <p>{t("可能的来处有 {count} 处：{places}。", { count: came.length, places: sentence("before") })}</p>
        ))}
      {gaps.length > 0 && (
        <p className={styles.gaps}>
          <Mark name="notice" />
          {t("记录有缺，没有记录不等于没有接触：{sources}。", {
            sources: gaps.map(({ source }) => t(sourceNames[source])).join(comma),
          })}
        </p>
      )}
      {trace.truncated && <p className={styles.gaps}>{t("记录太多，没有全列；看短一些的时间就是全的。")}</p>}
    </section>
  );
}

const hereRow = 0;
const rowOf = (lane: TraceContact["lane"]): number => traceLanes.indexOf(lane) + 1;
const elsewhereRow = traceLanes.length + 1;
const rowCount = elsewhereRow + 1;

/** Contacts that are drawn; the table has the others, too. */
const mostDrawn = 12;

/** Lanes over time: a numbered contact stands where its carrier was here, and where it was met elsewhere. */
function Lanes({ trace, links }: { trace: ContactTrace; links: readonly Link[] }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const [from, to] = [parseWireDateTime(trace.fromTime) ?? 0, parseWireDateTime(trace.toTime) ?? 1];
  const place = (ms: number): number => Math.min(99.2, Math.max(0.8, ((ms - from) / (to - from)) * 100));
  const dotAt = spread(
    links.map(({ number, contact, here }) => ({
      number,
      row: rowOf(contact.lane),
      x: place(here?.atMs ?? contact.atMs),
    })),
  );
  const middle = (row: number): number => ((row + 0.5) / rowCount) * 100;
  const names = [t("这里"), ...traceLanes.map((lane) => t(laneNames[lane])), t("别处")];
  return (
    <section className="card" aria-labelledby="lanes-title">
      <header>
        <h2 id="lanes-title">{t("谁来过，去过哪里")}</h2>
        <span className="mut">{t("编号和下面的表一样")}</span>
      </header>
      <div className={styles.lanes} style={{ ["--rows" as string]: rowCount }}>
        <div className={styles.names} aria-hidden="true">
          {names.map((name) => (
            <span key={name}>{name}</span>
          ))}
        </div>
        <div className={styles.field}>
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
            {names.map((name, row) => (
              <path key={name} d={`M0 ${middle(row)}H100`} className={styles.rule} />
            ))}
            {links.map(({ number, contact, here }) => {
              const [x, lane] = [place(contact.atMs), middle(rowOf(contact.lane))];
              const x0 = place(here?.atMs ?? contact.atMs);
              const [top, bottom] = [middle(hereRow), middle(elsewhereRow)];
              const bend = (lane + bottom) / 2;
              return (
                <path
                  key={number}
                  d={`M${x0} ${top}V${lane}C${x0} ${bend} ${x} ${bend} ${x} ${bottom}`}
                  className={styles.link}
                  data-side={contact.side}
                  data-fault={contact.faults.length > 0 || undefined}
                />
              );
            })}
          </svg>
          {links.map(({ number, contact }) => (
            <span
              key={number}
              className={styles.dot}
              data-side={contact.side}
              style={{ left: `${dotAt.get(number)}%`, top: `${middle(rowOf(contact.lane))}%` }}
              aria-hidden="true"
            >
              {number}
            </span>
          ))}
        </div>
        <div className={styles.scale} aria-hidden="true">
          <span className="num">{dayTime(from)}</span>
          <span className="num">{dayTime(to)}</span>
        </div>
      </div>
    </section>
  );
}

/** Page of what a contact is known from; nothing where the session does not reach it. */
function usePathOf(): (contact: TraceContact) => string | undefined {
  const { user } = useAccess();
  const staff = user.tenant_type === "group";
  const bathroom = kindList.find(({ kind }) => kind === "bathroom")?.pages;
  return ({ refersTo: { kind, id } }) => {
    if (kind === "transit") {
      const path = staff ? transits.menu.path : transits.customerMenu?.path;
      return path && `${path}?row=${id}`;
    }
    if (kind === "unit") return `/selfCenter/biosafety/trace?unit=${id}`;
    const path = bathroom && pageAddress(bathroom, "device");
    return path && `${path}?id=${id}`;
  };
}
const openWords = { device: "看洗澡间", transit: "看转运单", unit: "从那里再追" } as const;

/** Rows of a table before somebody asks for all. */
const fewRows = 8;

/** The rest of a table's rows. */
function More({ count, isAll, onPress }: { count: number; isAll: boolean; onPress: () => void }) {
  const t = useTranslate();
  if (isAll || count <= fewRows) return null;
  return (
    <p className={styles.more}>
      <Button small onPress={onPress}>
        {t("全部 {count} 条", { count })}
      </Button>
    </p>
  );
}

function ContactList({ links }: { links: readonly Link[] }) {
  const t = useTranslate();
  const comma = useComma();
  const { dayTime } = useFormats();
  const pathOf = usePathOf();
  const [all, setAll] = useState(false);
  if (links.length === 0) return null;
  const [when, who, where, gap, lacks] = [t("时间"), t("谁"), t("在哪里"), t("间隔"), t("缺什么")];
  return (
    <section className="card">
      <header>
        <h2>{t("别处的接触")}</h2>
        <span className="mut">{t("每个人、每辆车、每个单元在一处只列间隔最短的一次")}</span>
      </header>
      <ScrollTable label={t("别处的接触")} className={styles.table} stacked>
        <thead>
          <tr>
            <th scope="col">{t("编号")}</th>
            <th scope="col">{who}</th>
            <th scope="col">{where}</th>
            <th scope="col">{when}</th>
            <th scope="col" className="numeric">
              {gap}
            </th>
            <th scope="col">{lacks}</th>
            <th scope="col">{t("操作")}</th>
          </tr>
        </thead>
        <tbody>
          {(all ? links : links.slice(0, fewRows)).map(({ number, contact }) => {
            const path = pathOf(contact);
            return (
              <tr key={number}>
                <th scope="row" className="num">
                  {number}
                </th>
                <td data-name={who}>
                  {contact.lane === "pigs" ? (
                    t("转群 {count} 头", { count: contact.heads })
                  ) : (
                    <span>
                      {t(laneNames[contact.lane])} <b className="num">{contact.who}</b>
                      {contact.sameDriver && <small>{t("同一司机")}</small>}
                    </span>
                  )}
                </td>
                <td data-name={where}>
                  <span>
                    {t(sideNames[contact.side])} <Translated text={contact.farmName} />
                    {contact.unitName !== "" && (
                      <small>
                        <Translated text={contact.unitName} />
                      </small>
                    )}
                  </span>
                </td>
                <td data-name={when} className="num">
                  {dayTime(contact.atMs)}
                </td>
                <td data-name={gap} className="numeric">
                  {contact.gapHours === undefined
                    ? t("第 {count} 手", { count: contact.steps })
                    : t("{count} 小时", { count: contact.gapHours })}
                </td>
                <td data-name={lacks}>
                  {contact.faults.length === 0 ? (
                    "—"
                  ) : (
                    <span className="state notice">
                      <Mark name="notice" />
                      {contact.faults.map((fault) => t(faultNames[fault])).join(comma)}
                    </span>
                  )}
                </td>
                <td>
                  {path && (
                    <RouterLink className="link" to={path}>
                      {t(openWords[contact.refersTo.kind])}
                    </RouterLink>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </ScrollTable>
      <More count={links.length} isAll={all} onPress={() => setAll(true)} />
    </section>
  );
}

function Visitors({ trace }: { trace: ContactTrace }) {
  const t = useTranslate();
  const comma = useComma();
  const { dayTime } = useFormats();
  const [all, setAll] = useState(false);
  const visitors = visitorsOf(trace);
  const isWay = trace.start.kind === "person" || trace.start.kind === "vehicle";
  const rows = isWay ? trace.contacts.map((first) => ({ first, last: first, visits: [first] })) : visitors;
  if (rows.length === 0) return null;
  const [who, where, first, last] = [t("谁"), t("在哪里"), t("第一次"), t("最后一次")];
  return (
    <section className="card">
      <header>
        <h2>{t(isWay ? "去过哪里" : "来过这里的")}</h2>
        <span className="mut num">{t("{count} 条", { count: rows.length })}</span>
      </header>
      <ScrollTable label={t(isWay ? "去过哪里" : "来过这里的")} className={styles.table} stacked>
        <thead>
          <tr>
            <th scope="col">{isWay ? where : who}</th>
            <th scope="col">{first}</th>
            {!isWay && <th scope="col">{last}</th>}
            {!isWay && (
              <th scope="col" className="numeric">
                {t("次数")}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {(all ? rows : rows.slice(0, fewRows)).map((row) => (
            <tr key={row.first.key}>
              <td data-name={isWay ? where : who}>
                {isWay ? (
                  <span>
                    <Translated text={row.first.farmName} />
                    {row.first.unitName !== "" && (
                      <small>
                        <Translated text={row.first.unitName} />
                      </small>
                    )}
                  </span>
                ) : (
                  <span>
                    {t(laneNames[row.first.lane])} <b className="num">{row.first.who}</b>
                  </span>
                )}
                {row.visits.some(({ faults }) => faults.length > 0) && (
                  <span className="state notice">
                    <Mark name="notice" />
                    {[...new Set(row.visits.flatMap(({ faults }) => faults))]
                      .map((fault) => t(faultNames[fault]))
                      .join(comma)}
                  </span>
                )}
              </td>
              <td data-name={first} className="num">
                {dayTime(row.first.atMs)}
              </td>
              {!isWay && (
                <td data-name={last} className="num">
                  {dayTime(row.last.atMs)}
                </td>
              )}
              {!isWay && (
                <td className="numeric" data-name={t("次数")}>
                  {row.visits.length}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </ScrollTable>
      <More count={rows.length} isAll={all} onPress={() => setAll(true)} />
    </section>
  );
}

/** How much the records can tell at all. */
function Evidence({ evidence }: Pick<ContactTrace, "evidence">) {
  const t = useTranslate();
  const comma = useComma();
  const marks = { complete: "ok", gaps: "notice", none: "off" } as const;
  return (
    <section className="card" aria-labelledby="evidence-title">
      <header>
        <h2 id="evidence-title">{t("依据")}</h2>
      </header>
      <ul className={styles.evidence}>
        {evidence.map(({ source, state, count, faults, silentDays }) => (
          <li key={source}>
            <span>{t(sourceNames[source])}</span>
            <span className={`state ${state === "gaps" ? "notice" : state === "complete" ? "ok" : ""}`}>
              <Mark name={marks[state]} />
              {state === "none"
                ? t("没有洗澡间，没有记录")
                : [
                    t("{count} 条", { count }),
                    faults > 0 && source !== "strangers" ? t("{count} 条有缺", { count: faults }) : "",
                    silentDays.length > 0 ? t("{count} 天没有记录", { count: silentDays.length }) : "",
                  ]
                    .filter(Boolean)
                    .join(comma)}
            </span>
            {silentDays.length > 0 && (
              <small className="num">
                {silentDays
                  .slice(0, 6)
                  .map((day) => day.slice(5))
                  .join(comma)}
                {silentDays.length > 6 && "…"}
              </small>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What to do about the closest contacts, each with its way there. */
function NextSteps({ links }: { links: readonly Link[] }) {
  const t = useTranslate();
  const nameOf = useNames();
  const pathOf = usePathOf();
  const steps = links.filter(({ contact }) => contact.side === "after").slice(0, 4);
  if (steps.length === 0) return null;
  const adviceOf = ({ lane, who, unitName, farmName, faults }: TraceContact): string =>
    lane === "person"
      ? t("{who} 先不进 {farm} 的舍", { who: nameOf(who), farm: nameOf(farmName) })
      : lane === "vehicle"
        ? t(faults.length > 0 ? "{plate} 停运，补洗消" : "{plate} 下次装车前查洗消证", { plate: who })
        : t("{unit} 单独看护，先不转群", { unit: nameOf(unitName) });
  return (
    <section className="card" aria-labelledby="steps-title">
      <header>
        <h2 id="steps-title">{t("现在做")}</h2>
      </header>
      <ul className={styles.evidence}>
        {steps.map(({ number, contact }) => {
          const path = pathOf(contact);
          return (
            <li key={number}>
              <span>
                <b className="num">{number}</b> {adviceOf(contact)}
              </span>
              {path && (
                <RouterLink className="btn small" to={path}>
                  {t(openWords[contact.refersTo.kind])}
                </RouterLink>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Traced({ choice }: { choice: TraceChoice }) {
  const t = useTranslate();
  const comma = useComma();
  const { kind, value, days, direction } = choice;
  const query: QueryOf<typeof traceContacts> = {
    days,
    ...(kind === "unit" && { unitId: value }),
    ...(kind === "farm" && { farmId: value }),
    ...(kind === "person" && { person: value }),
    ...(kind === "plate" && { plate: value }),
  };
  const {
    value: trace,
    error,
    reload,
  } = useLoad(`trace ${kind} ${value} ${days}`, (signal) => call(traceContacts, { query, signal, quiet: true }));
  const { dateTime } = useFormats();
  if (error && !trace) return <LoadingProblem error={error} onRetry={reload} what={t("接触追溯")} />;
  if (!trace) return <TableSkeleton rows={8} />;
  const isPlace = trace.start.kind === "unit" || trace.start.kind === "farm";
  const links = isPlace ? linksOf(trace, direction) : [];
  const exportList = (): void =>
    downloadCsv(`${t("接触追溯")} ${trace.start.name}`, [
      [t("时间"), t("哪一边"), t("类别"), t("谁"), t("场区"), t("单元"), t("头数"), t("间隔小时"), t("缺什么")],
      ...trace.contacts.map((one) => [
        dateTime(one.atMs),
        t(sideNames[one.side]),
        t(laneNames[one.lane]),
        one.who,
        one.farmName,
        one.unitName,
        one.heads,
        one.gapHours,
        one.faults.map((fault) => t(faultNames[fault])).join(comma),
      ]),
    ]);
  if (trace.contacts.length === 0)
    return (
      <>
        <section className="card">
          <ExceptionView type="empty" title={t("这段时间没有接触的记录")} text={t("看长一些的时间，或换一个起点。")} />
        </section>
        <Evidence evidence={trace.evidence} />
      </>
    );
  return (
    <>
      {isPlace && <Answer trace={trace} links={links} direction={direction} />}
      <div className={styles.parts}>
        <div>
          {links.length > 0 && <Lanes trace={trace} links={links.slice(0, mostDrawn)} />}
          <ContactList links={links} />
          <Visitors trace={trace} />
        </div>
        <div>
          <NextSteps links={links} />
          <Evidence evidence={trace.evidence} />
          <Button icon="download" onPress={exportList}>
            {t("导出清单")}
          </Button>
        </div>
      </div>
    </>
  );
}

/** Units that are offered to begin with. */
const mostOffered = 6;

/** Units with open alarms, the worst first, where somebody may want to know what was carried there. */
function Alarmed({ onChoose }: { onChoose: (kind: "unit" | "farm", id: string) => void }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { number } = useFormats();
  const { value: farms = [] } = useLoad("farm tree", (signal) => call(farmTree, { signal, quiet: true }));
  const { value } = useLoad("alarmed units", (signal) => call(alarmOpen, { query: {}, signal, quiet: true }));
  const units = Map.groupBy(value?.alarms ?? [], ({ unitId }) => unitId);
  units.delete("");
  // Where nothing is wrong, one begins at a farm.
  if (value && units.size === 0)
    return (
      <Offers
        label={t("场区")}
        offers={farms.slice(0, mostOffered).map(({ id, name, houses }) => ({
          id,
          title: nameOf(name),
          place: t("{count} 个单元", { count: houses.reduce((all, house) => all + house.units.length, 0) }),
          note: t("{count} 头", {
            count: number(houses.flatMap((house) => house.units).reduce((all, unit) => all + unit.headCount, 0)),
          }),
        }))}
        onChoose={(id) => onChoose("farm", id)}
      />
    );
  return (
    <Offers
      label={t("有告警的单元")}
      offers={[...units].slice(0, mostOffered).flatMap(([id, [worst, ...more]]) =>
        worst
          ? [
              {
                id,
                title: `${nameOf(worst.houseName)} ${nameOf(worst.unitName)}`,
                place: nameOf(worst.farmName),
                note: t("{severity}告警，共 {count} 条", {
                  severity: t(alarmSeverityNames[worst.severity]),
                  count: more.length + 1,
                }),
              },
            ]
          : [],
      )}
      onChoose={(id) => onChoose("unit", id)}
    />
  );
}

/** Contact tracing: who and what met a place, and where they were before and afterwards. */
export default function TracePage() {
  const t = useTranslate();
  const [search, write] = useAddress();
  const choice = readChoice(search);
  const change: Change = (to) => {
    const next = { ...choice, ...to };
    const usual = (value: string, of: string) => (value === of ? "" : value);
    write(
      (now) =>
        withValues(now, {
          ...Object.fromEntries(startKinds.map((one) => [one, one === next.kind ? next.value : ""])),
          from: next.value === "" ? usual(next.kind, "unit") : "",
          days: usual(String(next.days), "14"),
          to: usual(next.direction, "both"),
        }),
      { replace: true, preventScrollReset: true },
    );
  };
  return (
    <div className={styles.page}>
      <Crumbs />
      <div className="page-head">
        <h1>{t("接触追溯")}</h1>
      </div>
      <Controls choice={choice} change={change} />
      {choice.value === "" ? (
        <section className="card">
          <ExceptionView
            type="noSearchData"
            title={t("先选一个起点")}
            text={t("从一个单元、场区、人或一辆车，看前后几天谁来过、去过哪里。")}
            details={<Alarmed onChoose={(kind, value) => change({ kind, value })} />}
          />
        </section>
      ) : (
        <Traced key={`${choice.kind} ${choice.value}`} choice={choice} />
      )}
    </div>
  );
}
