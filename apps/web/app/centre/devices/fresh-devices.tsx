import { useState } from "react";
import { Link } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { Button } from "../../shared/kit/button.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { kindPath } from "../kind/kind-view.ts";
import styles from "./bind.module.css";
import { FirstValue, useFresh } from "./first-value.tsx";

const shownAtFirst = 5;

/** Devices that came lately, by label, list, sheet or by themselves: what each told first, or what to look at while it is waited for. */
export function FreshDevices() {
  const t = useTranslate();
  const { data, error, refetch } = useFresh();
  const [all, setAll] = useState(false);
  // Those that are waited for stand first.
  const devices = (data ?? []).toSorted(
    (a, b) => Number(a.reportedAtMs !== undefined) - Number(b.reportedAtMs !== undefined) || b.sinceMs - a.sinceMs,
  );
  const shown = all ? devices : devices.slice(0, shownAtFirst);
  return (
    <section className="card" aria-labelledby="fresh-title">
      <header>
        <h2 id="fresh-title">{t("最近 7 天来的设备")}</h2>
      </header>
      {error && (
        <LoadingProblem error={asApiError(error)} onRetry={() => void refetch()} what={t("设备")} kept={!!data} />
      )}
      {!data && !error && <TableSkeleton rows={3} />}
      {data?.length === 0 && (
        <p className="calm mut">
          {t("还没有。扫码、批量、表格导入或设备自注册来的，都会出现在这里，等到第一条数据为止。")}
        </p>
      )}
      <ul className={styles.fresh}>
        {shown.map((device) => {
          const path = device.came === "bound" ? kindPath(device.kind, "device", device.deviceId) : "";
          return (
            <li key={device.deviceId}>
              <p>
                <b>
                  {path === "" ? (
                    <Translated text={device.deviceName} />
                  ) : (
                    <Link className="link" to={path}>
                      <Translated text={device.deviceName} />
                    </Link>
                  )}
                </b>{" "}
                <span className="mut num">{device.serialNumber}</span>
                {device.place !== "" && (
                  <span className="mut">
                    {" "}
                    <Translated text={device.place} />
                  </span>
                )}
              </p>
              <FirstValue device={device} brief />
            </li>
          );
        })}
      </ul>
      {devices.length > shownAtFirst && !all && (
        <p className={styles.more}>
          <Button kind="link" onPress={() => setAll(true)}>
            {t("全部 {count} 台", { count: devices.length })}
          </Button>
        </p>
      )}
    </section>
  );
}
