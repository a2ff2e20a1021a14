import { certificateWarnMs, declarations, deposits, invoices, orders, payAttempts } from "@herdwise/contract";
import { exactText, yuanText } from "@herdwise/contract/money";
import { permissionOf } from "@herdwise/contract/resource";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { isWeightDispute, toleratedShare } from "@herdwise/contract/weight-difference";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { Mark } from "../icons/mark.tsx";
import { parseWireDateTime } from "../language/format.ts";
import { Translated } from "../language/translated.tsx";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { useTranslated } from "../language/use-translated.ts";
import { StateTag } from "../process/state-tag.tsx";
import type { Cells } from "../resource/cells.ts";
import type { Row } from "../resource/form-values.ts";
import { callPage, keysOf } from "../resource/resource-api.ts";
import { useAccess } from "../session/access-context.ts";
import styles from "./trade-cells.module.css";
import { useNextWay } from "./use-next-way.ts";

interface CellProps {
  row: Row;
  value: unknown;
}

const dayMs = 86_400_000;
const Nothing = () => <span className="mut">--</span>;
const isNone = (value: unknown): boolean => value === undefined || value === null || value === "" || value === "0";

/** Whole days since a moment; 0 where it is not known. */
const daysSince = (value: unknown): number => {
  const since = parseWireDateTime(String(value ?? ""));
  return since === undefined ? 0 : Math.floor((Date.now() - since) / dayMs);
};

/** A moment until which something has to happen; one that has passed is marked. */
function Until({ value }: { value: unknown }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const until = parseWireDateTime(String(value ?? ""));
  if (until === undefined) return <Nothing />;
  if (until > Date.now()) return <span className="num">{t("{time} 前", { time: dayTime(until) })}</span>;
  return (
    <span className="state critical num">
      <Mark name="critical" />
      {t("{time} 已过", { time: dayTime(until) })}
    </span>
  );
}

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

/** Until when a payment is awaited, or how long it has been where nothing is agreed. */
function DueBy({ row, value }: CellProps) {
  const t = useTranslate();
  if (row.state !== "awaited") return <Nothing />;
  if (!isNone(value)) return <Until value={value} />;
  const days = daysSince(row.createTime);
  return <span className="num">{days > 0 ? t("等了 {days} 天", { days }) : t("今天起")}</span>;
}

/** A payment; a refund goes out. */
export const paymentCells: Cells = {
  amountFen: ({ row, value }) => <Money fen={Number(value)} out={row.kind === "refund"} />,
  dueBy: DueBy,
};

/** What is open now of an order's money, and in which direction; nothing while it is not known. */
export function OpenAmount({ value }: { value: unknown }) {
  const t = useTranslate();
  if (value === null || value === undefined) return <Nothing />;
  const fen = Number(value);
  if (fen === 0) return <span className="mut">{t("已结清")}</span>;
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

/** How an attempt ended; one that expired says when. */
function AttemptState({ row, value }: CellProps) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const face = payAttempts.process.states[String(value) as keyof typeof payAttempts.process.states];
  return (
    <span className={styles.line}>
      {face && <StateTag {...face} plain />}
      {value === "expired" && (
        <small className="num">
          {t("{time} 前没有付款", { time: dayTime(parseWireDateTime(String(row.expiresAt ?? ""))) })}
        </small>
      )}
    </span>
  );
}

/** Until when somebody may pay, as long as that is open. */
const PayBy = ({ row, value }: CellProps) =>
  row.state === "started" || row.state === "unknown" ? <Until value={value} /> : <Nothing />;

export const attemptCells: Cells = { payment: PaidFor, amountFen: Asked, expiresAt: PayBy, state: AttemptState };

/** Why something was turned down; a line too long for its cell is whole in its title. */
function Reason({ text }: { text: string }) {
  const { text: shown } = useTranslated(text);
  return (
    <small title={shown}>
      <Translated text={text} />
    </small>
  );
}

/** How an application stands, and how long it waits. */
function InvoiceState({ row, value }: CellProps) {
  const t = useTranslate();
  const face = invoices.process.states[String(value) as keyof typeof invoices.process.states];
  const days = daysSince(row.createTime);
  const reason = String(row.returnReason ?? "");
  return (
    <span className={styles.line}>
      {face && <StateTag {...face} plain />}
      {value === "applied" &&
        days > 0 &&
        (days > longWaitDays ? (
          <span className="state major num">
            <Mark name="major" />
            {t("等了 {days} 天", { days })}
          </span>
        ) : (
          <small className="num">{t("等了 {days} 天", { days })}</small>
        ))}
      {value === "returned" && reason !== "" && <Reason text={reason} />}
    </span>
  );
}
/** An application that waits longer than this was forgotten. */
const longWaitDays = 14;

/** How a declaration stands; a declined one says why. */
function DeclarationState({ row, value }: CellProps) {
  const face = declarations.process.states[String(value) as keyof typeof declarations.process.states];
  const reason = String(row.declineReason ?? "");
  return (
    <span className={styles.line}>
      {face && <StateTag {...face} plain />}
      {reason !== "" && <Reason text={reason} />}
    </span>
  );
}

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

export const declarationCells: Cells = { state: DeclarationState, order: BecameOrder };

export const invoiceCells: Cells = { state: InvoiceState };

/** The end of a certificate; while the vehicle is not loaded one that ends soon is marked. */
function CertificateEnd({ row, value }: CellProps) {
  const { dayTime } = useFormats();
  const t = useTranslate();
  const end = parseWireDateTime(String(value ?? ""));
  if (end === undefined) return <Nothing />;
  const left = end - Date.now();
  const counts = ["planned", "ready", "loading"].includes(String(row.state));
  const mark = !counts ? undefined : left <= 0 ? "critical" : left < certificateWarnMs ? "minor" : undefined;
  return (
    <span className={styles.line}>
      <span className="num">{dayTime(end)}</span>
      {mark && (
        <span className={`state ${mark}`}>
          <Mark name={mark} />
          {t(mark === "critical" ? "已失效" : "快到期")}
        </span>
      )}
    </span>
  );
}

const missingMarks = { none: "ok", wash: "major", quarantine: "major", both: "major" } as const;
const missingWords = { none: "齐全", wash: "缺洗消证", quarantine: "缺检疫证", both: "两证都缺" } as const;

/** Papers that keep a vehicle from loading. */
function Missing({ value }: CellProps) {
  const of = String(value ?? "") as keyof typeof missingMarks;
  return of in missingMarks ? <StateTag word={missingWords[of]} mark={missingMarks[of]} plain /> : <Nothing />;
}

export const transitCells: Cells = { disinfectionUntil: CertificateEnd, missing: Missing };

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

/** The mean weight of a head, as precise as it is used. */
const MeanWeight = ({ value }: CellProps) =>
  isNone(value) ? <Nothing /> : <span className="num">{exactText(Math.round(Number(value) / 100), 1, 1)} kg</span>;
export const weighingCells: Cells = { meanGrams: MeanWeight };

export const arrivalCells: Cells = { differenceShare: Difference };

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
      {yuanText(Math.abs(difference))}
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

export const termCells: Cells = { leftHeads: Left, pricePerKg: AgreedPrice, againstFen: AgainstMarket };

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

/** The best bid of a lot, and the own place. */
function Best({ row, value }: CellProps) {
  const t = useTranslate();
  const own = useOwnDeposits().get(row.id);
  if (isNone(value)) return <Nothing />;
  return (
    <span className={styles.line}>
      <span className="num">
        {yuanText(Number(value))} {t("元/kg")}
      </span>
      {own && !isNone(own.place) && <small>{t("您第 {place}", { place: Number(own.place) })}</small>}
    </span>
  );
}

/** How the own deposit stands, or what one would be. */
function OwnDeposit({ row, value }: CellProps) {
  const t = useTranslate();
  const own = useOwnDeposits().get(row.id);
  const face = own && deposits.process.states[String(own.state) as keyof typeof deposits.process.states];
  if (face) return <StateTag {...face} plain />;
  return (
    <span className="num mut">
      {yuanText(Number(value))} {t("元/头")}
    </span>
  );
}

/** When bidding ends; before it when it begins. */
function BidTime({ row, value }: CellProps) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const isAhead = row.state === "announced";
  const time = dayTime(parseWireDateTime(String((isAhead ? row.opensAt : value) ?? "")));
  return <span className="num">{isAhead ? t("{time} 开始", { time }) : time}</span>;
}

export const lotCells: Cells = { bestPerKg: Best, depositFen: OwnDeposit, endsAt: BidTime };

/** Which place a bid has. */
function Place({ value }: CellProps) {
  const t = useTranslate();
  return isNone(value) ? <Nothing /> : <span className="num">{t("第 {place} 名", { place: Number(value) })}</span>;
}
export const depositCells: Cells = { place: Place };

/** What comes next for an order: what the reader has to do is a button. */
function Next({ row, value }: CellProps) {
  const t = useTranslate();
  const { word, isOwn, way } = useNextWay(row);
  if (word === undefined) return <Nothing />;
  return (
    <span className={styles.line}>
      {isOwn && way ? (
        <Link className="btn small" to={way.to} onClick={(event) => event.stopPropagation()}>
          {t(way.word)}
        </Link>
      ) : isOwn ? (
        <b>{t(word)}</b>
      ) : (
        <span className="mut">{t(word)}</span>
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
  const isLate = day < today && ["confirmed", "loading"].includes(String(row.state));
  return (
    <span className={styles.line}>
      <span className="num">{day}</span>
      {isLate && (
        <span className="state critical">
          <Mark name="critical" />
          {t("过了装车日")}
        </span>
      )}
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
      <Money fen={Number(isFinal ? row.finalFen : value)} out={false} />
      {!isFinal && <small>{t("预估")}</small>}
    </span>
  );
}

/** What is owed; of a cancelled order what is paid back. */
const Due = ({ row, value }: CellProps) =>
  row.state === "cancelled" && isNone(String(value)) ? <Nothing /> : <OpenAmount value={value} />;

/** Since when something is late, and for how many days. */
function LateSince({ value }: CellProps) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const days = daysSince(value);
  return (
    <span className={styles.line}>
      <span className="num">{dayTime(parseWireDateTime(String(value ?? "")))}</span>
      {days > 0 && (
        <span className="state major num">
          <Mark name="major" />
          {t("晚了 {days} 天", { days })}
        </span>
      )}
    </span>
  );
}
export const abnormalCells: Cells = { since: LateSince, dueFen: OpenAmount };

export const orderCells: Cells = { next: Next, day: LoadingDay, expectedFen: Total, dueFen: Due };
