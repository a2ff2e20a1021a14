import { Icon } from "../../icons/icon.tsx";
import { StateTag } from "../../process/state-tag.tsx";
import { BidButton, BidSaid, Stepper } from "./bid-controls.tsx";
import { DepositPart } from "./deposit-part.tsx";
import { Outcome } from "./outcome.tsx";
import styles from "./room.module.css";
import { expectedOf, fenOf, shortClock } from "./room-clock.ts";
import { useRoomWords } from "./room-words.ts";
import { type CardProps, type Draft, offerOf, type Shown, standingOf } from "./standing.ts";

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
