import type { WorkOrder } from "@herdwise/contract";
import { Link } from "react-router";
import { parseWireDateTime } from "../language/format.ts";
import { Translated, TranslatedLine } from "../language/translated.tsx";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import processStyles from "../process/process.module.css";
import { StateTag } from "../process/state-tag.tsx";
import { useNow } from "../states/use-now.ts";
import { LateTag, OrderState, Stars } from "./order-state.tsx";
import { categoryWord, oneOfType, repairWord } from "./words.ts";
import styles from "./work-orders.module.css";

interface OrderListProps {
  orders: readonly WorkOrder[];
  /** Where an order is opened. */
  linkOf: (order: WorkOrder) => string;
  /** The reader is a customer; else one of the desk. */
  ofCustomer: boolean;
}

const soonMs = 86_400_000;

/** Colour of a due time: late, within a day, or plain. */
function dueTone(late: boolean, dueMs: number | undefined, nowMs: number): string {
  if (late) return "state major";
  return dueMs !== undefined && dueMs - nowMs < soonMs ? "state minor" : "";
}

/** Parts of the place that the device's name does not tell. */
const placeBeside = ({ place, deviceName }: WorkOrder): string =>
  place
    .split(" / ")
    .filter((part) => !deviceName.includes(part))
    .join(" / ");

/** Orders, each with where it stands, whose turn it is, and by when. */
export function OrderList({ orders, linkOf, ofCustomer }: OrderListProps) {
  const t = useTranslate();
  const nameOf = useNames();
  const { dayTime } = useFormats();
  const now = useNow();
  const at = (text: string): string => dayTime(parseWireDateTime(text));
  return (
    <ul className={processStyles.rows}>
      {orders.map((order) => {
        const due = order.firstAnswerTime === "" ? order.firstDueTime : order.solveDueTime;
        const open = order.state === "pending" || order.state === "in_process";
        const kind = order.type === "after_sales" ? repairWord(order.repairMode) : categoryWord(order.category);
        const place = placeBeside(order);
        const answered =
          order.state === "adopted" || order.state === "rejected" ? order.solveTime || order.updateTime : undefined;
        return (
          <li key={order.id}>
            <Link className={styles.row} to={linkOf(order)}>
              <b>
                <Translated text={order.title} />
              </b>
              <span className={styles.tags}>
                <LateTag order={order} />
                {order.urges > 0 && open && (
                  <StateTag mark="minor" word="催过 {count} 次" values={{ count: order.urges }} />
                )}
                <OrderState order={order} ofCustomer={ofCustomer} />
              </span>
              <span className={processStyles.line}>
                <span className="num">{order.number}</span>
                {!ofCustomer && <span>{t(oneOfType[order.type])}</span>}
                <span>{t(kind)}</span>
                {!ofCustomer && (
                  <span>
                    <Translated text={order.customer} />
                  </span>
                )}
                {order.deviceName !== "" && (
                  <span>
                    <Translated text={order.deviceName} />
                  </span>
                )}
                {place !== "" && (
                  <span>
                    <TranslatedLine text={place} />
                  </span>
                )}
                {(order.type !== "suggestion" || open) && (
                  <span>
                    {order.assignee === "" ? t("还没有人接手") : t("{name} 负责", { name: nameOf(order.assignee) })}
                  </span>
                )}
                <span className="num">{t("{time} 提交", { time: at(order.createTime) })}</span>
                {answered !== undefined && <span className="num">{t("{time} 答复", { time: at(answered) })}</span>}
              </span>
              <span className={styles.by}>
                {open && due !== "" && (
                  <span className={`num ${dueTone(order.overdue, parseWireDateTime(due), now)}`}>
                    {t(order.firstAnswerTime === "" ? "{time} 前首次答复" : "{time} 前解决", { time: at(due) })}
                  </span>
                )}
                <Stars rating={order.rating} />
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
