import { Mark } from "../../icons/mark.tsx";
import { type Formats, parseWireDateTime } from "../../language/format.ts";
import { useFormats } from "../../language/use-language.ts";
import { StateTag } from "../../process/state-tag.tsx";
import { Age } from "../../states/age.tsx";
import styles from "./room.module.css";
import {
  clockText,
  dayClock,
  endByBid,
  extensionsLeft,
  isDecided,
  type Phase,
  shortClock,
  spanText,
} from "./room-clock.ts";
import { depositFace, hasWon, type RoomWords, useRoomWords } from "./room-words.ts";
import { type Room, type RoomView, useServerNow } from "./use-room.ts";

/** A browser's clock that is wrong by more is said to be. */
const driftShownMs = 2000;

type Shown = Room & Pick<RoomView, "phase" | "clock" | "stream" | "lost" | "heardMs">;

/** The price of a room, and what it is. */
export function priceOf({ room }: Pick<Room, "room">, phase: Phase): { fen: number; name: string } {
  const { bestPerKg, reservePerKg, own } = room;
  if (phase === "awarded") return { fen: (hasWon(room) ? own.pricePerKg : bestPerKg) ?? reservePerKg, name: "成交价" };
  if (bestPerKg === undefined || phase === "failed" || phase === "withdrawn")
    return { fen: reservePerKg, name: "起拍价" };
  return { fen: bestPerKg, name: phase === "over" ? "截止时最高" : "当前最高" };
}

/** Where oneself stands: a tag beside the price. */
function OwnTag({ room, phase }: { room: Room["room"]; phase: Phase }) {
  const { place } = room.own;
  if (place === 0 || isDecided(phase)) return null;
  if (phase === "over") return <StateTag word="暂列第 {place} 位" values={{ place }} mark="notice" />;
  return place === 1 ? <StateTag word="您领先" mark="ok" /> : <StateTag word="您被超过了" mark="major" />;
}

/** The own place in words, and how far it is from the next. */
export function placeText({ ranking, own }: Room["room"], { t, price }: RoomWords): string | undefined {
  const mine = own.pricePerKg;
  if (own.place === 0 || mine === undefined) return undefined;
  const [first, second] = ranking;
  if (own.place > 1)
    return t("我第 {place} 位，差 {gap}", { place: own.place, gap: price((first?.fenPerKg ?? mine) - mine) });
  return second === undefined
    ? t("我第 1 位，没有别人出价")
    : t("我第 1 位，领先 {gap}", { gap: price(mine - second.fenPerKg) });
}

/** The bids of a lot in a sentence. */
const countText = ({ room: { ranking, lastSeq, struck } }: Room, { t }: RoomWords): string =>
  lastSeq === 0
    ? t("还没有人出价")
    : t("{bidders} 家出价，{count} 口", { bidders: ranking.length, count: lastSeq - struck.length });

/** The best price in figures that are read across a room. */
function Price({ room, entries, phase }: Room & { phase: Phase }) {
  const words = useRoomWords();
  const { t, price, bidder, time } = words;
  const { fen, name } = priceOf({ room }, phase);
  const { own } = room;
  const lead = entries.findLast(
    ({ fenPerKg, bidder: by }) => fenPerKg !== undefined && fenPerKg === room.bestPerKg && by !== own.bidder,
  );
  const mine = entries.findLast(({ bidder: by, fenPerKg }) => by === own.bidder && fenPerKg === own.pricePerKg);
  return (
    <div className={styles.price}>
      <div className={styles.row}>
        <h2>{t(name)}</h2>
        <OwnTag room={room} phase={phase} />
      </div>
      <p className={styles.big}>
        {price(fen)}
        <small>{t("元/kg")}</small>
      </p>
      {own.place > 0 && <p className={styles.place}>{placeText(room, words)}</p>}
      <p className={styles.under}>
        {own.pricePerKg !== undefined && mine
          ? own.place > 1 && lead
            ? t("我 {price}，{bidder}于 {time} 超过", {
                price: price(own.pricePerKg),
                bidder: bidder(lead.bidder, own.bidder),
                time: time(lead.atMs),
              })
            : t("我 {price}，{time} 受理", { price: price(own.pricePerKg), time: time(mine.atMs) })
          : countText({ room, entries }, words)}
      </p>
    </div>
  );
}

/** How far the time of a lot is. */
function Line({ room, now, phase, lost }: { room: Room["room"]; now: number; phase: Phase; lost: boolean }) {
  const { t } = useRoomWords();
  const { opensMs, endsMs, softCloseMinutes } = room;
  const softMs = softCloseMinutes * 60_000;
  const soft = phase === "soft";
  const from = soft ? endsMs - softMs : opensMs;
  const part = Math.min(1, Math.max(0, (now - from) / (endsMs - from)));
  const left = soft ? part : Math.max(0, 1 - softMs / (endsMs - from));
  return (
    <>
      <div className={styles.line} aria-hidden="true">
        <i style={{ width: `${left * 100}%` }} />
        <u style={{ left: `${part * 100}%` }} />
      </div>
      <p className={styles.ends}>
        <span>{soft ? t("最后 {minutes} 分钟", { minutes: softCloseMinutes }) : shortClock(opensMs)}</span>
        <span>{t(lost ? "最早结束 {time}" : "结束 {time}", { time: clockText(endsMs) })}</span>
      </p>
    </>
  );
}

/** What a bid of this moment does to the end. */
function effectText(room: Room["room"], now: number, { t }: RoomWords): string {
  const { softCloseMinutes: minutes, endsMs, extensions } = room;
  const most = extensions + extensionsLeft(room);
  if (extensionsLeft(room) === 0) return t("已经延长 {count} 次，不会再延长。", { count: extensions });
  const end = endByBid(room, now);
  if (end)
    return t("此刻出价，结束延到 {time}，第 {count}/{most} 次。", {
      time: clockText(end.endsMs),
      count: end.extensions,
      most,
    });
  return t("{time} 以后有人出价，结束延到出价后 {minutes} 分钟。", {
    time: clockText(endsMs - minutes * 60_000),
    minutes,
  });
}

const leftWords = ["剩余", "剩余，至少"] as const;

function Running({ view, now }: { view: Shown; now: number }) {
  const words = useRoomWords();
  const { t } = words;
  const { room, phase, lost, heardMs } = view;
  return (
    <>
      <div className={styles.row}>
        <h2>{t(leftWords[lost ? 1 : 0])}</h2>
        {lost ? (
          <span className="state off">
            <Mark name="off" />
            {t("{time} 的数据", { time: clockText(heardMs) })}
          </span>
        ) : room.extensions > 0 ? (
          <StateTag word="已延长 {count} 次" values={{ count: room.extensions }} mark="minor" plain />
        ) : (
          <span className="mut">{t("未延长")}</span>
        )}
      </div>
      <p className={styles.span} role="timer" aria-live="off">
        {spanText(room.endsMs - now)}
      </p>
      <Line room={room} now={now} phase={phase} lost={lost} />
      <p className={styles.why}>
        {lost ? t("断线期间可能又延长，只会更晚，不会更早。") : effectText(room, now, words)}{" "}
        {room.extensions > 0 && t("原定 {time} 结束。", { time: shortClock(room.plannedEndMs) })}
      </p>
    </>
  );
}

/** A span until a deadline in its two largest units. */
function untilText(ms: number, { t }: Pick<RoomWords, "t">): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  return minutes >= 60
    ? t("{hours} 小时 {minutes} 分", { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
    : t("{minutes} 分钟", { minutes });
}

function Decided({ view, now }: { view: Shown; now: number }) {
  const words = useRoomWords();
  const { t, money } = words;
  const { room, phase } = view;
  const { own } = room;
  const ended = t("{time} 结束，延长 {count} 次", { time: dayClock(room.endsMs), count: room.extensions });
  const deposit = depositFace(own.deposit);
  if (own.order && hasWon(room) && own.order.state === "waiting_payment") {
    const payByMs = parseWireDateTime(own.order.payBy) ?? 0;
    return (
      <>
        <div className={styles.row}>
          <h2>{t("付款还有")}</h2>
        </div>
        <p className={styles.span}>{untilText(payByMs - now, words)}</p>
        <p className={styles.ends}>
          <span>{t("截止 {time}", { time: dayClock(payByMs) })}</span>
        </p>
        <p className={styles.why}>
          {t("应付 {money} 元。过期订单取消，保证金不退。", { money: money(own.order.prepaymentFen) })}
        </p>
      </>
    );
  }
  if (own.deposit !== "" && deposit && own.deposit !== "void")
    return (
      <>
        <div className={styles.row}>
          <h2>{t("保证金")}</h2>
          <StateTag {...deposit} plain />
        </div>
        <p className={styles.span}>
          {money(room.depositFen)}
          <small>{t("元")}</small>
        </p>
        <p className={styles.ends}>
          <span>{ended}</span>
        </p>
        <p className={styles.why}>{depositText(room, words)}</p>
      </>
    );
  return (
    <>
      <div className={styles.row}>
        <h2>{t(phase === "withdrawn" ? "已撤回" : "已结束")}</h2>
      </div>
      <p className={styles.span}>{dayClock(room.endsMs)}</p>
      <p className={styles.why}>
        {phase === "failed" ? t("没有成交，头数退回计划。") : phase === "withdrawn" ? t("这一场不再进行。") : ended}
      </p>
    </>
  );
}

/** What becomes of the own deposit after the close. */
export function depositText({ own, state }: Room["room"], { t }: RoomWords): string {
  const returnByMs = own.returnBy === undefined ? undefined : parseWireDateTime(own.returnBy);
  switch (own.deposit) {
    case "released":
      return t("已按原路退回，请查收。");
    case "credited":
      return t("已抵进订单货款。");
    case "forfeited":
      return t("没有按时付款，保证金没收了。");
    case "forfeiting":
      return t("没有按时付款，销售在决定是否没收。");
    case "returning":
      return returnByMs === undefined
        ? t("正在退还，原路退回。")
        : t("原路退回，最迟 {time} 到账。", { time: dayClock(returnByMs) });
    default:
      return state === "awarded" && own.order !== undefined
        ? t("付款时抵进货款。")
        : t("马上登记退还，一个工作日内到账。");
  }
}

function Before({ room, now }: { room: Room["room"]; now: number }) {
  const { t } = useRoomWords();
  return (
    <>
      <div className={styles.row}>
        <h2>{t("距开始")}</h2>
      </div>
      <p className={styles.span} role="timer" aria-live="off">
        {spanText(room.opensMs - now)}
      </p>
      <p className={styles.ends}>
        <span>{t("开始 {time}", { time: dayClock(room.opensMs) })}</span>
        <span>{t("结束 {time}", { time: dayClock(room.endsMs) })}</span>
      </p>
      <p className={styles.why}>
        {t("最后 {minutes} 分钟有人出价，结束延到出价后 {minutes} 分钟，最多 20 次。", {
          minutes: room.softCloseMinutes,
        })}
      </p>
    </>
  );
}

function Over({ room, now }: { room: Room["room"]; now: number }) {
  const { t } = useRoomWords();
  return (
    <>
      <div className={styles.row}>
        <h2>{t("已截止")}</h2>
        <span className="mut">{t("延长 {count} 次", { count: room.extensions })}</span>
      </div>
      <p className={styles.span}>{clockText(room.endsMs)}</p>
      <p className={styles.ends}>
        <span>{t("原定 {time}", { time: clockText(room.plannedEndMs) })}</span>
        <span>{t("现在 {time}", { time: clockText(now) })}</span>
      </p>
      <p className={styles.why}>
        {room.lastSeq > 0 ? t("不再收出价，正在定标，一般一分钟内出结果。") : t("没有人出价，马上结束。")}
      </p>
    </>
  );
}

/** How the page hears of the lot, and by which clock. */
function Heard({ view, now, number }: { view: Shown; now: number; number: Formats["number"] }) {
  const words = useRoomWords();
  const { t } = words;
  const { clock, lost, stream, heardMs } = view;
  const drift = clock.drift();
  const roundTrip = clock.roundTrip();
  return (
    <p className={styles.heard}>
      {lost ? (
        <span className="state off">
          <Mark name="off" />
          {t("重连中")}
        </span>
      ) : stream === "open" ? (
        <span className="state ok">
          <span className="live" aria-hidden="true" />
          {t("实时")}
        </span>
      ) : (
        <span className="state minor">
          <Mark name="minor" />
          {t("每 3 秒更新")}
        </span>
      )}
      <span>
        {t("服务器时间")} <b className="num">{clockText(lost ? heardMs : now)}</b>
      </span>
      {!lost && roundTrip !== undefined && <span>{t("往返 {ms} ms", { ms: roundTrip })}</span>}
      {!lost && Math.abs(drift) > driftShownMs && (
        <span className="state minor">
          <Mark name="minor" />
          {t(drift > 0 ? "本机时钟快 {seconds} 秒，已按服务器校正" : "本机时钟慢 {seconds} 秒，已按服务器校正", {
            seconds: number(Math.abs(drift) / 1000, 1),
          })}
        </span>
      )}
      {/* Without a bid of one's own it stands below the price. */}
      {view.room.own.pricePerKg !== undefined && <span className={styles.counts}>{countText(view, words)}</span>}
    </p>
  );
}

/** The price and the time of a lot, as large as what they decide. */
export function RoomBoard({ view }: { view: Shown }) {
  const { t } = useRoomWords();
  const { number } = useFormats();
  const now = useServerNow(view.clock);
  const { phase, room } = view;
  return (
    <section className={`card ${styles.board}`} aria-label={t("价格与时间")} data-lost={view.lost || undefined}>
      <Price {...view} />
      <div className={styles.clock}>
        {phase === "before" ? (
          <Before room={room} now={now} />
        ) : phase === "over" ? (
          <Over room={room} now={now} />
        ) : isDecided(phase) ? (
          <Decided view={view} now={now} />
        ) : (
          <Running view={view} now={now} />
        )}
      </div>
      <Heard view={view} now={now} number={number} />
    </section>
  );
}

/** Says that nothing is heard, since when, and what that means. */
export function LostBanner({ view }: { view: Pick<RoomView, "heardMs" | "clock" | "reload"> }) {
  const { t } = useRoomWords();
  const now = useServerNow(view.clock);
  return (
    <div className={styles.banner} role="alert">
      <span className="state minor">
        <Mark name="minor" />
        {t("连接断开")}
      </span>
      <span>
        {t("看到的是 {time} 的价格。断线时不能出价，也不排队；连上后自动更新。", { time: clockText(view.heardMs) })}
      </span>
      <Age atMs={Date.now() - (now - view.heardMs)} />
      <button type="button" className="btn" onClick={() => void view.reload()}>
        {t("立即重连")}
      </button>
    </div>
  );
}
