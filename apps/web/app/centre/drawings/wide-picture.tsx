import { type ReactNode, useEffect, useId, useRef } from "react";
import styles from "./wide-picture.module.css";

/**
 * A drawing that is wider than a phone. There it is pushed sideways, below a small one of all of it that shows which part is in sight.
 * @param label of the region that is pushed
 * @param alt what the drawing says
 * @param focus share of the width at which a narrow screen opens; the left side where it is left out
 */
export function WidePicture({
  label,
  alt,
  viewBox,
  className,
  focus,
  children,
}: {
  label: string;
  alt: string;
  viewBox: string;
  className: string;
  focus?: number | undefined;
  children: ReactNode;
}) {
  const id = useId();
  const wide = useRef<HTMLElement>(null);
  const seen = useRef<HTMLElement>(null);
  const follow = (): void => {
    const [box, mark] = [wide.current, seen.current];
    if (!box || !mark) return;
    mark.style.left = `${(100 * box.scrollLeft) / box.scrollWidth}%`;
    mark.style.width = `${(100 * box.clientWidth) / box.scrollWidth}%`;
  };
  useEffect(() => {
    const box = wide.current;
    if (box && focus !== undefined && box.scrollWidth > box.clientWidth)
      box.scrollLeft = focus * box.scrollWidth - box.clientWidth / 2;
    follow();
  }, [focus]);
  return (
    <>
      <div className={styles.whole}>
        <svg viewBox={viewBox} aria-hidden="true">
          <use href={`#${id}`} />
        </svg>
        <i ref={seen} />
      </div>
      <section
        ref={wide}
        className={styles.wide}
        aria-label={label}
        onScroll={follow}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
      >
        <svg className={`drawing ${className}`} viewBox={viewBox} role="img" aria-label={alt}>
          {/* The copy above has the styles of what is below this element alone. */}
          <g id={id} className={`drawing ${className}`}>
            {children}
          </g>
        </svg>
      </section>
    </>
  );
}
