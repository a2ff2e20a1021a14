import { type BidRecord, deposits, orders } from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { asApiError } from "../../api/api-error.ts";
import { Button } from "../../kit/button.tsx";
import { TableSkeleton } from "../../kit/table-skeleton.tsx";
import { useMedia } from "../../kit/use-media.ts";
import { useNames } from "../../language/use-names.ts";
import { StateTag } from "../../process/state-tag.tsx";
import { LoadingProblem } from "../../states/loading-problem.tsx";
import { RecordCheck, recordQuery } from "./record-check.tsx";
import styles from "./room.module.css";
import { clockText, dayClock, expectedOf, type Phase } from "./room-clock.ts";
import { BidRecordList } from "./room-tables.tsx";
import { depositFace, useRoomWords } from "./room-words.ts";
import type { Room } from "./use-room.ts";
import { WhoWhen } from "./who-when.tsx";

type Bidder = BidRecord["bidders"][number];

/** What became of a bidder. */
function outcomeOf({ order, fenPerKg }: Pick<Bidder, "order" | "fenPerKg">): Parameters<typeof StateTag>[0] {
  if (order === "waiting_payment") return { word: "中标，待付款", mark: "minor" };
  if (order === "cancelled") return { word: "没有付款，已取消", mark: "off" };
  if (order !== "") return { word: "中标，已付款", mark: "ok" };
  return fenPerKg === undefined ? { word: "出价已取消", mark: "off" } : { word: "未中标", mark: "off" };
}

/** How the award stands, in a sentence. */
function awardText(bidders: readonly Bidder[], phase: Phase): string {
  if (phase === "withdrawn") return "这一场撤回了，没有结果。";
  if (bidders.length === 0) return "没有人出价，没有成交，头数退回计划。";
  const standing = bidders.findIndex(({ order }) => order !== "" && order !== "cancelled");
  const unpaid = bidders.filter(({ order }) => order === "cancelled").length;
  if (standing < 0) return unpaid > 0 ? "中标的都没有付款，没有成交，头数退回计划。" : "没有有效出价，没有成交。";
  if (unpaid > 0) return "前面的中标人没有付款，已轮到下一名。";
  return bidders[standing]?.order === "waiting_payment" ? "已定标，等中标人付款。" : "已定标，中标人已付款。";
}

function RankingWithNames({ room, entries, bidders }: Room & { bidders: readonly Bidder[] }) {
  const { t, bidder, price, gap } = useRoomWords();
  const nameOf = useNames();
  const best = bidders[0]?.fenPerKg ?? 0;
  const struck = new Set(room.struck.map(({ seq }) => seq));
  return (
    <section className={`card ${styles.ranking}`} aria-labelledby="award-ranking">
      <header>
        <h2 id="award-ranking">{t("排名与结果")}</h2>
      </header>
      {bidders.length === 0 ? (
        <p className="calm">{t("没有人出价。")}</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t("位")}</th>
              <th scope="col">{t("竞买人")}</th>
              <th scope="col" className={styles.figure}>
                {t("元/kg")}
              </th>
              <th scope="col" className={`${styles.figure} ${styles.wide}`}>
                {t("差")}
              </th>
              <th scope="col" className={`${styles.figure} ${styles.wide}`}>
                {t("到达时间")}
              </th>
              <th scope="col">{t("结果与保证金")}</th>
            </tr>
          </thead>
          <tbody>
            {bidders.map((one, at) => {
              const own = entries.filter(({ bidder: by, seq }) => by === one.bidder && !struck.has(seq));
              const entry = own.findLast(({ fenPerKg }) => fenPerKg === one.fenPerKg);
              const deposit = depositFace(one.deposit);
              const outcome = outcomeOf(one);
              return (
                <tr key={one.bidder} data-own={outcome.mark === "ok" || outcome.mark === "minor" || undefined}>
                  <td className="num">{one.fenPerKg === undefined ? "—" : at + 1}</td>
                  <td className={styles.twoLines}>
                    <b>{nameOf(one.tenantName)}</b>
                    <small>
                      {bidder(one.bidder, 0)}
                      {" · "}
                      {t("{count} 口", { count: own.length })}
                    </small>
                  </td>
                  <td className={styles.figure}>
                    <b>{one.fenPerKg === undefined ? "—" : price(one.fenPerKg)}</b>
                  </td>
                  <td className={`${styles.figure} ${styles.wide}`}>
                    {one.fenPerKg === undefined ? "—" : gap(one.fenPerKg - best)}
                  </td>
                  <td className={`${styles.figure} ${styles.wide}`}>{entry ? clockText(entry.atMs) : "—"}</td>
                  <td className={styles.twoLines}>
                    {one.orderId === "" ? (
                      <StateTag {...outcome} plain />
                    ) : (
                      <Link className="link" to={`${orders.menu.path}?row=${one.orderId}`}>
                        <StateTag {...outcome} plain />
                      </Link>
                    )}
                    <small>
                      {t("保证金")}{" "}
                      <Link className="link" to={`${deposits.menu.path}?row=${one.depositId}`}>
                        {t(deposit?.word ?? one.deposit)}
                      </Link>
                    </small>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** The record of the award in its figures. */
function AwardFacts({ room, bidders }: Pick<Room, "room"> & { bidders: readonly Bidder[] }) {
  const { t, price, money, heads } = useRoomWords();
  const nameOf = useNames();
  const winner = bidders.find(({ order }) => order !== "" && order !== "cancelled");
  const fen = winner?.fenPerKg;
  return (
    <section className="card" aria-labelledby="award-facts">
      <header>
        <h2 id="award-facts">{t("中标记录")}</h2>
      </header>
      <div className={styles.body}>
        {winner && fen !== undefined ? (
          <dl className={styles.cost}>
            <div>
              <dt>{t("中标人")}</dt>
              <dd className={styles.name}>{nameOf(winner.tenantName)}</dd>
            </div>
            <div>
              <dt>{t("成交价")}</dt>
              <dd>{t("{price} 元/kg", { price: price(fen) })}</dd>
            </div>
            <div>
              <dt>{t("头数")}</dt>
              <dd>{heads(room.heads)}</dd>
            </div>
            <div className={styles.due}>
              <dt>{t("预估货款")}</dt>
              <dd>{t("{money} 元", { money: money(expectedOf(room, fen)) })}</dd>
            </div>
          </dl>
        ) : (
          <p>{t("没有中标人。")}</p>
        )}
        {winner && (
          <div className={styles.acts}>
            <Link className="btn" to={`${orders.menu.path}?row=${winner.orderId}`}>
              {t("看订单")}
            </Link>
          </div>
        )}
        <p className={styles.fine}>
          {t("{time} 结束，延长 {count} 次", { time: dayClock(room.endsMs), count: room.extensions })}
        </p>
      </div>
    </section>
  );
}

/** The entries of a whole record as a room has them. */
const entriesOf = ({ entries }: BidRecord): Room["entries"] =>
  entries.map(({ seq, bidder, fenPerKg, proxy, strikes, at }) => ({
    seq,
    bidder,
    ...(fenPerKg !== undefined && { fenPerKg }),
    proxy,
    ...(strikes !== undefined && { strikes }),
    atMs: Date.parse(at),
  }));

/** A closed lot with names, which are shown after the close alone; that somebody looked is audited. */
export function Award({ room, phase }: Pick<Room, "room"> & { phase: Phase }) {
  const { t } = useRoomWords();
  const narrow = useMedia("(max-width: 760px)");
  const { data, error, refetch, isFetching } = useQuery(recordQuery(room.lot));
  if (error && !data)
    return <LoadingProblem error={asApiError(error)} onRetry={() => void refetch()} what={t("出价记录")} />;
  if (!data) return <TableSkeleton rows={8} />;
  const entries = entriesOf(data);
  const names = new Map(data.bidders.map(({ bidder, tenantName }) => [bidder, tenantName]));
  return (
    <>
      <p className={styles.audited}>
        <b>{t(awardText(data.bidders, phase))}</b>
        <span>{t("姓名从截止起可见，每次查看都记入审计。")}</span>
        <Button kind="link" isDisabled={isFetching} onPress={() => void refetch()}>
          {t("刷新")}
        </Button>
      </p>
      <div className={styles.room}>
        <div className={styles.column}>
          <RankingWithNames room={room} entries={entries} bidders={data.bidders} />
          {entries.length > 0 && (
            <>
              <section className={`card ${styles.drawn}`} aria-labelledby="award-when">
                <header>
                  <h2 id="award-when">{t("谁在什么时候出价")}</h2>
                </header>
                <WhoWhen room={room} entries={entries} names={names} width={narrow ? 400 : 760} />
              </section>
              <BidRecordList room={room} entries={entries} names={names} />
            </>
          )}
        </div>
        <div className={styles.column}>
          <AwardFacts room={room} bidders={data.bidders} />
          {entries.length > 0 && <RecordCheck lot={room.lot} audited />}
        </div>
      </div>
    </>
  );
}
