import { lazy, type ReactNode, Suspense, useLayoutEffect, useRef } from "react";
import { usePreference } from "../../shared/query/use-preference.ts";
import styles from "./arrange.module.css";
import { type CardId, readArrangement } from "./arrangement.ts";
import { WaitingCard } from "./waiting-card.tsx";

const Arrange = lazy(() => import("./arrange.tsx").then((part) => ({ default: part.Arrange })));

/** Between cards, px. */
const gap = 16;

/**
 * Tells each card of a grid how many of its rows, 1 px high, it takes with the gap below it: a card stands right below the one above it,
 * however high those beside that one are.
 * @param shown which cards there are
 */
function usePacked(shown: unknown) {
  const grid = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!grid.current || typeof ResizeObserver === "undefined") return;
    const measure = (card: Element): void => {
      if (card instanceof HTMLElement) card.style.setProperty("--rows", String(Math.ceil(card.offsetHeight) + gap));
    };
    const watch = new ResizeObserver((entries) => {
      for (const { target } of entries) measure(target);
    });
    for (const card of grid.current.children) {
      measure(card);
      watch.observe(card);
    }
    return () => watch.disconnect();
  }, [shown]);
  return grid;
}

/** The cards of the console as the person arranged them, or while they do. */
export function Cards({
  arranging,
  onArranged,
  render,
}: {
  arranging: boolean;
  onArranged: () => void;
  render: (id: CardId) => ReactNode;
}) {
  const [arrangement, keep] = usePreference("console.cards", readArrangement);
  const grid = usePacked(arranging || arrangement);
  if (arranging)
    return (
      <Suspense>
        <Arrange
          kept={arrangement}
          render={(id) => <Suspense>{render(id)}</Suspense>}
          onCancel={onArranged}
          onDone={(next) => {
            keep(next);
            onArranged();
          }}
        />
      </Suspense>
    );
  return (
    <div className={`${styles.grid} ${styles.packed}`} ref={grid}>
      {arrangement.map(({ id, width }) => (
        <div key={id} data-card={id} data-wide={width > 3 || undefined} style={{ gridColumn: `span ${width}` }}>
          <Suspense fallback={<WaitingCard />}>{render(id)}</Suspense>
        </div>
      ))}
    </div>
  );
}
