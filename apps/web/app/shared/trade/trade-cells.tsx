import {
  abnormalOrders,
  arrivalWeighings,
  certificateWarnMs,
  declarations,
  deposits,
  invoices,
  notes,
  orders,
  payAttempts,
  payments,
  priceTerms,
  settlements,
  transits,
  weighings,
} from "@herdwise/contract";
import { yuanText } from "@herdwise/contract/money";
import { permissionOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import { shanghaiDay, shanghaiMidnight } from "@herdwise/contract/shanghai";
import { isWeightDispute, toleratedShare } from "@herdwise/contract/weight-difference";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { Mark, type MarkName } from "../icons/mark.tsx";
import { parseWireDateTime } from "../language/format.ts";
import { Translated } from "../language/translated.tsx";
import { useFormats, useLanguage, useTranslate } from "../language/use-language.ts";
import { useTranslated } from "../language/use-translated.ts";
import { StateTag } from "../process/state-tag.tsx";
import { Nothing } from "../resource/cell.tsx";
import type { Cells } from "../resource/cells.ts";
import type { Row } from "../resource/form-values.ts";
import { callPage, keysOf } from "../resource/resource-api.ts";
import { useAccess } from "../session/access-context.ts";
import { Late, Marked, standing, Until, Waits } from "./state-line.tsx";
import styles from "./trade-cells.module.css";
import { isUnsettled, meanKg } from "./trade-figures.ts";
import { useNextWay } from "./use-next-way.ts";

interface CellProps {
  row: Row;
  value: unknown;
}

const isNone = (value: unknown): boolean => value === undefined || value === null || value === "" || value === "0";

/** Money that comes in, or with a minus money that goes out. */
function Money({ fen, out, signed = false }: { fen: number; out: boolean; signed?: boolean }) {
  const t = useTranslate();
  return (
    <span className={`num${out ? ` ${styles.out}` : ""}`}>
      {out ? "−" : signed ? "+" : ""}
      {yuanText(fen)} {t("元")}
    </span>
  );
}

/** A payment; a refund goes out. */
export const paymentCells: Cells = {
  amountFen: ({ row, value }) => <Money fen={Number(value)} out={row.kind === "refund"} />,
  ...standing(payments, {
    awaited: (row) => ({
      note: isNone(row.dueBy) ? <Waits since={row.createTime} /> : <Until value={row.dueBy} />,
      steps: [{ by: "desk", event: "record" }],
    }),
    recorded: () => ({ steps: [{ by: "desk", word: "去复核" }] }),
  }),
};

/** What is open now of an order's money, and in which direction; nothing while it is not known. */
export function OpenAmount({ value }: { value: unknown }) {
  const t = useTranslate();
  if (value === null || value === undefined) return <Nothing />;
  const fen = Number(value);
  if (fen === 0) return <span className="mut">{t("没有欠款")}</span>;
  return (
    <span className="num">
      {fen < 0 && <span className="mut">{t("要退")} </span>}
      {yuanText(Math.abs(fen))} {t("元")}
    </span>
  );
}

/** A line of the bank's statement, with its sign. */
export const bankAmount = ({ row, value }: CellProps) => (
  <Money fen={Number(value)} out={row.direction === "out"} signed />
);

/** What an online payment pays: a payment or a deposit. */
function PaidFor({ row }: CellProps) {
  const t = useTranslate();
  const isPayment = !isNone(row.payment);
  const name = String((isPayment ? row.paymentName : row.depositName) ?? "");
  return (
    <span className={styles.line}>
      <span className="num">{name}</span>
      {!isPayment && <small>{t("保证金")}</small>}
    </span>
  );
}

/** What was asked, and what came where it is another amount. */
function Asked({ row, value }: CellProps) {
  const t = useTranslate();
  const received = Number(row.receivedFen ?? 0);
  return (
    <span className={styles.line}>
      <Money fen={Number(value)} out={false} />
      {received !== 0 && received !== Number(value) && (
        <small>{t("付了 {amount}", { amount: yuanText(received) })}</small>
      )}
    </span>
  );
}

export const attemptCells: Cells = {
  payment: PaidFor,
  amountFen: Asked,
  ...standing(payAttempts, {
    started: (row) => ({ note: <Until value={row.expiresAt} /> }),
    unknown: (row) => ({ note: <Until value={row.expiresAt} /> }),
  }),
};

/** Why something was turned down; a line too long for its cell is whole in its title. */
function Reason({ text }: { text: string }) {
  const { text: shown } = useTranslated(text);
  return (
    <small title={shown}>
      <Translated text={text} />
    </small>
  );
}

/** An application that waits longer than this was forgotten, days. */
const longWait = 14;

export const invoiceCells: Cells = {
  ...standing(invoices, {
    applied: (row) => ({
      note: <Waits since={row.createTime} long={longWait} />,
      steps: [{ by: "desk", event: "issue" }],
    }),
    returned: ({ returnReason }) => ({
      note: isNone(returnReason) ? undefined : <Reason text={String(returnReason)} />,
    }),
  }),
};

/** The way to the order that a declaration became. */
function BecameOrder({ row, value }: CellProps) {
  const { user } = useAccess();
  if (isNone(value)) return <Nothing />;
  const path = user.tenant_type === "group" ? orders.menu.path : orders.customerMenu?.path;
  return (
    <Link className="link num" to={`${path}?row=${value}`} onClick={(event) => event.stopPropagation()}>
      {String(row.orderName ?? "")}
    </Link>
  );
}

const whyDeclined = ({ declineReason }: Row) => ({
  note: isNone(declineReason) ? undefined : <Reason text={String(declineReason)} />,
});
export const declarationCells: Cells = {
  order: BecameOrder,
  ...standing(declarations, {
    submitted: (row) => ({
      note: <Until value={row.expiresAt} />,
      steps: [
        { by: "desk", event: "accept", primary: true },
        { by: "desk", event: "decline" },
      ],
    }),
    offered: (row) => ({
      note: <Until value={row.expiresAt} />,
      steps: [{ by: "customer", event: "agree", primary: true }],
    }),
    declined: whyDeclined,
  }),
};

const missingWords = { wash: "缺洗消证", quarantine: "缺检疫证", both: "两证都缺" } as const;

/** A vehicle that stopped where it should not, or strayed, as the abnormal orders say it. */
function WayNote({ flagged }: { flagged: boolean }) {
  const t = useTranslate();
  return flagged ? <Marked mark="critical">{t("路上有异常")}</Marked> : null;
}
const onItsWay = (row: Row) => ({
  note: <WayNote flagged={row.flagged === "yes" && !orderOver.has(String(row.orderState))} />,
});
/** Afterwards nobody has to look at the way any more. */
const orderOver = new Set(["completed", "cancelled"]);

/** What keeps a vehicle from loading: a paper that is missing, or a washing certificate that ends before the loading day. */
function PaperNote({ row }: { row: Row }) {
  const t = useTranslate();
  const missing = missingWords[String(row.missing ?? "") as keyof typeof missingWords];
  if (missing !== undefined) return <Marked mark="major">{t(missing)}</Marked>;
  const end = parseWireDateTime(String(row.washEnds ?? ""));
  if (end === undefined) return null;
  if (end < loadingDay(row)) return <Marked mark="major">{t("洗消证装车前到期")}</Marked>;
  return end - Date.now() < certificateWarnMs ? <Marked mark="minor">{t("洗消证快到期")}</Marked> : null;
}
/** The begin of the loading day; 0 for none. */
const loadingDay = ({ day }: Row): number => shanghaiMidnight(String(day ?? "").slice(0, 10)) || 0;
const hasPapers = (row: Row): boolean =>
  row.missing === "none" && (parseWireDateTime(String(row.washEnds ?? "")) ?? 0) >= loadingDay(row);

export const transitCells: Cells = {
  ...standing(transits, {
    planned: (row) => ({
      note: <PaperNote row={row} />,
      steps: hasPapers(row) ? [{ by: "desk", event: "clear", primary: true }] : [{ by: "customer", word: "补证件" }],
    }),
    ready: (row) => ({ note: <PaperNote row={row} /> }),
    loading: (row) => ({ note: <PaperNote row={row} /> }),
    departed: onItsWay,
    arrived: onItsWay,
  }),
};

/** A difference of weights beside what is allowed. */
function Difference({ row, value }: CellProps) {
  const { number } = useFormats();
  const t = useTranslate();
  // Thousandths of a percent.
  const percent = Number(value) / 1000;
  const over = isWeightDispute(Number(row.loadingGrams), Number(row.netGrams));
  const share = Math.min(1, Math.abs(percent) / (200 * toleratedShare));
  const width = `${share * 50}%`;
  return (
    <span className={styles.line}>
      <span
        className={styles.apart}
        data-over={over || undefined}
        title={t("允许相差 {share} %", { share: toleratedShare * 100 })}
      >
        <i style={percent < 0 ? { right: "50%", width } : { left: "50%", width }} />
      </span>
      <span className={`${over ? "state critical num" : "num"} ${styles.share}`}>
        {over && <Mark name="critical" />}
        {percent > 0 ? "+" : percent < 0 ? "−" : ""}
        {number(Math.abs(percent), 2)} %
      </span>
    </span>
  );
}

const MeanWeight = ({ value }: CellProps) =>
  isNone(value) ? <Nothing /> : <span className="num">{meanKg(Number(value))} kg</span>;
/** Somebody else confirms what one person entered. */
const reviewed = { steps: [{ by: "desk", word: "去复核" }] } as const;
export const weighingCells: Cells = {
  meanGrams: MeanWeight,
  ...standing(weighings, { entered: () => reviewed }),
};

export const arrivalCells: Cells = {
  differenceShare: Difference,
  ...standing(arrivalWeighings, { disputed: () => ({ steps: [{ by: "desk", word: "去裁定", primary: true }] }) }),
};

/** What a settlement comes to with its notes, and what it was before them. */
function SettledTotal({ row, value }: CellProps) {
  const t = useTranslate();
  const notes = Number(row.notesFen ?? 0);
  return (
    <span className={`${styles.line} ${styles.below}`}>
      <Money fen={Number(value) + notes} out={false} />
      {notes !== 0 && (
        <small className="num">
          {`${yuanText(Number(value))} ${notes > 0 ? "+" : "−"} `}
          {t("通知单 {amount}", { amount: yuanText(Math.abs(notes)) })}
        </small>
      )}
    </span>
  );
}
export const settlementCells: Cells = {
  totalFen: SettledTotal,
  openFen: OpenAmount,
  ...standing(settlements, {
    computed: () => reviewed,
    // What is not paid in full is not done.
    confirmed: (row) => ({ note: <Late since={row.lateSince} />, ...(row.need === "rest" && { mark: "notice" }) }),
  }),
};

/** What a note adds to what is due, or takes off. */
function NoteAmount({ row, value }: CellProps) {
  const t = useTranslate();
  const isCredit = row.kind === "credit";
  return (
    <span className={styles.line}>
      <small>{t(isCredit ? "贷项" : "借项")}</small>
      <span className="num">
        {isCredit ? "−" : "+"}
        {yuanText(Number(value))} {t("元")}
      </span>
    </span>
  );
}
export const noteCells: Cells = { amountFen: NoteAmount, ...standing(notes, { drafted: () => reviewed }) };

/** How much of the agreed volume is left. */
function Left({ row, value }: CellProps) {
  const t = useTranslate();
  const { number } = useFormats();
  const [heads, left] = [Number(row.heads), Number(value)];
  const used = Math.max(0, heads - left);
  return (
    <span className={styles.line}>
      <span className={styles.left} title={t("已用 {used} / {all} 头", { used: number(used), all: number(heads) })}>
        <i style={{ width: `${Math.min(100, Math.max(0, (left / Math.max(1, heads)) * 100))}%` }} />
      </span>
      <span className="num">
        {number(left)} / {number(heads)} {t("头")}
      </span>
    </span>
  );
}

/** A fixed price, or the market price with what is added to it. */
function AgreedPrice({ row, value }: CellProps) {
  const t = useTranslate();
  if (!isNone(value))
    return (
      <span className="num">
        {yuanText(Number(value))} {t("元/kg")}
      </span>
    );
  const difference = Number(row.differenceFen ?? 0);
  return (
    <span className="num">
      {t("随行情")} {difference < 0 ? "−" : "+"}
      {yuanText(Math.abs(difference))} {t("元/kg")}
    </span>
  );
}

/** How the mean price stands to the market's. */
function AgainstMarket({ value }: CellProps) {
  const t = useTranslate();
  if (isNone(value)) return <Nothing />;
  const fen = Number(value);
  return (
    <span className="num">
      {fen > 0 ? "+" : fen < 0 ? "−" : ""}
      {yuanText(Math.abs(fen))} {t("元/kg")}
    </span>
  );
}

/** Whether an agreement can be used. */
function TermState({ value }: CellProps) {
  const word = termWords.get(String(value));
  return word === undefined ? <Nothing /> : <StateTag word={word} mark={termMarks[String(value)] ?? "off"} plain />;
}
const termWords = new Map<string, string>(
  priceTerms.fields.termState?.kind === "choice" ? priceTerms.fields.termState.options : [],
);
const termMarks: Readonly<Record<string, MarkName>> = { open: "ok", early: "notice" };

export const termCells: Cells = {
  termState: TermState,
  leftHeads: Left,
  pricePerKg: AgreedPrice,
  againstFen: AgainstMarket,
};

/** Today's price of the province, and how the plan's price stands to it. */
function Market({ row, value }: CellProps) {
  const t = useTranslate();
  if (isNone(value)) return <Nothing />;
  const apart = isNone(row.pricePerKg) ? 0 : Number(row.pricePerKg) - Number(value);
  return (
    <span className={styles.line}>
      <span className="num">
        {yuanText(Number(value))} {t("元/kg")}
      </span>
      {apart !== 0 && (
        <small className="num">
          {t(apart > 0 ? "计划高 {apart}" : "计划低 {apart}", { apart: yuanText(Math.abs(apart)) })}
        </small>
      )}
    </span>
  );
}

export const marketCell = Market;

/** A customer's newest deposits by lot, each with how it stands there; none for staff. */
function useOwnDeposits(): ReadonlyMap<string, Row> {
  const { user, permissions } = useAccess();
  const { data } = useQuery({
    queryKey: [...keysOf(deposits), "own"],
    queryFn: ({ signal }) => callPage(deposits, { current: 1, size: mostDeposits }, signal),
    enabled: user.tenant_type !== "group" && permissions.has(permissionOf(deposits, "view")),
    staleTime: 30_000,
  });
  const rows = (data?.records ?? []).filter(({ state }) => state !== "void");
  return new Map(rows.map((row) => [String(row.lot), row]));
}
const mostDeposits = 100;

const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };

/** A place in words that are no bidder's code: a room calls its bidders No. 1, No. 2. */
function usePlaceWord(): (place: number) => string {
  const language = useLanguage();
  return (place) => (language === "zh" ? String(place) : `${place}${endings[ordinals.select(place)] ?? "th"}`);
}

/** The best bid of a lot, and the own place. */
function Best({ row, value }: CellProps) {
  const t = useTranslate();
  const placeOf = usePlaceWord();
  const own = useOwnDeposits().get(row.id);
  // Before the first bid, what bidding begins with.
  if (isNone(value))
    return isNone(row.reservePerKg) || !isUndecided(row.state) ? (
      <Nothing />
    ) : (
      <span className={styles.line}>
        <small>{t("起拍")}</small>
        <span className="num">
          {yuanText(Number(row.reservePerKg))} {t("元/kg")}
        </span>
      </span>
    );
  return (
    <span className={styles.line}>
      <span className="num">
        {yuanText(Number(value))} {t("元/kg")}
      </span>
      {own && !isNone(own.place) && <small>{t("您第 {place}", { place: placeOf(Number(own.place)) })}</small>}
    </span>
  );
}

/** Whether a lot can still be bid for. */
export const isUndecided = (state: unknown): boolean => ["announced", "open", "frozen"].includes(String(state));

/** How the own deposit for a lot stands, and before there is one what it takes; nothing for staff. */
export function OwnDeposit({ row }: { row: Row }) {
  const t = useTranslate();
  const { user } = useAccess();
  const own = useOwnDeposits().get(row.id);
  const face = own && deposits.process.states[String(own.state) as keyof typeof deposits.process.states];
  if (face) return <small>{t("保证金{one}", { one: t(face.word) })}</small>;
  if (user.tenant_type === "group" || isNone(row.depositFen) || !isUndecided(row.state)) return null;
  return <small className="num">{t("保证金 {amount} 元/头", { amount: yuanText(Number(row.depositFen)) })}</small>;
}

/** States of an own deposit in which somebody else has the lot. */
const lostStates = new Set(["returning", "released"]);

/** How a lot ended for the reader, who bid for it; undefined for whoever did not. */
export function useOwnEnd(row: Row): "won" | "lost" | undefined {
  const own = useOwnDeposits().get(row.id);
  if (own === undefined || row.state !== "awarded") return undefined;
  if (own.state === "credited" || (own.state === "held" && Number(own.place) === 1)) return "won";
  return lostStates.has(String(own.state)) ? "lost" : undefined;
}

/** When bidding begins, ends, or ended. */
function BidTime({ row, value }: CellProps) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const isAhead = row.state === "announced";
  const time = dayTime(parseWireDateTime(String((isAhead ? row.opensAt : value) ?? "")));
  const word = isAhead ? "{time} 开始" : row.state === "open" ? "{time} 截止" : "{time} 已截止";
  return <span className="num">{row.state === "withdrawn" ? t("原定 {time} 截止", { time }) : t(word, { time })}</span>;
}

export const lotCells: Cells = { bestPerKg: Best, endsAt: BidTime };

/** Which place a bid has. */
function Place({ value }: CellProps) {
  const t = useTranslate();
  const placeOf = usePlaceWord();
  return isNone(value) ? (
    <Nothing />
  ) : (
    <span className="num">{t("第 {place} 名", { place: placeOf(Number(value)) })}</span>
  );
}
export const depositCells: Cells = {
  place: Place,
  ...standing(deposits, {
    awaited: (row) => ({ note: <Waits since={row.createTime} />, steps: [{ by: "desk", event: "record" }] }),
    recorded: () => reviewed,
    forfeiting: () => ({ steps: [{ by: "desk", word: "去决定" }] }),
    returning: (row) => ({ note: <Until value={row.returnBy} />, steps: [{ by: "desk", event: "release" }] }),
  }),
};

/** What comes next for an order: what the reader has to do is a button. */
function Next({ row, value }: CellProps) {
  const t = useTranslate();
  const { word, isOwn, way } = useNextWay(row);
  if (word === undefined) return <Nothing />;
  return (
    <span className={`${styles.line} ${styles.below}`}>
      {isOwn && way ? (
        <Link className="btn small" to={way.to} onClick={(event) => event.stopPropagation()}>
          {t(way.word)}
        </Link>
      ) : (
        <span className={isOwn ? undefined : "mut"}>{t(word)}</span>
      )}
      {value === "pay" && <Until value={row.payBy} />}
    </span>
  );
}

/** The loading day; one that has passed before the vehicles left is marked. */
function LoadingDay({ row, value }: CellProps) {
  const t = useTranslate();
  const day = String(value ?? "").slice(0, 10);
  const today = shanghaiDay(Date.now());
  return (
    <span className={styles.line}>
      <span className="num">{day}</span>
      {day === today && row.state === "confirmed" && <b>{t("今天装")}</b>}
    </span>
  );
}

/** What an order costs: its settlement, or what is estimated before it. */
function Total({ row, value }: CellProps) {
  const t = useTranslate();
  const isFinal = !isNone(row.finalFen);
  return (
    <span className={styles.line}>
      {!isFinal && <small>{t("预估")}</small>}
      <Money fen={Number(isFinal ? row.finalFen : value)} out={false} />
    </span>
  );
}

/** What is owed; of a cancelled order what is paid back. */
function Due({ row, value }: CellProps) {
  const t = useTranslate();
  const isNothing = Number(value ?? 0) === 0;
  if (row.state === "cancelled" && isNothing) return <Nothing />;
  // What was paid ahead is not yet what it comes to.
  if (isNothing && isUnsettled(String(row.state))) return <span className="mut">{t("尚未结算")}</span>;
  return <OpenAmount value={value} />;
}

/** Since when something is wrong; what has a deadline says how late it is. */
function LateSince({ row, value }: CellProps) {
  const { dayTime } = useFormats();
  return (
    <span className={`${styles.line} ${styles.below}`}>
      <span className="num">{dayTime(parseWireDateTime(String(value ?? "")))}</span>
      <Late since={row.lateSince} />
    </span>
  );
}

/** What is wrong in an order. */
function Wrong({ value }: CellProps) {
  const t = useTranslate();
  const word = reasonWords.get(String(value));
  if (word === undefined) return <Nothing />;
  return <Marked mark={value === "weight" || value === "way" ? "critical" : "major"}>{t(word)}</Marked>;
}

/** The way to where what is wrong is mended. */
function Mend({ row }: { row: Row }) {
  const t = useTranslate();
  const { permissions } = useAccess();
  const way = mends[String(row.reason)];
  const mayMend = way && permissions.has(permissionOf(way.of, way.begins ? "edit" : "view"));
  const to =
    way === undefined || !mayMend
      ? `${orders.menu.path}?row=${row.order}`
      : way.begins
        ? `${way.of.menu.path}?row=new&order=${row.order}`
        : `${way.of.menu.path}?f.order=${row.order}`;
  return (
    <Link className="btn small" to={to} onClick={(event) => event.stopPropagation()}>
      {t(mayMend ? way.word : "打开订单")}
    </Link>
  );
}
const reasonWords = new Map<string, string>(abnormalOrders.fields.reason.options);
/** Where an order that something is wrong with goes on. */
const mends: Readonly<Record<string, { of: ResourceDeclaration; word: string; begins?: true }>> = {
  weight: { of: arrivalWeighings, word: "去裁定" },
  way: { of: transits, word: "看车辆" },
  no_vehicle: { of: transits, word: "登记车辆", begins: true },
  not_settled: { of: settlements, word: "去结算" },
  not_paid: { of: payments, word: "看收付款" },
};
export const abnormalCells: Cells = { reason: Wrong, since: LateSince, dueFen: OpenAmount, acts: Mend };

/** What is wrong with an open order, or how late it is. */
function OrderNote({ row }: { row: Row }) {
  const t = useTranslate();
  const wrong = reasonWords.get(String(row.wrong));
  return wrong === undefined ? <Late since={row.lateSince} /> : <Marked mark="critical">{t(wrong)}</Marked>;
}
const late = (row: Row) => ({ note: <OrderNote row={row} /> });
export const orderCells: Cells = {
  next: Next,
  day: LoadingDay,
  expectedFen: Total,
  dueFen: Due,
  ...standing(orders, { confirmed: late, loading: late, weighed: late, settled: late }),
};
