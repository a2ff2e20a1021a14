import { lotOffers, lots } from "@herdwise/contract";
import { isBlank, type ResourceDeclaration } from "@herdwise/contract/resource";
import { type ComponentType, lazy, Suspense } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { TableSkeleton } from "../kit/table-skeleton.tsx";
import { Translated } from "../language/translated.tsx";
import { useTranslate } from "../language/use-language.ts";
import { knownId } from "../lists/list-address.ts";
import { StateTag } from "../process/state-tag.tsx";
import type { Cells } from "../resource/cells.ts";
import type { Row } from "../resource/form-values.ts";
import { ResourceScreen } from "../resource/resource-screen.tsx";
import { useAccess } from "../session/access-context.ts";
import styles from "./order-detail.module.css";
import stateStyles from "./state-line.module.css";
import cellStyles from "./trade-cells.module.css";
import { isUndecided, lotCells, OwnDeposit, useOwnEnd } from "./trade-cells.tsx";

const StaffRoom = lazy(async () => ({ default: (await import("./bidding/staff-room.tsx")).StaffRoom }));
const RoomScreen = lazy(async () => ({ default: (await import("./bidding/room-screen.tsx")).RoomScreen }));

/** What the way to a lot is called while it is undecided, and afterwards. */
interface WayNames {
  live: string;
  over: string;
}
const nameOfWay = ({ live, over }: WayNames, state: unknown): string => (isUndecided(state) ? live : over);

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
    const t = useTranslate();
    const { user } = useAccess();
    const face = lots.process.states[String(value) as keyof typeof lots.process.states];
    const end = useOwnEnd(row);
    const isOthers = value === "awarded" && user.tenant_type !== "group" && end !== "won";
    return (
      <span className={stateStyles.state}>
        {face && (
          <StateTag
            {...face}
            {...(isOthers && { mark: "off" as const })}
            {...(end !== undefined && { word: end === "won" ? "您中标" : "别人中标" })}
            plain
          />
        )}
        {/* Somebody bid, and nobody paid. */}
        {value === "failed" && !isBlank(row.bestPerKg) && <small>{t("没有人付款")}</small>} <OwnDeposit row={row} />
      </span>
    );
  };
  const Acts = ({ row }: { row: Row }) => <Way row={row} look={isUndecided(row.state) ? "btn small" : "link"} />;
  const Detail = ({ row }: { row: Row }) => (
    <p className={styles.detail}>
      <Way row={row} look="btn primary" />
    </p>
  );
  return { cells: { state: State, acts: Acts }, detail: Detail };
}

/** A list of lots, or the room of one that the address names. */
function lotScreen(path: string, names: WayNames, Room: ComponentType<{ lot: string }>, more: Cells = {}) {
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
        cells={{ ...cells, ...lotCells, ...more }}
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

/** Where pigs are loaded, and when. */
function FieldAndDay({ row }: { row: Row }) {
  const t = useTranslate();
  return (
    <span className={`${cellStyles.line} ${cellStyles.below}`}>
      <Translated text={String(row.fieldName ?? "")} />
      {!isBlank(row.day) && <small className="num">{t("{day} 装车", { day: String(row.day).slice(0, 10) })}</small>}
    </span>
  );
}

/** Lots as customers see them. */
export const LotOfferScreen = lotScreen(lotOffers.menu.path, { live: "进入竞价", over: "看竞价结果" }, RoomScreen, {
  field: FieldAndDay,
});

/** Lots as the group's staff see them. */
export const LotScreen = lotScreen(lots.menu.path, { live: "看竞价", over: "看定标" }, StaffRoom);
