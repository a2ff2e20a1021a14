import { lotOffers, lots } from "@herdwise/contract";
import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { type ComponentType, lazy, Suspense } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { TableSkeleton } from "../kit/table-skeleton.tsx";
import { useTranslate } from "../language/use-language.ts";
import { knownId } from "../lists/list-address.ts";
import { StateTag } from "../process/state-tag.tsx";
import type { Row } from "../resource/form-values.ts";
import { ResourceScreen } from "../resource/resource-screen.tsx";
import styles from "./order-detail.module.css";
import stateStyles from "./state-line.module.css";
import { lotCells, OwnDeposit } from "./trade-cells.tsx";

const StaffRoom = lazy(async () => ({ default: (await import("./bidding/staff-room.tsx")).StaffRoom }));
const RoomScreen = lazy(async () => ({ default: (await import("./bidding/room-screen.tsx")).RoomScreen }));

/** What the way to a lot is called while it is undecided, and afterwards. */
interface WayNames {
  live: string;
  over: string;
}
const isLive = (state: unknown): boolean => ["announced", "open", "frozen"].includes(String(state));
const nameOfWay = ({ live, over }: WayNames, state: unknown): string => (isLive(state) ? live : over);

/** Where a row of a list of lots leads. */
const roomOf = (path: string, lot: string): string => `${path}?room=${lot}`;

/** The parts of a list of lots that lead to rooms. */
function waysTo(path: string, names: WayNames) {
  const Way = ({ row, look }: { row: Row; look: string }) => {
    const t = useTranslate();
    return (
      <Link
        className={`${look} ${styles.whole}`}
        to={roomOf(path, row.id)}
        onClick={(event) => event.stopPropagation()}
      >
        {t(nameOfWay(names, row.state))}
      </Link>
    );
  };
  const State = ({ row, value }: { row: Row; value: unknown }) => {
    const face = lots.process.states[String(value) as keyof typeof lots.process.states];
    return (
      <span className={stateStyles.state}>
        {face && <StateTag {...face} plain />} <OwnDeposit lot={row.id} />
      </span>
    );
  };
  const Acts = ({ row }: { row: Row }) => isLive(row.state) && <Way row={row} look="btn small" />;
  const Detail = ({ row }: { row: Row }) => (
    <p className={styles.detail}>
      <Way row={row} look="btn primary" />
    </p>
  );
  return { cells: { state: State, acts: Acts }, detail: Detail };
}

/** A list of lots, or the room of one that the address names. */
function lotScreen(path: string, names: WayNames, Room: ComponentType<{ lot: string }>) {
  const { cells, detail } = waysTo(path, names);
  return function LotScreen({ of }: { of: ResourceDeclaration }) {
    const t = useTranslate();
    const navigate = useNavigate();
    const [search] = useSearchParams();
    const lot = knownId(search.get("room"));
    if (lot !== undefined)
      return (
        <Suspense fallback={<TableSkeleton rows={8} />}>
          <Room key={lot} lot={lot} />
        </Suspense>
      );
    return (
      <ResourceScreen
        of={of}
        cells={{ ...cells, ...lotCells }}
        detail={detail}
        actions={({ id, state }) => [
          {
            id: "room",
            icon: "clock",
            name: t(nameOfWay(names, state)),
            onAction: () => void navigate(roomOf(path, id)),
          },
        ]}
      />
    );
  };
}

/** Lots as customers see them. */
export const LotOfferScreen = lotScreen(lotOffers.menu.path, { live: "进入竞价", over: "看竞价结果" }, RoomScreen);

/** Lots as the group's staff see them. */
export const LotScreen = lotScreen(lots.menu.path, { live: "看竞价", over: "看定标" }, StaffRoom);
