import type { ReactNode } from "react";
import styles from "./offers.module.css";

interface OffersProps {
  /** Of the list, in the chosen language. */
  label: string;
  offers: readonly { id: string; title: string; place: string; note: ReactNode }[];
  onChoose: (id: string) => void;
}

/** Likely first choices where a screen has none yet, each with what speaks for it; nothing where there are none. */
export function Offers({ label, offers, onChoose }: OffersProps) {
  if (offers.length === 0) return null;
  return (
    <ul className={styles.offers} aria-label={label}>
      {offers.map(({ id, title, place, note }) => (
        <li key={id}>
          <button type="button" onClick={() => onChoose(id)}>
            <b>{title}</b>
            <span>{place}</span>
            <span>{note}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
