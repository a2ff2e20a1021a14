import {
  arrivalWeighings,
  declarations,
  deposits,
  invoices,
  lots,
  notes,
  type OrderView,
  orders,
  type ProcessSteps,
  passportPath,
  payments,
  plans,
  saleCategories,
  settlements,
  transits,
  weighings,
} from "@herdwise/contract";
import { yuanText } from "@herdwise/contract/money";
import { permissionOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import { Link } from "react-router";
import { asApiError } from "../api/api-error.ts";
import { contractPaths } from "../contracts/words.ts";
import { Mark } from "../icons/mark.tsx";
import { QrPicture } from "../kit/qr-picture.tsx";
import { ScrollTable } from "../kit/scroll-table.tsx";
import { TableSkeleton } from "../kit/table-skeleton.tsx";
import { parseWireDateTime } from "../language/format.ts";
import { Translated } from "../language/translated.tsx";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { useOne, useOneOf } from "../language/use-one.ts";
import { HistoryLines } from "../process/history-lines.tsx";
import { StateTag } from "../process/state-tag.tsx";
import { useSteps } from "../process/use-steps.ts";
import type { Row } from "../resource/form-values.ts";
import { useAccess } from "../session/access-context.ts";
import { LoadingProblem } from "../states/loading-problem.tsx";
import styles from "./order-detail.module.css";
import { PayButton } from "./pay-online.tsx";
import { SettlementPart } from "./settlement-part.tsx";
import { isUnsettled, kg, meanKg } from "./trade-figures.ts";
import { useNextWay } from "./use-next-way.ts";
import { useOrderView } from "./use-order-view.ts";
import { VehicleMatrix } from "./vehicle-matrix.tsx";
import { VehicleHead, VehicleRow } from "./vehicle-table.tsx";
import { Arrivals, WeighingTickets } from "./weight-parts.tsx";

const stepNames = [
  ["planned", "计划发布"],
  ["paid", "预付款到账"],
  ["confirmed", "订单确认"],
  ["loading", "装车开始"],
  ["weighed", "过磅完成"],
  ["settled", "结算确认"],
  ["completed", "订单完成"],
] as const;
/** How many steps are taken in each state. */
const stepsTaken: Readonly<Record<string, number>> = {
  waiting_payment: 1,
  confirmed: 3,
  loading: 4,
  weighed: 5,
  settled: 6,
  completed: 7,
};

/** The steps of an order with their times; a cancelled one ends where it was cancelled. */
function Steps({ state, times, payBy }: Pick<OrderView, "state" | "times"> & { payBy: string }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const taken = stepsTaken[state] ?? stepNames.filter(([step]) => times[step] !== "").length;
  const cancelled = state === "cancelled";
  const steps = cancelled
    ? [...stepNames.slice(0, taken), ["cancelled", "订单取消"] as const]
    : (stepNames as readonly (readonly [keyof OrderView["times"], string])[]);
  return (
    <ol className={styles.steps} aria-label={t("订单进度")}>
      {steps.map(([step, name], index) => {
        const isDone = index < taken;
        const isEnd = cancelled && index === taken;
        return (
          <li
            key={step}
            data-done={isDone || undefined}
            data-off={isEnd || undefined}
            aria-current={!isDone && index === taken ? "step" : undefined}
          >
            <i>
              {isDone ? <Mark name="ok" /> : isEnd ? <Mark name="off" /> : <span className="num">{index + 1}</span>}
            </i>
            <b>{t(name)}</b>
            <small className="num">
              {(isDone || isEnd) && times[step] !== ""
                ? dayTime(parseWireDateTime(times[step]))
                : index === taken &&
                  (step === "paid" && payBy !== ""
                    ? t("{time} 前付", { time: dayTime(parseWireDateTime(payBy)) })
                    : t("等待中"))}
            </small>
          </li>
        );
      })}
    </ol>
  );
}

/** What comes next, with the way to do it. */
function NextStep({ row, view }: { row: Row; view: OrderView }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const { word, way } = useNextWay(row);
  if (word === undefined) return null;
  const since = parseWireDateTime(String(row.lateSince ?? ""));
  const due = view.payments.find(({ kind, state }) => state === "awaited" && kind !== "refund");
  return (
    <div className={styles.next}>
      <span>
        {t("下一步")} <b>{t(word)}</b>{" "}
        {since !== undefined && since <= Date.now() && (
          <small className={`num ${styles.whole}`}>{t("应在 {time} 前办完", { time: dayTime(since) })}</small>
        )}
      </span>
      {way && (
        <Link className="btn small" to={way.to}>
          {t(way.word)}
        </Link>
      )}
      {due && <PayButton row={due} target="payment" small />}
    </div>
  );
}

type HistoryEntry = ProcessSteps["lines"][number];

/** Whether the same was done with two vehicles in one go. */
const isSameStep = (one: HistoryEntry, other: HistoryEntry): boolean =>
  (["thing", "event", "actorName", "partyName"] as const).every((name) => one[name] === other[name]) &&
  one.createTime.slice(0, minuteEnd) === other.createTime.slice(0, minuteEnd) &&
  JSON.stringify(one.words) === JSON.stringify(other.words);
/** Plates beside each other; none breaks behind its province. */
const platesText = (plates: readonly string[]): string =>
  plates.map((plate) => plate.replace(/^\p{Script=Han}/u, "$&\u2060")).join(" · ");
/** Length of a time on the wire up to its minute. */
const minuteEnd = 16;

/** What happened to an order and to what belongs to it: when, by whom, and what it came to. */
function Timeline({ view }: { view: OrderView }) {
  const t = useTranslate();
  const oneOf = useOneOf();
  const { data } = useSteps(orders, view.id);
  if (!data) return null;
  const paid = view.payments.find(({ kind, state }) => kind === "prepayment" && state === "done");
  const weighed = view.weighings.filter(({ state }) => state === "confirmed");
  const heads = weighed.reduce((sum, one) => sum + one.heads, 0);
  const sentences: Readonly<Record<string, string | undefined>> = {
    begin: t("{heads} 头，成交价 {price} 元/kg，预估货款 {total} 元", {
      heads: view.heads,
      price: yuanText(view.pricePerKg),
      total: yuanText(view.expectedFen),
    }),
    confirm: paid && t("预付款 {amount} 元", { amount: yuanText(paid.amountFen) }),
    load: view.vehicles.length > 0 ? platesText(view.vehicles.map(({ plate }) => plate)) : undefined,
    weigh:
      heads > 0
        ? t("{count} 车 {heads} 头，净重 {net} kg，每头 {mean} kg", {
            count: weighed.length,
            heads,
            net: kg(view.weighedGrams),
            mean: meanKg(view.weighedGrams / heads),
          })
        : undefined,
    settle: view.settlement && t("货款合计 {total} 元", { total: yuanText(view.settlement.totalFen) }),
  };
  const namedOf = (thing: string): string =>
    oneOf([plans, declarations, lots].find(({ words }) => words.one === thing)?.words ?? { one: thing });
  const plateOf = new Map(view.vehicles.map(({ id, plate }) => [id, plate]));
  const told: (HistoryEntry & { plates: string[] })[] = [];
  // Entries may be written after what they tell: the newest time first.
  for (const line of [...data.lines].sort((one, other) => other.createTime.localeCompare(one.createTime))) {
    const plates = [plateOf.get(line.rowId) ?? []].flat();
    const last = told.at(-1);
    if (last !== undefined && plates.length > 0 && isSameStep(last, line)) last.plates.push(...plates);
    else told.push({ ...line, plates });
  }
  return (
    <div className={styles.part}>
      <h3>{t("经过")}</h3>
      <HistoryLines
        lines={told.map(({ plates, id, thing, event, text, partyName, actorName, words, createTime }) => {
          const sentence = thing === "" ? sentences[event] : platesText(plates);
          const said = typeof words.reason === "string" ? words.reason : "";
          return {
            id,
            createTime,
            text: thing === "" ? <b>{t(text)}</b> : `${namedOf(thing)} · ${t(text)}`,
            note: actorName === "" ? partyName !== "" && t(partyName) : <Translated text={actorName} />,
            body: said,
            ...(sentence && { more: <p className="mut num">{sentence}</p> }),
          };
        })}
      />
    </div>
  );
}

/** What was sold, and by which plan. */
function Plan({ view: { plan, customer, heads, vehicles }, plate }: { view: OrderView; plate: string }) {
  const t = useTranslate();
  const category = saleCategories.find(([value]) => value === plan.category)?.[1] ?? plan.category;
  return (
    <p className={styles.plan}>
      {customer !== "" && (
        <b>
          <Translated text={customer} />
        </b>
      )}
      <span>
        {t(category)} <span className="num">{`${plan.fromKg}–${plan.toKg} kg`}</span>
      </span>
      <span className="num">{t("{count} 头", { count: heads })}</span>
      <span>
        <Translated text={plan.field} />
        {plan.region !== "" && (
          <>
            {" · "}
            <Translated text={plan.region} />
          </>
        )}
      </span>
      <span className="num">{t("{day} 装车", { day: plan.day })}</span>
      <span className="num">{plan.number}</span>
      {/* Until vehicles are registered, the one that was declared. */}
      {vehicles.length === 0 && plate !== "" && (
        <span>
          {t("车牌")} <span lang="zh-CN">{plate}</span>
        </span>
      )}
    </p>
  );
}

/** What the order costs, what was paid, and what is still due. */
function Amounts({ view }: { view: OrderView }) {
  const t = useTranslate();
  const depositWord = useOne(deposits.words);
  const settled = view.settlement?.state === "confirmed" ? view.settlement : undefined;
  const words = payments.fields.kind?.kind === "choice" ? payments.fields.kind.options : [];
  const { states } = payments.process;
  const isOpen = view.dueFen === 0 && isUnsettled(view.state);
  const isPaid = view.dueFen === 0 && !isOpen;
  const total = settled?.totalFen ?? view.expectedFen;
  return (
    <div className={styles.part}>
      <h3>{t("金额")}</h3>
      <div className={styles.amounts}>
        <p className={styles.total}>
          {t(settled ? "货款合计" : "预估货款")}
          <b className="num">
            {yuanText(total)} <small>{t("元")}</small>
          </b>
        </p>
        <dl className={styles.sums}>
          <div>
            <dt>{t("成交价")}</dt>
            <dd className="num">
              {yuanText(view.pricePerKg)} {t("元/kg")}
              {view.contractTerm && (
                <small>
                  {t("按合同 {number}", { number: view.contractTerm.number })}{" "}
                  <Link
                    className="link"
                    to={`${view.customer === "" ? contractPaths.detail : contractPaths.deskDetail}?id=${view.contractTerm.contract}`}
                  >
                    {t("打开合同")}
                  </Link>
                </small>
              )}
            </dd>
          </div>
          {settled && (
            <div>
              <dt>{t("预估货款")}</dt>
              <dd className="num">{yuanText(view.expectedFen)}</dd>
            </div>
          )}
          {view.weighedGrams > 0 && (
            <div>
              <dt>{t("已过磅")}</dt>
              <dd className="num">{kg(view.weighedGrams)} kg</dd>
            </div>
          )}
          {view.depositFen > 0 && (
            <div>
              <dt>
                {depositWord}
                <small>{t(view.state === "waiting_payment" ? "付了预付款就抵货款" : "已抵货款")}</small>
              </dt>
              <dd className="num">{yuanText(view.depositFen)}</dd>
            </div>
          )}
          {view.payments.map(({ id, kind, amountFen, state, bankReference, receivedOn }) => {
            const face = states[state as keyof typeof states];
            return (
              <div key={id}>
                <dt>
                  {t(words?.find(([value]) => value === kind)?.[1] ?? kind)} {face && <StateTag {...face} plain />}
                </dt>
                <dd className="num">
                  {yuanText(kind === "refund" ? -amountFen : amountFen)}
                  {bankReference !== "" && <small>{[receivedOn, bankReference].filter(Boolean).join(" · ")}</small>}
                </dd>
              </div>
            );
          })}
          {view.notes.map(({ id, kind, number, amountFen, reasons, state }) => {
            const face = notes.process.states[state as keyof typeof notes.process.states];
            return (
              <div key={id}>
                <dt>
                  {t(kind === "credit" ? "贷项通知单" : "借项通知单")} {face && <StateTag {...face} plain />}
                </dt>
                <dd className="num">
                  {yuanText(kind === "credit" ? -amountFen : amountFen)}
                  <small>
                    {number} · <Translated text={reasons} />
                  </small>
                </dd>
              </div>
            );
          })}
          <div>
            <dt>{t("已付")}</dt>
            <dd className="num">{yuanText(view.paidFen)}</dd>
          </div>
          <div className={styles.due}>
            <dt>{t(view.dueFen < 0 ? "应退" : isPaid ? "已付清" : "还欠")}</dt>
            <dd className="num">{isOpen ? t("尚未结算") : yuanText(Math.abs(view.dueFen))}</dd>
          </div>
        </dl>
      </div>
    </div>
  );
}

/** The vehicles with their weights. */
function Weighings({ rows }: { rows: OrderView["weighings"] }) {
  const t = useTranslate();
  const { states } = weighings.process;
  if (rows.length === 0) return null;
  const tickets = rows.reduce((sum, one) => sum + one.tickets.length, 0);
  const names = ["毛重", "皮重", "净重", "头数", "每头均重"].map((name) => `${t(name)}${name === "头数" ? "" : " kg"}`);
  return (
    <div className={styles.part}>
      <h3>{t("过磅")}</h3>
      <ScrollTable label={t("过磅")} className={styles.table}>
        <VehicleHead names={names}>
          <th>{t("状态")}</th>
        </VehicleHead>
        <tbody>
          {rows.map(({ id, plate, grossGrams, tareGrams, netGrams, heads, meanGrams, state, source }) => {
            const face = states[state as keyof typeof states];
            const figures = [kg(grossGrams), kg(tareGrams), kg(netGrams), String(heads), meanKg(meanGrams)];
            return (
              <VehicleRow key={id} plate={plate} names={names} figures={figures}>
                <td data-name={t("状态")} className={styles.paper}>
                  <span>
                    {face && <StateTag {...face} plain />}
                    {source !== "scale" && <small>{t("手工")}</small>}
                  </span>
                </td>
              </VehicleRow>
            );
          })}
        </tbody>
      </ScrollTable>
      {tickets > 0 && (
        <details className="fold">
          <summary>{t("地磅磅单 {count}", { count: tickets })}</summary>
          <div className={styles.part}>
            <WeighingTickets rows={rows} />
          </div>
        </details>
      )}
    </div>
  );
}

/** The address of the lot's page with its QR code, to be printed and to go with the vehicle. */
function PassportPart({ passport: { code, version, issueTime } }: { passport: NonNullable<OrderView["passport"]> }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const path = `${passportPath}/${code}`;
  return (
    <div className={styles.part}>
      <h3>{t("批次护照")}</h3>
      <div className={styles.passport}>
        <QrPicture text={`${window.location.origin}${path}`} label={t("批次护照的二维码")} />
        <p>
          {t("谁扫到都能看：来源、免疫用药、舍内环境、洗消和重量，没有人名和价格。")}
          <small className="num">
            {t("第 {version} 版", { version })} · {dayTime(parseWireDateTime(issueTime))}
          </small>
          <a className="link" href={path} target="_blank" rel="noreferrer">
            {t("打开护照")}
          </a>
        </p>
      </div>
    </div>
  );
}

/** Documents of a kind, as so many of them are called. */
function Named({ words, count }: { words: ResourceDeclaration["words"]; count: number }) {
  const t = useTranslate();
  const one = useOne(words);
  return count === 1 ? one : t(words.many);
}

/** The lists of what belongs to the order. */
function Documents({ view }: { view: OrderView }) {
  const t = useTranslate();
  const { user, permissions } = useAccess();
  const lists = [
    [payments, view.payments.length],
    [transits, view.vehicles.length],
    [weighings, view.weighings.length],
    [arrivalWeighings, view.arrivals.length],
    [settlements, view.settlement ? 1 : 0],
    [notes, view.notes.length],
    [invoices, view.invoices.length],
  ] as const;
  const shown = lists.filter(([of, count]) => count > 0 && permissions.has(permissionOf(of, "view")));
  if (shown.length === 0) return null;
  return (
    <div className={styles.part}>
      <h3>{t("单据")}</h3>
      <ul className={styles.documents}>
        {shown.map(([of, count]) => {
          const menu = user.tenant_type === "group" ? of.menu : of.customerMenu;
          return (
            <li key={of.name}>
              <Link className="link" to={`${menu?.path}?f.order=${view.id}`}>
                <Named words={of.words} count={count} /> <span className="num">{count}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** An order in the drawer of its row: where it stands, its money, its weights and its settlement. */
export function OrderDetail({ row }: { row: Row }) {
  const t = useTranslate();
  const { data, error, refetch } = useOrderView(orders, row.id);
  if (error && !data)
    return <LoadingProblem error={asApiError(error)} onRetry={() => void refetch()} what={t(orders.words.one)} />;
  if (!data) return <TableSkeleton rows={6} />;
  return (
    <div className={styles.detail}>
      <Plan view={data} plate={String(row.plate ?? "")} />
      <NextStep row={row} view={data} />
      <Steps {...data} payBy={String(row.payBy ?? "")} />
      <Amounts view={data} />
      <VehicleMatrix vehicles={data.vehicles} weighings={data.weighings} />
      <Weighings rows={data.weighings} />
      <Arrivals rows={data.arrivals} />
      {data.settlement && <SettlementPart settlement={data.settlement} openFen={data.dueFen} />}
      {data.passport && <PassportPart passport={data.passport} />}
      <Documents view={data} />
      <Timeline view={data} />
    </div>
  );
}

/** The lines of a settlement in the drawer of its row; one that is void has none any more. */
export function SettlementDetail({ row }: { row: Row }) {
  const { data } = useOrderView(settlements, String(row.order));
  if (data?.settlement?.id !== row.id) return null;
  return (
    <div className={styles.detail}>
      <SettlementPart settlement={data.settlement} openFen={data.dueFen} />
    </div>
  );
}
