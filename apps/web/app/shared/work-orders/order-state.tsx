import type { WorkOrder } from "@herdwise/contract";
import { useTranslate } from "../language/use-language.ts";
import { StateTag } from "../process/state-tag.tsx";
import { stateWords } from "./words.ts";

/** Where an order stands. @param ofCustomer the reader is the customer who is waited for */
export function OrderState({ order, ofCustomer }: { order: Pick<WorkOrder, "state">; ofCustomer: boolean }) {
  const { word, mark } = stateWords[order.state];
  return <StateTag mark={mark} word={ofCustomer && order.state === "waiting_customer" ? "等您答复" : word} />;
}

/** What is late with an order; nothing where nothing is. */
export function LateTag({ order }: { order: Pick<WorkOrder, "overdue" | "firstAnswerTime"> }) {
  if (!order.overdue) return null;
  return <StateTag mark="major" word={order.firstAnswerTime === "" ? "首次答复超时" : "解决超时"} />;
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
