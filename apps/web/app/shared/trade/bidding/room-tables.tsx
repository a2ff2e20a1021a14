import { useState } from "react";
import { Icon } from "../../icons/icon.tsx";
import { Button } from "../../kit/button.tsx";
import { useNames } from "../../language/use-names.ts";
import styles from "./room.module.css";
import { clockText, effectsOf } from "./room-clock.ts";
import { useRoomWords } from "./room-words.ts";
import type { Room } from "./use-room.ts";

/** Bidders by their best price, by numbers alone. */
export function Ranking({ room, entries }: Room) {
  const { t, bidder, price, gap, time } = useRoomWords();
  const { ranking, own } = room;
  const best = ranking[0]?.fenPerKg ?? 0;
  return (
    <section className={`card ${styles.ranking}`} aria-labelledby="room-ranking">
      <header>
        <h2 id="room-ranking">{t("排名")}</h2>
        <span className="mut">{t("只显示编号")}</span>
      </header>
      {ranking.length === 0 ? (
        <p className="calm">{t("还没有人出价，出价后按价格排名。")}</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t("位")}</th>
              <th scope="col">{t("竞买人")}</th>
              <th scope="col" className={styles.figure}>
                {t("元/kg")}
              </th>
              <th scope="col" className={styles.figure}>
                {t("差")}
              </th>
              <th scope="col" className={`${styles.figure} ${styles.wide}`}>
                {t("时间")}
              </th>
            </tr>
          </thead>
          <tbody>
            {ranking.map((one, at) => {
              const entry = entries.findLast(
                ({ bidder: by, fenPerKg }) => by === one.bidder && fenPerKg === one.fenPerKg,
              );
              return (
                <tr key={one.bidder} data-own={one.bidder === own.bidder || undefined}>
                  <td className="num">{at + 1}</td>
                  <td>{bidder(one.bidder, own.bidder)}</td>
                  <td className={styles.figure}>
                    <b>{price(one.fenPerKg)}</b>
                  </td>
                  <td className={styles.figure}>{gap(one.fenPerKg - best)}</td>
                  <td className={`${styles.figure} ${styles.wide}`}>{entry ? time(entry.atMs) : "—"}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}

const firstShown = 12;

/**
 * Every bid in the order of the server, the newest first.
 * @param strike begins to strike a bid; staff alone
 * @param names of bidders, where they may be shown
 */
export function BidRecordList({
  room,
  entries,
  strike,
  names,
}: Room & {
  strike?: ((entry: Room["entries"][number]) => void) | undefined;
  names?: ReadonlyMap<number, string> | undefined;
}) {
  const { t, bidder, price, gap } = useRoomWords();
  const nameOf = useNames();
  const [all, setAll] = useState(false);
  const { own } = room;
  const effects = effectsOf(room, entries);
  const struck = new Map(room.struck.map((one) => [one.seq, one]));
  const bids = entries.filter(({ fenPerKg }) => fenPerKg !== undefined);
  const newest = bids.toReversed();
  const shown = all ? newest : newest.slice(0, firstShown);
  const isSaid = bids.some(({ seq, proxy }) => proxy || struck.has(seq) || effects.has(seq));
  return (
    <section className={`card ${styles.record}`} aria-labelledby="room-record">
      <header>
        <h2 id="room-record">{t("出价记录")}</h2>
        <span className="mut">{t("按服务器到达顺序")}</span>
      </header>
      {bids.length === 0 ? (
        <p className="calm">{t("还没有出价。")}</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t("服务器时间")}</th>
              <th scope="col">{t("竞买人")}</th>
              <th scope="col" className={styles.figure}>
                {t("元/kg")}
              </th>
              <th scope="col" className={`${styles.figure} ${styles.wide}`}>
                {t("加价")}
              </th>
              {isSaid && <th scope="col">{t("说明")}</th>}
              {strike && (
                <th scope="col" className={styles.strike}>
                  {t("操作")}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {shown.map((entry, at) => {
              const fen = entry.fenPerKg ?? 0;
              const before = newest[at + 1]?.fenPerKg;
              const gone = struck.get(entry.seq);
              const movedTo = effects.get(entry.seq);
              return (
                <tr
                  key={entry.seq}
                  data-own={(entry.bidder === own.bidder && own.bidder !== 0) || undefined}
                  data-struck={gone !== undefined || undefined}
                >
                  <td className="num">
                    {clockText(entry.atMs)}
                    <span className="mut">{`.${String(entry.atMs % 1000).padStart(3, "0")}`}</span>
                  </td>
                  <td>
                    {names?.has(entry.bidder) ? (
                      <>
                        {nameOf(names.get(entry.bidder) ?? "")} <span className="mut">{bidder(entry.bidder, 0)}</span>
                      </>
                    ) : (
                      bidder(entry.bidder, own.bidder)
                    )}
                  </td>
                  <td className={styles.figure}>{gone ? <s>{price(fen)}</s> : <b>{price(fen)}</b>}</td>
                  <td className={`${styles.figure} ${styles.wide}`}>
                    {before === undefined ? (entry.seq === 1 ? t("首口") : "") : gap(fen - before)}
                  </td>
                  {isSaid && (
                    <td className={styles.said}>
                      {gone ? (
                        <span>{t("已取消：{reason}", { reason: gone.reason })}</span>
                      ) : movedTo !== undefined ? (
                        <span className="state minor">
                          <Icon name="clock" small />
                          {t("结束延到 {time}", { time: clockText(movedTo) })}
                        </span>
                      ) : entry.proxy ? (
                        <span className="mut">{t("最高限价代出")}</span>
                      ) : (
                        <span className="mut">--</span>
                      )}
                    </td>
                  )}
                  {strike && (
                    <td className={styles.strike}>
                      {!gone && (
                        <Button small kind="quiet" onPress={() => strike(entry)}>
                          {t("取消这口")}
                        </Button>
                      )}
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {(newest.length > firstShown || (entries[0]?.seq ?? 1) > 1) && (
        <footer className={styles.more}>
          {newest.length > firstShown && (
            <Button kind="link" onPress={() => setAll(!all)}>
              {all ? t("收起") : t("显示全部 {count} 口", { count: newest.length })}
            </Button>
          )}
          {(entries[0]?.seq ?? 1) > 1 && (
            <span className="mut">{t("这里是最新的 {count} 条。", { count: entries.length })}</span>
          )}
        </footer>
      )}
    </section>
  );
}
