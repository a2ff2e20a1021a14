import { useSyncExternalStore } from "react";
import { Icon } from "../icons/icon.tsx";
import { Mark } from "../icons/mark.tsx";
import { tellIn } from "../language/tell.ts";
import { useTranslate } from "../language/use-language.ts";
import { areLogsShown, closeToast, type Toast, toastStore } from "./toast-store.ts";

const none: readonly Toast[] = [];
const markOf = { error: "major", ok: "ok", notice: "notice" } as const;

/** Shows the notes of the toast store in a corner, announced politely. */
export function ToastHost() {
  const t = useTranslate();
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read, () => none);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map((toast) => (
        <div key={toast.id} className="toast">
          <span className={`state ${markOf[toast.kind]}`}>
            <Mark name={markOf[toast.kind]} />
          </span>
          <span>
            {tellIn(t, toast)}
            {toast.requestId && (
              <>
                {" "}
                {areLogsShown() ? (
                  <a className="num" href={`/system/log/error?request=${encodeURIComponent(toast.requestId)}`}>
                    {t("编号 {id}", { id: toast.requestId })}
                  </a>
                ) : (
                  <small className="num">{t("编号 {id}", { id: toast.requestId })}</small>
                )}
              </>
            )}
          </span>
          {toast.undo && (
            <button
              type="button"
              className="btn small"
              onClick={() => {
                closeToast(toast.id);
                toast.undo?.().catch(() => undefined);
              }}
            >
              {t("撤销")}
            </button>
          )}
          <button type="button" className="icon-button" aria-label={t("关闭")} onClick={() => closeToast(toast.id)}>
            <Icon name="close" small />
          </button>
        </div>
      ))}
    </div>
  );
}
