import { useTranslate } from "../language/use-language.ts";
import styles from "./table-skeleton.module.css";

/** Placeholder for the rows of a list until they are loaded, with their final height. */
export function TableSkeleton({ rows = 8 }: { rows?: number }) {
  const t = useTranslate();
  return (
    <div className={styles.skeleton} aria-busy="true">
      <span className="visually-hidden" role="status">
        {t("正在加载")}
      </span>
      {Array.from({ length: rows }, (_, index) => (
        // The lines have no other key.
        <div key={index} className={styles.row}>
          <i />
          <i style={{ width: `${60 + ((index * 37) % 40)}%` }} />
          <i style={{ width: `${20 + ((index * 53) % 60)}%` }} />
          <i style={{ width: "70%" }} />
        </div>
      ))}
    </div>
  );
}
