import { deposits, lotOffers } from "@herdwise/contract";
import { permissionOf } from "@herdwise/contract/resource";
import { useEffect, useState } from "react";
import { TableSkeleton } from "../../kit/table-skeleton.tsx";
import { useMedia } from "../../kit/use-media.ts";
import { useJoin } from "../../language/use-join.ts";
import { useNames } from "../../language/use-names.ts";
import { Crumbs } from "../../lists/crumbs.tsx";
import { StateTag } from "../../process/state-tag.tsx";
import { useAccess } from "../../session/access-context.ts";
import { LoadingProblem } from "../../states/loading-problem.tsx";
import { BidCard } from "./bid-card.tsx";
import { BidDock } from "./bid-dock.tsx";
import { RecordCheck } from "./record-check.tsx";
import styles from "./room.module.css";
import { LostBanner, priceOf, RoomBoard } from "./room-board.tsx";
import { RoomChart } from "./room-chart.tsx";
import { dayClock, isDecided, type Phase } from "./room-clock.ts";
import { BidRecordList, Ranking } from "./room-tables.tsx";
import { hasWon, useRoomWords } from "./room-words.ts";
import type { Draft } from "./standing.ts";
import { useBid } from "./use-bid.ts";
import { type Room, type RoomView, useRoom } from "./use-room.ts";

/** Where a lot stands, in a word and a mark. */
export function roomFace({ room }: Pick<Room, "room">, phase: Phase): Parameters<typeof StateTag>[0] {
  const extended = room.extensions > 0;
  switch (phase) {
    case "before":
      return { word: "未开始", mark: "notice" };
    case "open":
    case "soft":
      return extended ? { word: "竞价中，已延长", mark: "minor" } : { word: "竞价中", mark: "ok" };
    case "over":
      return { word: "已截止，定标中", mark: "notice" };
    case "awarded":
      return hasWon(room)
        ? { word: "您已中标", mark: "ok" }
        : { word: room.own.place > 0 ? "未中标" : "已成交", mark: room.own.place > 0 ? "off" : "ok" };
    case "failed":
      return { word: "未成交", mark: "off" };
    case "withdrawn":
      return { word: "已撤回", mark: "off" };
  }
}

/** The lot in its facts. */
export function RoomFacts({ room }: Pick<Room, "room">) {
  const { t, category, heads, price, money } = useRoomWords();
  const facts = [
    [t("品类"), category(room.category)],
    [t("体重段"), `${room.fromKg}–${room.toKg} kg`],
    [t("头数"), heads(room.heads)],
    [t("装车日"), room.day],
    [t("起拍价"), t("{price} 元/kg", { price: price(room.reservePerKg) })],
    [t("加价幅度"), t("{price} 元/kg", { price: price(room.stepFen) })],
    [t("保证金"), t("{money} 元", { money: money(room.depositFen) })],
  ] as const;
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="num">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Title and state of a lot. */
export function RoomHead({ room, phase }: Pick<Room, "room"> & { phase: Phase }) {
  const { t, heads } = useRoomWords();
  const nameOf = useNames();
  return (
    <div className={styles.head}>
      <h1>
        <span>{`${nameOf(room.fieldName)} ${heads(room.heads)}`}</span>
        <StateTag {...roomFace({ room }, phase)} />
      </h1>
      <p className="num">{t("{time} 场，编号 {number}", { time: dayClock(room.opensMs), number: room.number })}</p>
    </div>
  );
}

function Rules({ minutes }: { minutes: number }) {
  const { t } = useRoomWords();
  const rules = [
    [t("价高者得，同价先到者得"), t("先后看服务器收到的时间，不看发出的时间。")],
    [
      t("最后 {minutes} 分钟有人出价，结束延到出价后 {minutes} 分钟", { minutes }),
      t("最多 20 次，每次都记在出价记录里。"),
    ],
    [t("出价不能撤回"), t("中标后不付款，保证金不退。")],
    [t("竞买人互相看不见"), t("截止前只有编号，工作人员也看不到是谁在出价。")],
  ] as const;
  return (
    <section className={`card ${styles.rules}`} aria-labelledby="room-rules">
      <header>
        <h2 id="room-rules">{t("规则")}</h2>
      </header>
      <ul>
        {rules.map(([rule, more]) => (
          <li key={rule}>
            <b>{rule}</b>
            <span>{more}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What stands in the room's place before it was read, or where it could not be. */
export function RoomWaiting({ error, reload }: Pick<RoomView, "error" | "reload">) {
  const { t } = useRoomWords();
  if (!error) return <TableSkeleton rows={8} />;
  return (
    <>
      <h1 className="visually-hidden">{t("竞价")}</h1>
      <LoadingProblem error={error} onRetry={() => void reload()} what={t("竞价场次")} />
    </>
  );
}

/** The price over time, once somebody bid. */
export function ChartPart({ room, entries, narrow }: Room & { narrow: boolean }) {
  const { t } = useRoomWords();
  if (room.lastSeq === 0) return null;
  return (
    <section className={`card ${styles.drawn}`} aria-labelledby="room-chart">
      <header>
        <h2 id="room-chart">{t("价格与延长")}</h2>
      </header>
      <RoomChart room={room} entries={entries} width={narrow ? 400 : 760} />
    </section>
  );
}

/** The room of a lot for a customer: bidding live, by the server's clock. */
export function RoomScreen({ lot }: { lot: string }) {
  const words = useRoomWords();
  const { t, price } = words;
  const { permissions } = useAccess();
  const join = useJoin();
  const narrow = useMedia("(max-width: 760px)");
  const view = useRoom(lot);
  const bidding = useBid(lot, view);
  const [typed, setTyped] = useState({ price: "", limit: "" });
  const { room, entries, phase, error, reload } = view;
  // What was taken is no draft any more.
  const isTaken = bidding.state.kind === "taken";
  useEffect(() => {
    if (isTaken) setTyped({ price: "", limit: "" });
  }, [isTaken]);
  const crumbs = (
    <Crumbs more={[{ name: t(lotOffers.words.many), to: lotOffers.menu.path }, { name: room?.number ?? "" }]} />
  );
  if (room === undefined || entries === undefined)
    return (
      <>
        {crumbs}
        <RoomWaiting error={error} reload={reload} />
      </>
    );
  const shown = { ...view, room, entries, mayBid: permissions.has(permissionOf(deposits, "edit")) };
  const draft: Draft = {
    ...typed,
    change: (values) => {
      bidding.disarm();
      setTyped((now) => ({ ...now, ...values }));
    },
  };
  const { own } = room;
  const { fen, name } = priceOf({ room }, phase);
  const standing = isDecided(phase)
    ? t(roomFace({ room }, phase).word)
    : own.place === 1
      ? t("您领先")
      : own.place > 1
        ? t("您被超过了")
        : "";
  // Read out when the price or the own place changes, and not each second.
  const told =
    room.lastSeq === 0 && !isDecided(phase)
      ? ""
      : join([`${t(name)} ${t("{price} 元/kg", { price: price(fen) })}`, standing].filter((part) => part !== ""));
  return (
    <>
      {crumbs}
      <RoomHead room={room} phase={phase} />
      <p className="visually-hidden" role="status" aria-live="polite">
        {told}
      </p>
      {view.lost && <LostBanner view={shown} />}
      <div className={styles.room}>
        <RoomFacts room={room} />
        <div className={styles.column}>
          <RoomBoard view={shown} />
          <ChartPart room={room} entries={entries} narrow={narrow} />
          <BidRecordList room={room} entries={entries} />
        </div>
        <div className={styles.column}>
          <BidCard view={shown} bidding={bidding} draft={draft} narrow={narrow} />
          {isDecided(phase) && room.lastSeq > 0 && <RecordCheck lot={lot} />}
          <Ranking room={room} entries={entries} />
          <Rules minutes={room.softCloseMinutes} />
        </div>
      </div>
      {narrow && <BidDock view={shown} bidding={bidding} draft={draft} />}
    </>
  );
}
