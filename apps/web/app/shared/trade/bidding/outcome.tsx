import { lotOffers, orders } from "@herdwise/contract";
import { Link } from "react-router";
import { parseWireDateTime } from "../../language/format.ts";
import { StateTag } from "../../process/state-tag.tsx";
import styles from "./room.module.css";
import { depositText, placeText } from "./room-board.tsx";
import { dayClock } from "./room-clock.ts";
import { hasWon, useRoomWords } from "./room-words.ts";
import type { Shown } from "./standing.ts";

/** What came of the lot for the customer, and what is next. */
export function Outcome({ view }: { view: Shown }) {
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
