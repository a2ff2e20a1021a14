/** A line of text that is still to come, at its final size. */
export function Skeleton({ width = 6 }: { width?: number }) {
  return (
    <span className="skeleton" aria-hidden="true">
      {"　".repeat(width)}
    </span>
  );
}
