import type { WorkOrder } from "@herdwise/contract";
import { Mark } from "../icons/mark.tsx";
import { useTranslate } from "../language/use-language.ts";
import { stateWords } from "./words.ts";

/** Where an order stands, in a shape and a word. @param ofCustomer the reader is the customer who is waited for */
export function StateTag({ order, ofCustomer }: { order: Pick<WorkOrder, "state">; ofCustomer: boolean }) {
  const t = useTranslate();
  const { word, mark, tone } = stateWords[order.state];
  return (
    <span className={`tag ${tone}`}>
      <Mark name={mark} />
      {t(ofCustomer && order.state === "waiting_customer" ? "等您答复" : word)}
    </span>
  );
}

/** What is late with an order; nothing where nothing is. */
export function LateTag({ order }: { order: Pick<WorkOrder, "overdue" | "firstAnswerTime"> }) {
  const t = useTranslate();
  if (!order.overdue) return null;
  return (
    <span className="tag major">
      <Mark name="major" />
      {t(order.firstAnswerTime === "" ? "首次答复超时" : "解决超时")}
    </span>
  );
}

/** A rating as stars that are read as words. */
export function Stars({ rating }: { rating: number }) {
  const t = useTranslate();
  if (rating === 0) return null;
  return (
    <span role="img" aria-label={t("{count} 星", { count: rating })} className="num">
      {"★".repeat(rating)}
      {"☆".repeat(5 - rating)}
    </span>
  );
}
