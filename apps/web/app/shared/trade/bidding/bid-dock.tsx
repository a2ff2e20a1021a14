import { orders } from "@herdwise/contract";
import { Link } from "react-router";
import { StateTag } from "../../process/state-tag.tsx";
import { BidButton, BidSaid, Stepper } from "./bid-controls.tsx";
import { DepositPart } from "./deposit-part.tsx";
import styles from "./room.module.css";
import { placeText } from "./room-board.tsx";
import { expectedOf, shortClock, spanText } from "./room-clock.ts";
import { hasWon, useRoomWords } from "./room-words.ts";
import { type CardProps, offerOf, standingOf } from "./standing.ts";
import { useServerNow } from "./use-room.ts";

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
