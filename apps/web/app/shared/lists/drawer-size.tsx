import { type CSSProperties, type KeyboardEvent, type PointerEvent, useState, useSyncExternalStore } from "react";
import { useTranslate } from "../language/use-language.ts";

/** Share of the page that a drawer takes, in percent (product.md 9). */
const min = 30;
const max = 80;
const initial = { side: 40, bottom: 80 } as const;
const keyStep = 5;
const storageKey = "drawerShare";

type Edge = keyof typeof initial;
const within = (share: number): number => Math.round(Math.min(max, Math.max(min, share)));

/** On a phone the drawer rises from the bottom and its height changes; elsewhere it stands at the side. */
const narrow = "(max-width: 760px)";
const subscribe = (listener: () => void): (() => void) => {
  const query = matchMedia(narrow);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
};

export interface DrawerSize {
  edge: Edge;
  share: number;
  style: CSSProperties;
  change: (share: number) => void;
}

function kept(edge: Edge, first: number): number {
  const share = Number(localStorage.getItem(`${storageKey}_${edge}`));
  return share >= min && share <= max ? share : first;
}

/** How much of the page the drawer takes; this browser remembers it. @param side percent before anybody changes it */
export function useDrawerSize(side: number = initial.side): DrawerSize {
  const edge: Edge = useSyncExternalStore(
    subscribe,
    () => matchMedia(narrow).matches,
    () => false,
  )
    ? "bottom"
    : "side";
  const [shares, setShares] = useState(() => ({ side: kept("side", side), bottom: kept("bottom", initial.bottom) }));
  const share = shares[edge];
  return {
    edge,
    share,
    style: edge === "side" ? { width: `${share}vw` } : { height: `${share}dvh` },
    change: (next) => {
      const bounded = within(next);
      localStorage.setItem(`${storageKey}_${edge}`, String(bounded));
      setShares((now) => ({ ...now, [edge]: bounded }));
    },
  };
}

/** The edge that is dragged; arrow keys move it as well. */
export function DrawerHandle({ size }: { size: DrawerSize }) {
  const t = useTranslate();
  const { edge, share, change } = size;
  const grab = (event: PointerEvent<HTMLElement>): void => event.currentTarget.setPointerCapture(event.pointerId);
  const move = (event: PointerEvent<HTMLElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    change(edge === "side" ? (1 - event.clientX / innerWidth) * 100 : (1 - event.clientY / innerHeight) * 100);
  };
  const onKey = (event: KeyboardEvent): void => {
    const larger = edge === "side" ? "ArrowLeft" : "ArrowUp";
    const smaller = edge === "side" ? "ArrowRight" : "ArrowDown";
    const step = event.key === larger ? keyStep : event.key === smaller ? -keyStep : 0;
    if (step === 0) return;
    event.preventDefault();
    change(share + step);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line that is dragged is a separator with a value, not an <hr>.
    <div
      className="drawer-edge"
      data-edge={edge}
      role="separator"
      aria-orientation={edge === "side" ? "vertical" : "horizontal"}
      aria-label={t("调整抽屉大小")}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={share}
      tabIndex={0}
      onPointerDown={grab}
      onPointerMove={move}
      onKeyDown={onKey}
    />
  );
}
