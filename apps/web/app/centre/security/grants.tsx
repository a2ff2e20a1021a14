import { type Grant, grantList, grantRemove } from "@herdwise/contract";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Confirm } from "../../shared/states/confirm.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Skeleton } from "../../shared/states/skeleton.tsx";
import { showToast } from "../../shared/states/toast-store.ts";

/** Applications that this person let in, with what each may do and the way to take it back. */
export function Grants() {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const joinClauses = useJoin("clauses");
  const { value, error, reload } = useLoad("grants", (signal) => call(grantList, { signal, quiet: true }));
  const [ending, setEnding] = useState<Grant>();
  const takeBack = async (grant: Grant): Promise<void> => {
    await call(grantRemove, { query: { ids: grant.id } });
    showToast({ kind: "ok", text: "授权已收回" });
    reload();
  };
  return (
    <section className="card" aria-labelledby="grants-title">
      <header>
        <h2 id="grants-title">{t("已授权应用")}</h2>
      </header>
      {error && <LoadingProblem error={error} onRetry={reload} what={t("已授权应用")} kept={value !== undefined} />}
      {value?.length === 0 && (
        <p className="safe-none">{t("还没有应用使用您的账号。用{brand}账号登录其他应用后，会列在这里。")}</p>
      )}
      <ul className="safe-rows" aria-busy={!value && !error}>
        {value
          ? value.map((grant) => (
              <li key={grant.id}>
                <Icon name="shield" />
                <div>
                  <b>{grant.clientName}</b>
                  <small>{joinClauses(grant.scopes.map((words) => t(words)))}</small>
                  <small className="num">
                    {t("{time} 授权", { time: dayTime(parseWireDateTime(grant.createTime)) })}
                  </small>
                </div>
                <button
                  type="button"
                  className="btn"
                  aria-label={t("收回 {name} 的授权", { name: grant.clientName })}
                  onClick={() => setEnding(grant)}
                >
                  {t("收回")}
                </button>
              </li>
            ))
          : !error && (
              <li>
                <Icon name="shield" />
                <div>
                  <Skeleton width={14} />
                </div>
              </li>
            )}
      </ul>
      {ending && (
        <Confirm
          title={t("收回“{name}”的授权？", { name: ending.clientName })}
          action={t("收回")}
          onConfirm={() => takeBack(ending)}
          onClose={() => setEnding(undefined)}
        >
          <p>{t("它拿到的令牌立即失效。再次使用时，要重新征得您的同意。")}</p>
        </Confirm>
      )}
    </section>
  );
}
