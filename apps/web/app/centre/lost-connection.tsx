import { useEffect, useSyncExternalStore } from "react";
import { screenAt } from "../screens.ts";
import { backOffMs } from "../shared/api/live-stream.ts";
import { fetchNoted, noteReach, reach } from "../shared/api/reach.ts";
import { Mark } from "../shared/icons/mark.tsx";
import { useFormats, useTranslate } from "../shared/language/use-language.ts";
import { Age } from "../shared/states/age.tsx";
import { showToast } from "../shared/states/toast-store.ts";
import { isFetchedAhead } from "./fetch-ahead.ts";

/** The cheapest question that the server answers. */
const probePath = "/healthz";
/** A farm's uplink may take its time; the next try comes after it. */
const probeLimitMs = 10_000;

/** Asks until the server is heard, more and more rarely, and at once when the browser says that a network is there. Returns its end. */
function probe(): () => void {
  let attempt = 0;
  let timer: ReturnType<typeof setTimeout>;
  const ask = (): void => {
    // A refusal to connect is noted as a lost connection, which it is already; a time-out says nothing.
    fetchNoted(probePath, { cache: "no-store", signal: AbortSignal.timeout(probeLimitMs) }).catch(() => undefined);
    timer = setTimeout(ask, backOffMs(attempt));
    attempt += 1;
  };
  const askNow = (): void => {
    clearTimeout(timer);
    attempt = 0;
    ask();
  };
  window.addEventListener("online", askNow);
  timer = setTimeout(ask, backOffMs(0));
  return () => {
    clearTimeout(timer);
    window.removeEventListener("online", askNow);
  };
}

/** Keeps a click from leaving for a page that can't come: the browser would show its own error in place of the last values. */
function keepPage(): () => void {
  const onClick = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
    if (!link || link.target === "_blank" || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { origin, pathname, hash, search } = new URL(link.href);
    const stays =
      origin === location.origin && pathname === location.pathname && search === location.search && hash !== "";
    if (stays || (origin === location.origin && screenAt(pathname) && isFetchedAhead())) return;
    event.preventDefault();
    event.stopPropagation();
    showToast({ kind: "notice", text: "没有网络，这个页面现在打不开。网络恢复后再点一次。" });
  };
  // Before React, which listens at the document.
  window.addEventListener("click", onClick, true);
  return () => window.removeEventListener("click", onClick, true);
}

/** While the server is not heard: says so and since when, keeps the page and its values, and goes on by itself. */
export function LostConnection() {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const lostAtMs = useSyncExternalStore(reach.subscribe, reach.lostAtMs, () => undefined);
  const lost = lostAtMs !== undefined;
  useEffect(() => {
    const onOffline = (): void => noteReach(false);
    window.addEventListener("offline", onOffline);
    return () => window.removeEventListener("offline", onOffline);
  }, []);
  useEffect(() => (lost ? probe() : undefined), [lost]);
  useEffect(() => (lost ? keepPage() : undefined), [lost]);
  return (
    <div className="lost-connection" role="status">
      {lost && (
        <>
          <span className="state off">
            <Mark name="off" />
            {t("连接已断开")}
          </span>
          <span>
            {t("自 {time} 起", { time: dayTime(lostAtMs) })} <Age atMs={lostAtMs} />
          </span>
          <span className="mut">{t("这里是最后取到的数值；连接恢复后会自己继续。")}</span>
        </>
      )}
    </div>
  );
}
