import { lazy, type ReactNode, Suspense } from "react";
import { usePreference } from "../../shared/query/use-preference.ts";
import styles from "./arrange.module.css";
import { type CardId, readArrangement } from "./arrangement.ts";
import { WaitingCard } from "./waiting-card.tsx";

const Arrange = lazy(() => import("./arrange.tsx").then((part) => ({ default: part.Arrange })));

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
    <div className={styles.grid}>
      {arrangement.map(({ id, width }) => (
        <div key={id} data-card={id} data-wide={width > 3 || undefined} style={{ gridColumn: `span ${width}` }}>
          <Suspense fallback={<WaitingCard />}>{render(id)}</Suspense>
        </div>
      ))}
    </div>
  );
}
