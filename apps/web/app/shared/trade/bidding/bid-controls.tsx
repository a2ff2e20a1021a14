import type { ReactNode } from "react";
import { Refusal } from "../../forms/refusal.tsx";
import { Icon } from "../../icons/icon.tsx";
import { Button } from "../../kit/button.tsx";
import { tellIn } from "../../language/tell.ts";
import { StateTag } from "../../process/state-tag.tsx";
import styles from "./room.module.css";
import { fenOf, shortClock } from "./room-clock.ts";
import { useRoomWords } from "./room-words.ts";
import { type CardProps, offerOf, type Standing, standingOf } from "./standing.ts";
import type { Offer } from "./use-bid.ts";

/** A price with a step less and a step more. */
export function Stepper({
  view: { room },
  draft,
  disabled,
}: Pick<CardProps, "view" | "draft"> & { disabled: boolean }) {
  const { t, price } = useRoomWords();
  const lowest = room.leastPerKg;
  const now = draft.price === "" ? lowest : (fenOf(draft.price) ?? lowest);
  const by = (fen: number): void => draft.change({ price: price(Math.max(lowest, now + fen)) });
  return (
    <div className={styles.stepper}>
      <button
        type="button"
        aria-label={t("减一步")}
        disabled={disabled || now <= lowest}
        onClick={() => by(-room.stepFen)}
      >
        <span aria-hidden="true">−</span>
      </button>
      <input
        id="bid-price"
        inputMode="decimal"
        autoComplete="off"
        aria-label={t("我的出价，元/kg")}
        value={draft.price === "" ? price(lowest) : draft.price}
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
