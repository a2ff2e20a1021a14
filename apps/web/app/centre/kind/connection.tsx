import type { StreamState } from "../../shared/api/live-stream.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { Age } from "../../shared/states/age.tsx";

/** Whether this page hears the devices, and how old its newest value is. */
export function Connection({ stream, newestAtMs }: { stream: StreamState; newestAtMs: number | undefined }) {
  const t = useTranslate();
  return (
    <>
      {stream === "open" ? (
        <span className="state ok" role="status">
          <span className="live" aria-hidden="true" />
          {t("实时")}
        </span>
      ) : (
        <span className="state off" role="status">
          <Mark name="off" />
          {stream === "connecting" ? t("连接中") : t("连接已断，正在重连")}
        </span>
      )}
      {newestAtMs !== undefined && <Age atMs={newestAtMs} />}
    </>
  );
}
