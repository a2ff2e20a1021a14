import { requestLogs } from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { logNames } from "./log-words.ts";
import styles from "./logs.module.css";

/** The entries of one request in all logs, each leading to itself. @param except the entry that is open, `<kind> <id>` */
export function RequestEntries({ requestId, except = "" }: { requestId: string; except?: string }) {
  const t = useTranslate();
  const loaded = useQuery({
    queryKey: ["service-log", "request", requestId],
    queryFn: ({ signal }) => call(requestLogs, { query: { requestId }, signal, quiet: true }),
    staleTime: 0,
  });
  if (loaded.error)
    return (
      <LoadingProblem error={asApiError(loaded.error)} onRetry={() => void loaded.refetch()} what={t("日志")} kept />
    );
  if (!loaded.data) return <p className="mut">{t("正在查找…")}</p>;
  const entries = loaded.data.filter(({ kind, id }) => `${kind} ${id}` !== except);
  if (entries.length === 0)
    return (
      <p className="mut">
        {t(except === "" ? "三种日志里都没有这个编号：可能抄错了，或已过保留期。" : "没有别的条目。")}
      </p>
    );
  return (
    <ul className={styles.entries}>
      {entries.map(({ kind, id, methodName, told, createTime }) => (
        <li key={`${kind} ${id}`}>
          <Link to={`/system/log/${kind}?request=${encodeURIComponent(requestId)}&row=${id}`}>
            {t(logNames[kind].one)}
          </Link>
          <span className={styles.told} lang={kind === "usual" ? undefined : "en"}>
            {told}
          </span>
          <small className="mut num">
            {methodName} · {createTime}
          </small>
        </li>
      ))}
    </ul>
  );
}
