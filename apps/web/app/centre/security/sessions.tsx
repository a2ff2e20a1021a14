import { type SessionRow, sessionRemove } from "@herdwise/contract";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import type { Loading } from "../../shared/api/use-load.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Confirm } from "../../shared/states/confirm.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Skeleton } from "../../shared/states/skeleton.tsx";
import { showToast } from "../../shared/states/toast-store.ts";

/** Where this account is signed in, with an end for each. */
export function Sessions({ sessions }: { sessions: Loading<SessionRow[]> }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const { value, error, reload } = sessions;
  const [ending, setEnding] = useState<SessionRow[]>();
  const usedTime = (row: SessionRow): string => dayTime(parseWireDateTime(row.lastSeenAt));
  const others = value?.filter(({ current }) => !current) ?? [];
  const end = async (rows: readonly SessionRow[]): Promise<void> => {
    await call(sessionRemove, { query: { ids: rows.map(({ id }) => id).join(",") } });
    showToast({ kind: "ok", text: "登录已结束" });
    reload();
  };
  return (
    <section className="card" aria-labelledby="sessions-title">
      <header>
        <h2 id="sessions-title">{t("登录设备")}</h2>
        <span className="spacer" />
        {others.length > 1 && (
          <button type="button" className="btn" onClick={() => setEnding(others)}>
            {t("结束其他全部登录")}
          </button>
        )}
      </header>
      {error && <LoadingProblem error={error} onRetry={reload} what={t("登录设备")} kept={value !== undefined} />}
      <ul className="safe-rows" aria-busy={!value && !error}>
        {value
          ? value.map((row) => (
              <li key={row.id}>
                <Icon name="devices" />
                <div>
                  <b>{row.device || t("未知设备")}</b>
                  {row.current && <span className="tag ok">{t("本机")}</span>}
                  <small className="num">
                    <Translated text={row.tenantName} />　{row.address}
                  </small>
                  <small className="num">
                    {t("{time} 登录", { time: dayTime(parseWireDateTime(row.createTime)) })}
                    {row.current
                      ? ` · ${t("正在使用")}`
                      : usedTime(row) !== dayTime(parseWireDateTime(row.createTime)) &&
                        ` · ${t("{time} 用过", { time: usedTime(row) })}`}
                  </small>
                </div>
                {!row.current && (
                  <button
                    type="button"
                    className="btn"
                    aria-label={t("结束 {device} 上的登录", { device: row.device })}
                    onClick={() => setEnding([row])}
                  >
                    {t("结束")}
                  </button>
                )}
              </li>
            ))
          : !error &&
            [12, 16].map((width) => (
              <li key={width}>
                <Icon name="devices" />
                <div>
                  <Skeleton width={width} />
                </div>
              </li>
            ))}
      </ul>
      {ending && (
        <Confirm
          title={ending.length > 1 ? t("结束其他 {count} 处登录？", { count: ending.length }) : t("结束这处登录？")}
          action={t("结束")}
          onConfirm={() => end(ending)}
          onClose={() => setEnding(undefined)}
        >
          {ending.length === 1 && <p>{ending[0]?.device}</p>}
          <p>{t("那里要重新登录才能继续使用，没有保存的内容会丢失。")}</p>
        </Confirm>
      )}
    </section>
  );
}
