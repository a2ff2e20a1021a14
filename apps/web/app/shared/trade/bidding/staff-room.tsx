import { bidStrike, deposits, lots, plans } from "@herdwise/contract";
import { permissionOf } from "@herdwise/contract/resource";
import { useState } from "react";
import { Link } from "react-router";
import { call } from "../../api/call.ts";
import { useMedia } from "../../kit/use-media.ts";
import { Crumbs } from "../../lists/crumbs.tsx";
import { EventDialog } from "../../process/event-dialog.tsx";
import { useAccess } from "../../session/access-context.ts";
import { Award } from "./award.tsx";
import styles from "./room.module.css";
import { LostBanner, RoomBoard } from "./room-board.tsx";
import { isDecided } from "./room-clock.ts";
import { ChartPart, RoomFacts, RoomHead, RoomWaiting } from "./room-screen.tsx";
import { BidRecordList, Ranking } from "./room-tables.tsx";
import { useRoomWords } from "./room-words.ts";
import { type Room, useRoom } from "./use-room.ts";

/** What staff do around a running lot. */
function Around({ room }: Pick<Room, "room">) {
  const { t } = useRoomWords();
  return (
    <section className={`card ${styles.around}`} aria-labelledby="room-around">
      <header>
        <h2 id="room-around">{t("这一场")}</h2>
      </header>
      <div className={styles.body}>
        <p>{t("截止前只有编号，工作人员也看不到是谁在出价。误报的一口可以写明原因取消，所有人都看得到。")}</p>
        <div className={styles.acts}>
          <Link className="btn" to={`${deposits.menu.path}?f.lot=${room.lot}`}>
            {t("保证金")}
          </Link>
          <Link className="btn" to={`${lots.menu.path}?row=${room.lot}`}>
            {t("场次单据")}
          </Link>
          <Link className="btn" to={plans.menu.path}>
            {t("销售计划")}
          </Link>
        </div>
      </div>
    </section>
  );
}

/** A lot for the group's staff: until it is decided a console with numbers alone, then the award with names. */
export function StaffRoom({ lot }: { lot: string }) {
  const words = useRoomWords();
  const { t, bidder, price } = words;
  const { permissions } = useAccess();
  const narrow = useMedia("(max-width: 760px)");
  const view = useRoom(lot);
  const [striking, setStriking] = useState<Room["entries"][number]>();
  const { room, entries, phase, error, reload } = view;
  const crumbs = <Crumbs more={[{ name: t(lots.words.many), to: lots.menu.path }, { name: room?.number ?? "" }]} />;
  if (room === undefined || entries === undefined)
    return (
      <>
        {crumbs}
        <RoomWaiting error={error} reload={reload} />
      </>
    );
  const mayStrike = permissions.has(permissionOf(lots, "edit")) && (phase === "open" || phase === "soft");
  return (
    <>
      {crumbs}
      <RoomHead room={room} phase={phase} />
      {view.lost && <LostBanner view={view} />}
      <div className={styles.room}>
        <RoomFacts room={room} />
      </div>
      {isDecided(phase) ? (
        <Award room={room} phase={phase} />
      ) : (
        <div className={styles.room}>
          <div className={styles.column}>
            <RoomBoard view={{ ...view, room, entries }} />
            <ChartPart room={room} entries={entries} narrow={narrow} />
            <BidRecordList room={room} entries={entries} strike={mayStrike ? setStriking : undefined} />
          </div>
          <div className={styles.column}>
            <Ranking room={room} entries={entries} />
            <Around room={room} />
          </div>
        </div>
      )}
      {striking && (
        <EventDialog
          id={`${lot}-${striking.seq}`}
          event="strike"
          prefix="bid-strike"
          title={t("取消 {bidder}的 {price} 元/kg", {
            bidder: bidder(striking.bidder, 0),
            price: price(striking.fenPerKg ?? 0),
          })}
          kind="danger"
          action={t("取消这口")}
          cancel={t("不取消")}
          done="已取消这口出价"
          fields={{
            reason: {
              label: t("原因，所有人都看得到"),
              minLength: 2,
              maxLength: 200,
              rows: 2,
            },
          }}
          send={({ reason }) => call(bidStrike, { body: { lot, seq: striking.seq, reason }, quiet: true })}
          onDone={() => void reload()}
          onClose={() => setStriking(undefined)}
        >
          <p>{t("记录里会留下这次取消。对方收到消息，最高限价也作废。")}</p>
        </EventDialog>
      )}
    </>
  );
}
