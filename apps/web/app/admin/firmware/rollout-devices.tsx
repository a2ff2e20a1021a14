import { type FirmwareRollout, type FirmwareState, firmwareUpdatePage, firmwareUpdateRetry } from "@herdwise/contract";
import type { StateFace } from "@herdwise/contract/resource";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Button } from "../../shared/kit/button.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import styles from "./firmware.module.css";

const pageSize = 20;
const renewMs = 5000;

const states: Readonly<Record<FirmwareState, StateFace>> = {
  WAITING: { word: "等待放开", mark: "empty" },
  QUEUED: { word: "已下发，等设备来取", mark: "notice" },
  DOWNLOADING: { word: "正在下载", mark: "notice" },
  DOWNLOADED: { word: "已下载", mark: "notice" },
  VERIFIED: { word: "校验通过", mark: "notice" },
  UPDATING: { word: "正在写入", mark: "notice" },
  UPDATED: { word: "已升级", mark: "ok" },
  FAILED: { word: "失败", mark: "major" },
};

/** The devices of a roll-out: failed ones first. */
export function RolloutDevices({ rollout, onChanged }: { rollout: FirmwareRollout; onChanged: () => void }) {
  const t = useTranslate();
  const { dayTime, number } = useFormats();
  const [current, setCurrent] = useState(1);
  const loaded = useQuery({
    queryKey: ["firmware", "updates", rollout.id, current],
    queryFn: ({ signal }) =>
      call(firmwareUpdatePage, { query: { rolloutId: rollout.id, current, size: pageSize }, signal, quiet: true }),
    placeholderData: keepPreviousData,
    refetchInterval: rollout.state === "running" ? renewMs : false,
  });
  const page = loaded.data;
  if (!page)
    return loaded.error ? (
      <LoadingProblem error={asApiError(loaded.error)} onRetry={() => void loaded.refetch()} what={t("设备")} />
    ) : (
      <TableSkeleton rows={4} />
    );
  const retry = (deviceId: string): Promise<void> =>
    call(firmwareUpdateRetry, { body: { rolloutId: rollout.id, deviceId } }).then(onChanged, onChanged);
  return (
    <>
      <ul className={styles.devices}>
        {page.records.map((update) => {
          return (
            <li key={update.deviceId}>
              <div className={styles.device}>
                <b>
                  <Translated text={update.deviceName} />
                </b>
                <span className="mut">
                  <span className="num">{update.serialNumber}</span> · <Translated text={update.tenantName} />
                </span>
              </div>
              <StateTag plain {...states[update.state]} />
              <span className="num">
                {update.firmwareVersion || "--"}
                {update.state !== "UPDATED" && ` → ${rollout.version}`}
              </span>
              <span className="mut">
                {update.error && <span className={styles.error}>{update.error} · </span>}
                <span className="num">{dayTime(parseWireDateTime(update.changeTime))}</span>
              </span>
              {update.state === "FAILED" && rollout.state === "running" ? (
                <Button small onPress={() => void retry(update.deviceId)}>
                  {t("再试")}
                </Button>
              ) : (
                <span />
              )}
            </li>
          );
        })}
      </ul>
      {page.pages > 1 && (
        <p className={styles.more}>
          <Button small isDisabled={current <= 1} onPress={() => setCurrent(current - 1)}>
            {t("上一页")}
          </Button>
          <span className="mut num">
            {number(page.current)} / {number(page.pages)}
          </span>
          <Button small isDisabled={current >= page.pages} onPress={() => setCurrent(current + 1)}>
            {t("下一页")}
          </Button>
        </p>
      )}
    </>
  );
}
