import { deposits, lotOffers, orders } from "@herdwise/contract";
import { operationOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { type ApiError, asApiError } from "../../api/api-error.ts";
import { Refusal } from "../../forms/refusal.tsx";
import { Icon } from "../../icons/icon.tsx";
import { Button } from "../../kit/button.tsx";
import { parseWireDateTime } from "../../language/format.ts";
import { tellIn } from "../../language/tell.ts";
import { StateTag } from "../../process/state-tag.tsx";
import { ToRealName } from "../../real-name/to-real-name.tsx";
import { callDeclared } from "../../resource/resource-api.ts";
import styles from "./room.module.css";
import { depositText, placeText } from "./room-board.tsx";
import { dayClock, expectedOf, fenOf, isDecided, shortClock, spanText } from "./room-clock.ts";
import { depositFace, hasWon, useRoomWords } from "./room-words.ts";
import type { Bidding, Offer } from "./use-bid.ts";
import { type Room, type RoomView, useServerNow } from "./use-room.ts";

interface Shown extends Omit<RoomView, keyof Room>, Room {
  /** Others of the customer may look on. */
  mayBid: boolean;
}
export interface CardProps {
  view: Shown;
  bidding: Bidding;
  /** What the person is about to bid. */
  draft: Draft;
  narrow: boolean;
}

/** A price and a secret limit as they are typed; "" is what the lot asks at least. */
export interface Draft {
  price: string;
  limit: string;
  change: (values: { price?: string; limit?: string }) => void;
}

/** Where the customer of a room stands with it: what can be done is decided here, once, for the card and for the bar of a phone. */
export type Standing = "decided" | "looks" | "no_deposit" | "before" | "over" | "lost" | "leads" | "bids";

export function standingOf({ room, phase, lost, mayBid }: Pick<Shown, "room" | "phase" | "lost" | "mayBid">): Standing {
  if (isDecided(phase)) return "decided";
  if (!mayBid) return "looks";
  if (phase === "over") return "over";
  if (room.own.deposit !== "held") return "no_deposit";
  if (lost) return "lost";
  if (phase === "before") return "before";
  return room.own.place === 1 ? "leads" : "bids";
}

/** What is offered by a draft; a problem where it can't be. */
export function offerOf(
  { room }: Pick<Room, "room">,
  { price, limit }: Pick<Draft, "price" | "limit">,
  leads: boolean,
): { fenPerKg: number; offer: Offer; problem?: string; values?: Readonly<Record<string, string>> } {
  const least = room.leastPerKg;
  const typed = price === "" ? least : fenOf(price);
  const most = limit === "" ? undefined : fenOf(limit);
  const text = (fen: number): string => (fen / 100).toFixed(2);
  const held = Math.max(room.own.limitPerKg ?? 0, room.bestPerKg ?? 0);
  if (leads) {
    const offer = { ...(most !== undefined && { limitFenPerKg: most }) };
    if (most === undefined)
      return { fenPerKg: least, offer, problem: limit === "" ? "填一个最高限价" : "按 14.75 这样填价格" };
    return most > held
      ? { fenPerKg: most, offer }
      : { fenPerKg: most, offer, problem: "最高限价要高于 {least} 元/kg", values: { least: text(held) } };
  }
  const fenPerKg = typed ?? least;
  const offer = { fenPerKg, ...(most !== undefined && { limitFenPerKg: most }) };
  if (typed === undefined || (limit !== "" && most === undefined))
    return { fenPerKg, offer, problem: "按 14.75 这样填价格" };
  if (typed < least) return { fenPerKg, offer, problem: "出价至少 {least} 元/kg", values: { least: text(least) } };
  if (most !== undefined && most < typed) return { fenPerKg, offer, problem: "最高限价不能低于出价" };
  return { fenPerKg, offer };
}

/** A price with a step less and a step more. */
export function Stepper({
  view: { room },
  draft,
  disabled,
}: Pick<CardProps, "view" | "draft"> & { disabled: boolean }) {
  const { t, price } = useRoomWords();
  const least = room.leastPerKg;
  const now = draft.price === "" ? least : (fenOf(draft.price) ?? least);
  const by = (fen: number): void => draft.change({ price: price(Math.max(least, now + fen)) });
  return (
    <div className={styles.stepper}>
      <button
        type="button"
        aria-label={t("减一步")}
        disabled={disabled || now <= least}
        onClick={() => by(-room.stepFen)}
      >
        <span aria-hidden="true">−</span>
      </button>
      <input
        id="bid-price"
        inputMode="decimal"
        autoComplete="off"
        aria-label={t("我的出价，元/kg")}
        value={draft.price === "" ? price(least) : draft.price}
        readOnly={disabled}
        onChange={({ target }) => draft.change({ price: target.value })}
        onFocus={({ target }) => target.select()}
      />
      <button type="button" aria-label={t("加一步")} disabled={disabled} onClick={() => by(room.stepFen)}>
        <Icon name="plus" small />
      </button>
    </div>
  );
}

/** The button that bids; its words say what the next press does, or why it does nothing. */
export function BidButton({ view, bidding, draft, short = false }: Omit<CardProps, "narrow"> & { short?: boolean }) {
  const { t, price } = useRoomWords();
  const { room } = view;
  const standing = standingOf(view);
  const leads = standing === "leads";
  const { offer, fenPerKg, problem } = offerOf(view, draft, leads);
  const { state } = bidding;
  const isBusy = state.kind === "sending" || state.kind === "unanswered";
  const why: Partial<Record<Standing, string>> = {
    lost: t("断线时不能出价，正在重连"),
    before: t("{time} 开始后可出价", { time: shortClock(room.opensMs) }),
    over: t("已截止，等结果"),
  };
  const name =
    why[standing] ??
    (state.kind === "sending"
      ? t("已发送，等待受理")
      : state.kind === "unanswered"
        ? t("没有收到答复，正在核对")
        : state.kind === "armed"
          ? t("再按一次确认 {price}", { price: price(fenPerKg) })
          : leads
            ? t(short && draft.limit === "" ? "您领先，不用再出价" : "提高最高限价")
            : t("出价 {price} 元/kg", { price: price(fenPerKg) }));
  return (
    <Button
      kind="primary"
      isDisabled={why[standing] !== undefined || isBusy || problem !== undefined}
      onPress={() => bidding.press(offer)}
    >
      {name}
    </Button>
  );
}

/** Begins a deposit, and says what its state waits for. */
export function DepositPart({ view, short = false }: { view: Shown; short?: boolean }) {
  const words = useRoomWords();
  const { t, money } = words;
  const { room } = view;
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<ApiError>();
  const { deposit } = room.own;
  const face = depositFace(deposit);
  const begin = async (): Promise<void> => {
    setBusy(true);
    setRefused(undefined);
    await callDeclared(operationOf(deposits as ResourceDeclaration, "submit"), {
      body: { lot: room.lot },
      quiet: true,
    }).catch((reason: unknown) => setRefused(asApiError(reason)));
    await view.reload();
    setBusy(false);
  };
  const said: Readonly<Record<string, string>> = {
    "": t("先缴保证金 {money} 元，到账复核后就能出价。没有中标会原路退回。", { money: money(room.depositFen) }),
    awaited: t("请把 {money} 元转到集团账户，附言写保证金编号。销售登记、复核后这里就能出价。", {
      money: money(room.depositFen),
    }),
    recorded: t("转账已登记，等第二个人复核，一般几分钟。"),
  };
  const isMissing = deposit === "" || deposit === "void";
  return (
    <div className={short ? styles.depositShort : styles.deposit}>
      {!short && (
        <>
          {face && !isMissing ? <StateTag {...face} plain /> : <StateTag word="还没有缴保证金" mark="minor" plain />}
          <p>{said[isMissing ? "" : deposit] ?? depositText(room, words)}</p>
        </>
      )}
      {isMissing ? (
        <Button kind="primary" isDisabled={busy || view.lost} onPress={() => void begin()}>
          {t("缴保证金 {money} 元", { money: money(room.depositFen) })}
        </Button>
      ) : (
        <Link className="btn" to={`${deposits.customerMenu?.path}?f.lot=${room.lot}`}>
          {short && face ? `${t("保证金")}：${t(face.word)}` : t("看保证金")}
        </Link>
      )}
      {refused && (
        <p>
          <Refusal text={tellIn(t, refused)} /> {refused.reason.endsWith(".not_authenticated") && <ToRealName />}
        </p>
      )}
    </div>
  );
}

/** What the bid on the screen would cost. */
function Cost({ view: { room }, fenPerKg }: { view: Shown; fenPerKg: number }) {
  const { t, money, heads } = useRoomWords();
  const total = expectedOf(room, fenPerKg);
  const kg = (room.heads * (room.fromKg + room.toKg)) / 2;
  return (
    <dl className={styles.cost}>
      <div>
        <dt>
          {t("预估重量")}
          <small>{`${heads(room.heads)} × ${(room.fromKg + room.toKg) / 2} kg`}</small>
        </dt>
        <dd>{`${kg.toLocaleString("en-US")} kg`}</dd>
      </div>
      <div>
        <dt>{t("预估货款")}</dt>
        <dd>{t("{money} 元", { money: money(total) })}</dd>
      </div>
      <div>
        <dt>{t("抵扣保证金")}</dt>
        <dd>{t("{money} 元", { money: `−${money(room.depositFen)}` })}</dd>
      </div>
      <div className={styles.due}>
        <dt>{t("中标后应付")}</dt>
        <dd>{t("{money} 元", { money: money(total - room.depositFen) })}</dd>
      </div>
    </dl>
  );
}

/** After the first press: how the sum comes about that the second one stands for. */
function ArmedSum({ view: { room }, bidding: { state } }: Pick<CardProps, "view" | "bidding">) {
  const { t, price, money, heads } = useRoomWords();
  const fen = state.kind === "armed" ? state.offer.fenPerKg : undefined;
  if (fen === undefined) return null;
  return (
    <p className={styles.armed} role="status">
      {t("{heads} × {kg} kg × {price} = {money} 元", {
        heads: heads(room.heads),
        kg: (room.fromKg + room.toKg) / 2,
        price: price(fen),
        money: money(expectedOf(room, fen)),
      })}
    </p>
  );
}

/** What became of the last press. */
export function BidSaid({ bidding: { state } }: Pick<CardProps, "bidding">) {
  const { t, price } = useRoomWords();
  const of = (offer: Offer): string => price(offer.fenPerKg ?? offer.limitFenPerKg ?? 0);
  let said: ReactNode = null;
  if (state.kind === "taken")
    said = (
      <>
        {state.offer.fenPerKg === undefined ? (
          <StateTag word="最高限价改为 {price}" values={{ price: of(state.offer) }} mark="ok" plain />
        ) : (
          <StateTag word="{price} 已受理" values={{ price: of(state.offer) }} mark="ok" plain />
        )}
        <span className="mut">
          {state.tookMs === undefined ? t("从房间核对到的") : t("用时 {ms} ms", { ms: state.tookMs })}
        </span>
      </>
    );
  else if (state.kind === "unanswered")
    said = (
      <StateTag
        word="{price} 已发出，没有收到答复，正在向房间核对，不会再发一次"
        values={{ price: of(state.offer) }}
        mark="notice"
        plain
      />
    );
  else if (state.kind === "missing")
    said = <StateTag word="{price} 没有受理，可以重新出价" values={{ price: of(state.offer) }} mark="minor" plain />;
  return (
    <div className={styles.said} role="status">
      {said}
      {state.kind === "refused" && <Refusal text={tellIn(t, state.problem)} />}
    </div>
  );
}

/** The own secret limit, which nobody else is shown. */
function LimitPart({
  view: { room },
  draft,
  leads,
  disabled,
}: {
  view: Shown;
  draft: Draft;
  leads: boolean;
  disabled: boolean;
}) {
  const { t, price } = useRoomWords();
  const held = room.own.limitPerKg;
  const field = (
    <>
      <p className={styles.fine} id="bid-limit-says">
        {t("有人超过时，系统替您每次只加一步，到这个价为止。只有自己看得见。")}
        {held !== undefined && ` ${t("现在是 {price}。", { price: price(held) })}`}
      </p>
      <input
        className="input num"
        aria-label={t("最高限价，元/kg")}
        aria-describedby="bid-limit-says"
        inputMode="decimal"
        autoComplete="off"
        placeholder={held === undefined ? t("不设") : price(held)}
        value={draft.limit}
        readOnly={disabled}
        onChange={({ target }) => draft.change({ limit: target.value })}
      />
    </>
  );
  if (leads) return <div className={styles.limit}>{field}</div>;
  return (
    <details className={styles.limit} open={draft.limit !== "" || undefined}>
      <summary>
        <Icon name="lock" small /> {t("最高限价（可不填）")}
        {held !== undefined && <b className="num">{price(held)}</b>}
      </summary>
      {field}
    </details>
  );
}

/** What came of the lot for the customer, and what is next. */
function Outcome({ view }: { view: Shown }) {
  const words = useRoomWords();
  const { t, money } = words;
  const { room, phase } = view;
  const { own } = room;
  const { order } = own;
  const list = (
    <Link className="btn" to={lotOffers.menu.path}>
      {t("看别的场次")}
    </Link>
  );
  if (order && hasWon(room)) {
    const payBy = dayClock(parseWireDateTime(order.payBy) ?? 0);
    const waits = order.state === "waiting_payment";
    const face = orders.process.states[order.state as keyof typeof orders.process.states];
    return (
      <div className={styles.body}>
        {own.place > 1 && <StateTag word="中标人没有付款，按您的出价轮到您" mark="notice" plain />}
        <ol className={styles.steps}>
          <li>
            <b>{waits ? t("付 {money} 元", { money: money(order.prepaymentFen) }) : t("已付款")}</b>
            <span>
              {!waits
                ? face && t(face.word)
                : own.deposit === "held"
                  ? t("{time} 前，保证金已抵扣", { time: payBy })
                  : t("{time} 前", { time: payBy })}
            </span>
          </li>
          <li>
            <b>{t("登记车辆和司机")}</b>
            <span>{t("洗消证在装车时要有效")}</span>
          </li>
          <li>
            <b>{t("{day} 装车", { day: room.day })}</b>
            <span>{t("按过磅净重和体重段结算")}</span>
          </li>
        </ol>
        <div className={styles.tall}>
          <Link className="btn primary" to={`${orders.customerMenu?.path}?row=${order.id}`}>
            {waits ? t("去订单付款") : t("看订单")}
          </Link>
        </div>
        <p className={styles.fine}>
          {t("订单")} <span className="num">{order.number}</span>
        </p>
      </div>
    );
  }
  const gap = placeText(room, words);
  const says =
    phase === "failed"
      ? t("这一场没有成交。")
      : phase === "withdrawn"
        ? t("这一场撤回了。")
        : order
          ? t("订单没有按时付款，已取消，头数给了下一名。")
          : own.place > 0
            ? t("没有中标。中标人不付款时，会按您的出价轮到您，到时发消息。")
            : t("这一场已经成交。");
  return (
    <div className={styles.body}>
      {phase === "awarded" && own.place > 0 && <StateTag word={order ? "订单已取消" : "未中标"} mark="off" plain />}
      {phase === "awarded" && gap && !order && <p className={styles.place}>{gap}</p>}
      <p>{says}</p>
      {own.deposit !== "" && own.deposit !== "void" && (
        <p className={styles.fine}>
          {t("保证金 {money} 元：", { money: money(room.depositFen) })}
          {depositText(room, words)}
        </p>
      )}
      <div className={styles.tall}>{list}</div>
    </div>
  );
}

const titles: Readonly<Record<string, string>> = {
  decided: "接下来",
  over: "已截止",
  no_deposit: "保证金",
  leads: "您领先",
};

/** Bidding, or what stands before it and what came of it. */
export function BidCard({ view, bidding, draft, narrow }: CardProps) {
  const { t, price } = useRoomWords();
  const { room } = view;
  const standing = standingOf(view);
  const leads = standing === "leads";
  const { fenPerKg, problem, values } = offerOf(view, draft, leads);
  const disabled = standing === "lost" || standing === "over";
  const isForm = standing !== "decided" && standing !== "no_deposit" && standing !== "looks";
  const chips = [
    [t("最低可出"), room.leastPerKg],
    [t("加 {count} 步", { count: 2 }), room.leastPerKg + 2 * room.stepFen],
    [t("加 {count} 步", { count: 5 }), room.leastPerKg + 5 * room.stepFen],
  ] as const;
  const chosen = draft.price === "" ? room.leastPerKg : fenOf(draft.price);
  return (
    <section className={`card ${styles.bid}`} aria-labelledby="room-bid">
      <header>
        <h2 id="room-bid">{t(titles[standing] ?? "出价")}</h2>
        <span className="spacer" />
        {isForm && <span className="mut num">{t("加价幅度 {price} 元/kg", { price: price(room.stepFen) })}</span>}
      </header>
      {standing === "decided" && <Outcome view={view} />}
      {standing === "no_deposit" && <DepositPart view={view} />}
      {standing === "looks" && (
        <p className={styles.body}>{t("您可以看，不能出价。要出价，请企业主给您“竞价保证金”的编辑权限。")}</p>
      )}
      {isForm && (
        <div className={styles.body}>
          {leads && (
            <p className={styles.leads}>
              <StateTag word="您领先，不用再出价" mark="ok" plain />
              <span>{t("自己不能超过自己。可以设或提高最高限价，有人超过时替您加价。")}</span>
            </p>
          )}
          {standing === "before" && (
            <p className={styles.leads}>
              <StateTag word="保证金已缴" mark="ok" plain />
              <span>{t("可以先试算，{time} 开始后才能出价。", { time: shortClock(room.opensMs) })}</span>
            </p>
          )}
          {!leads && (
            <>
              {!narrow && (
                <div className={styles.own}>
                  <label htmlFor="bid-price">{t("我的出价，元/kg")}</label>
                  <Stepper view={view} draft={draft} disabled={disabled} />
                </div>
              )}
              <fieldset className={styles.chips} aria-label={t("选一个价")}>
                {chips.map(([name, fen]) => (
                  <button
                    key={fen}
                    type="button"
                    aria-pressed={fen === chosen}
                    disabled={disabled}
                    onClick={() => draft.change({ price: fen === room.leastPerKg ? "" : price(fen) })}
                  >
                    <span>{name}</span>
                    <b className="num">{price(fen)}</b>
                  </button>
                ))}
              </fieldset>
            </>
          )}
          <LimitPart view={view} draft={draft} leads={leads} disabled={disabled} />
          {!leads && <Cost view={view} fenPerKg={fenPerKg} />}
          {problem !== undefined && (!leads || draft.limit !== "") && (
            <p className={styles.problem} role="alert">
              {t(problem, values)}
            </p>
          )}
          {!narrow && (
            <div className={styles.tall}>
              <BidButton view={view} bidding={bidding} draft={draft} />
            </div>
          )}
          <ArmedSum view={view} bidding={bidding} />
          <p className={styles.fine}>{t("按两次确认，受理后不能撤回。最终按过磅净重和体重段结算。")}</p>
          {!narrow && <BidSaid bidding={bidding} />}
        </div>
      )}
    </section>
  );
}

/** The bar of a phone: what is needed to bid, within reach of a thumb. */
export function BidDock({ view, bidding, draft }: Omit<CardProps, "narrow">) {
  const words = useRoomWords();
  const { t, money } = words;
  const now = useServerNow(view.clock);
  const { room, phase, lost } = view;
  const standing = standingOf(view);
  const leads = standing === "leads";
  const { fenPerKg } = offerOf(view, draft, leads);
  const { own } = room;
  const { order } = own;
  const won = order !== undefined && hasWon(room);
  if (standing === "looks" || (standing === "decided" && !won)) return null;
  const time =
    phase === "before"
      ? [spanText(room.opensMs - now), t("后开始")]
      : standing === "decided"
        ? [money(order?.prepaymentFen ?? 0), t("元")]
        : standing === "over"
          ? [t("正在定标"), ""]
          : [spanText(room.endsMs - now), lost ? t("至少") : t("结束 {time}", { time: shortClock(room.endsMs) })];
  return (
    <section className={styles.dock} aria-label={t("出价栏")}>
      <p className={styles.dockLine}>
        <span>
          <b className="num">{time[0]}</b> <span className="mut">{time[1]}</span>
        </span>
        {lost ? (
          <StateTag word="断线" mark="off" plain />
        ) : won ? (
          <StateTag word="中标" mark="ok" plain />
        ) : own.place > 1 ? (
          <span className="state major">{placeText(room, words)}</span>
        ) : own.place === 1 ? (
          <StateTag word={phase === "over" ? "暂列第 {place} 位" : "您领先"} values={{ place: 1 }} mark="ok" plain />
        ) : null}
      </p>
      {standing === "decided" && order ? (
        <div className={styles.tall}>
          <Link className="btn primary" to={`${orders.customerMenu?.path}?row=${order.id}`}>
            {order.state === "waiting_payment" ? t("去订单付款") : t("看订单")}
          </Link>
        </div>
      ) : standing === "no_deposit" ? (
        <DepositPart view={view} short />
      ) : standing === "bids" ? (
        <>
          <div className={styles.dockRow}>
            <Stepper view={view} draft={draft} disabled={false} />
            <BidButton view={view} bidding={bidding} draft={draft} />
          </div>
          <p className={styles.fine}>
            {bidding.state.kind === "armed"
              ? t("{heads} × {kg} kg × {price} = {money} 元", {
                  heads: words.heads(room.heads),
                  kg: (room.fromKg + room.toKg) / 2,
                  price: words.price(fenPerKg),
                  money: money(expectedOf(room, fenPerKg)),
                })
              : t("约 {money} 元，按两次确认，受理后不能撤回", { money: money(expectedOf(room, fenPerKg)) })}
          </p>
        </>
      ) : (
        <div className={styles.tall}>
          <BidButton view={view} bidding={bidding} draft={draft} short />
        </div>
      )}
      {standing === "bids" && <BidSaid bidding={bidding} />}
    </section>
  );
}
