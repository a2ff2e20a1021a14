import { maintenance } from "@herdwise/contract";
import type { ResourceRow } from "@herdwise/contract/resource";
import { useId } from "react";
import { Link } from "react-router";
import { useLoad } from "../../shared/api/use-load.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { callResource, type RowPage } from "../../shared/resource/resource-api.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import styles from "./maintenance.module.css";

type Entry = ResourceRow<typeof maintenance>;
const shown = 5;

/** The newest entries of the maintenance log of a device or a unit, and the way to all of them. */
export function MaintenanceHere({ deviceId, unitId }: { deviceId?: string; unitId?: string }) {
  const t = useTranslate();
  const id = useId();
  const { permissions } = useAccess();
  const mayView = permissions.has("maintenance_view");
  const where = deviceId === undefined ? { unitId } : { deviceId };
  const [[field, value] = ["", ""]] = Object.entries(where);
  const loaded = useLoad(mayView ? `maintenance of ${field} ${value}` : undefined, async (signal) => {
    const query = { ...where, current: 1, size: shown };
    const page = await callResource<RowPage>(maintenance, "page", { query, signal, quiet: true });
    return { total: page.total, entries: page.records as unknown as readonly Entry[] };
  });
  if (!mayView) return null;
  const { path } = maintenance.menu;
  return (
    <section className="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{t("人工维护")}</h2>
        <span className="spacer" />
        {permissions.has("maintenance_edit") && (
          <Link className="btn small" to={`${path}?row=new&f.${field}=${value}`}>
            <Icon name="plus" small />
            {t("写一条")}
          </Link>
        )}
      </header>
      {loaded.error && <LoadingProblem error={loaded.error} onRetry={loaded.reload} what={t("维护记录")} />}
      {!loaded.value && !loaded.error && <TableSkeleton rows={2} />}
      {loaded.value?.entries.length === 0 && <p className="calm mut">{t("还没有维护记录")}</p>}
      <ul className={styles.here}>
        {loaded.value?.entries.map((entry) => (
          <li key={entry.id}>
            <span className="num mut">{entry.doneOn}</span>
            <Link className="link" to={`${path}?row=${entry.id}&f.${field}=${value}`}>
              <Translated text={entry.work} />
            </Link>
            <span className="mut">
              <Translated text={entry.person} />
              {entry.nextDueOn && ` · ${t("下次 {day}", { day: entry.nextDueOn })}`}
            </span>
          </li>
        ))}
      </ul>
      {loaded.value && loaded.value.total > shown && (
        <p className={styles.all}>
          <Link className="link" to={`${path}?f.${field}=${value}`}>
            {t("全部 {count} 条", { count: loaded.value.total })}
          </Link>
        </p>
      )}
    </section>
  );
}
