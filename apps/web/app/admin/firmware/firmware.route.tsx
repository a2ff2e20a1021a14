import {
  type FirmwarePackage,
  type FirmwareRollout,
  firmwarePage,
  firmwareRolloutPage,
  firmwareRolloutStep,
  firmwareVersions,
  type RolloutStep,
} from "@herdwise/contract";
import type { StateFace } from "@herdwise/contract/resource";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { ConfirmDialog } from "../../shared/kit/dialog.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { NextSteps } from "../../shared/process/next-steps.tsx";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { BeginRollout } from "./begin-rollout.tsx";
import styles from "./firmware.module.css";
import { RolloutDevices } from "./rollout-devices.tsx";
import { UploadPackage } from "./upload-package.tsx";

const kindName = (kind: string): string => kindList.find((listed) => listed.kind === kind)?.name.zh ?? kind;
/** Rows of each part; older ones are asked for. */
const pageSize = 10;
const renewMs = 5000;

const states: Readonly<Record<FirmwareRollout["state"], StateFace>> = {
  running: { word: "进行中", mark: "notice" },
  paused: { word: "已暂停", mark: "minor" },
  stopped: { word: "已停下", mark: "off" },
  done: { word: "已完成", mark: "ok" },
};

/** One stage with how far it is. */
function Stage({ rollout, at }: { rollout: FirmwareRollout; at: number }) {
  const t = useTranslate();
  const { number } = useFormats();
  const { devices, updated, failed, active } = rollout.progress[at] ?? { devices: 0, updated: 0, failed: 0, active: 0 };
  const open = at <= rollout.stage;
  const left = Math.max(0, rollout.maxFailures - rollout.failed);
  const share = (count: number): string => `${devices === 0 ? 0 : (count / devices) * 100}%`;
  return (
    <li className={styles.stage} data-current={(at === rollout.stage && rollout.state !== "done") || undefined}>
      <h4>{t("第 {stage} 级，到 {share}%", { stage: at + 1, share: rollout.stages[at] ?? 100 })}</h4>
      <p className={styles.figure}>
        <b className="num">{number(updated)}</b>
        <span className="mut num"> / {number(devices)}</span>
      </p>
      <div className={styles.bar} aria-hidden="true">
        <i data-part="updated" style={{ width: share(updated) }} />
        <i data-part="active" style={{ width: share(active) }} />
        <i data-part="failed" style={{ width: share(failed) }} />
      </div>
      {failed > 0 ? (
        <span className="state minor">
          <Mark name="minor" />
          {rollout.state === "running" && left > 0
            ? t("{count} 台失败，再有 {left} 台会自己暂停", { count: number(failed), left: number(left) })
            : t("{count} 台失败", { count: number(failed) })}
        </span>
      ) : open && updated === devices ? (
        <span className="state ok">
          <Mark name="ok" />
          {t("全部完成")}
        </span>
      ) : (
        <span className="mut">{open ? t("{count} 台正在升级", { count: number(active) }) : t("还没有放开")}</span>
      )}
    </li>
  );
}

/** A roll-out: its stages, its devices, and the steps that a person can take. */
function Rollout({ rollout, onChanged }: { rollout: FirmwareRollout; onChanged: () => void }) {
  const t = useTranslate();
  const { dayTime, number } = useFormats();
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState<"next" | "stop">();
  const [shown, setShown] = useState(false);
  const step = async (to: RolloutStep): Promise<void> => {
    setBusy(true);
    try {
      await call(firmwareRolloutStep, { body: { id: rollout.id, step: to } });
    } finally {
      setBusy(false);
      onChanged();
    }
  };
  const isOpen = rollout.state === "running" || rollout.state === "paused";
  const current = rollout.progress[rollout.stage];
  const waiting = current ? current.devices - current.updated - current.failed : 0;
  const name = `${rollout.title} ${rollout.version}`;
  return (
    <article className={`card ${styles.rollout}`} aria-label={name}>
      <header>
        <div>
          <h3>{name}</h3>
          <p className="mut">
            <StateTag plain {...states[rollout.state]} /> {t("{count} 台设备", { count: number(rollout.devices) })} ·{" "}
            {dayTime(parseWireDateTime(rollout.createTime))}
          </p>
        </div>
        <span className="spacer" />
        {rollout.state === "running" && rollout.stage + 1 < rollout.stages.length && (
          <Button kind="primary" isDisabled={busy} onPress={() => setAsking("next")}>
            {t("放开下一级")}
          </Button>
        )}
        {rollout.state === "running" && (
          <Button isDisabled={busy} onPress={() => void step("pause").catch(() => undefined)}>
            {t("暂停")}
          </Button>
        )}
        {rollout.state === "paused" && (
          <Button kind="primary" isDisabled={busy} onPress={() => void step("resume").catch(() => undefined)}>
            {t("继续")}
          </Button>
        )}
        {isOpen && (
          <Button kind="danger" isDisabled={busy} onPress={() => setAsking("stop")}>
            {t("停下")}
          </Button>
        )}
      </header>
      {rollout.state === "paused" && rollout.pauseReason === "failures" && (
        <p className={`banner ${styles.banner}`} role="status">
          <span className="state minor">
            <Mark name="minor" />
            {t("失败到了 {count} 台，自己暂停了。查明原因后可以继续或停下。", { count: number(rollout.maxFailures) })}
          </span>
        </p>
      )}
      <ol className={styles.stages}>
        {rollout.stages.map((share, at) => (
          <Stage key={share} rollout={rollout} at={at} />
        ))}
      </ol>
      <p className={styles.more}>
        <Button kind="link" aria-expanded={shown} onPress={() => setShown(!shown)}>
          {t(shown ? "收起设备" : "看每台设备")}
        </Button>
      </p>
      {shown && <RolloutDevices rollout={rollout} onChanged={onChanged} />}
      {asking === "next" && (
        <ConfirmDialog
          title={t("放开下一级？")}
          action={t("放开")}
          kind="primary"
          onConfirm={() => step("next")}
          onClose={() => setAsking(undefined)}
        >
          <p>
            {waiting > 0
              ? t("这一级还有 {count} 台没有完成。放开后，下一级的设备也会开始升级。", { count: number(waiting) })
              : t("这一级已经完成。下一级的设备会开始升级。")}
          </p>
        </ConfirmDialog>
      )}
      {asking === "stop" && (
        <ConfirmDialog
          title={t("停下“{name}”的升级？", { name })}
          action={t("停下")}
          onConfirm={() => step("stop")}
          onClose={() => setAsking(undefined)}
        >
          <p>{t("还没有开始的设备保持现在的版本，正在写的会写完。停下后不能再继续。")}</p>
        </ConfirmDialog>
      )}
    </article>
  );
}

const usePackages = (size: number) =>
  useQuery({
    queryKey: ["firmware", "packages", size],
    queryFn: ({ signal }) => call(firmwarePage, { query: { current: 1, size }, signal, quiet: true }),
    placeholderData: keepPreviousData,
  });

/** What a first roll-out takes. */
const firstSteps = [
  ["上传固件包", "写明给哪类设备、哪个版本。"],
  ["选设备，分几级", "先几台，没问题再多几台，最后全部。"],
  ["看着它走", "每台走到哪一步都看得到，随时可以停下。"],
] as const;

/** Packages, with the way to upload one and to begin a roll-out. */
function Packages({ onBegin }: { onBegin: (of: FirmwarePackage) => void }) {
  const t = useTranslate();
  const { dayTime, fileSize } = useFormats();
  const [size, setSize] = useState(pageSize);
  const loaded = usePackages(size);
  const page = loaded.data;
  if (!page)
    return loaded.error ? (
      <LoadingProblem error={asApiError(loaded.error)} onRetry={() => void loaded.refetch()} what={t("固件包")} />
    ) : (
      <TableSkeleton rows={4} />
    );
  if (page.records.length === 0) return <ExceptionView type="empty" text={t("还没有固件包。上传后可以分级升级。")} />;
  return (
    <>
      <ul className={styles.packages}>
        {page.records.map((one) => (
          <li key={one.id}>
            <div>
              <b>
                {one.title} {one.version}
              </b>
              <span className="mut">
                {t(kindName(one.kind))} · {fileSize(one.sizeBytes)} · {dayTime(parseWireDateTime(one.createTime))}
              </span>
              <code title={one.checksum}>SHA-256 {one.checksum.slice(0, 16)}…</code>
            </div>
            <Button onPress={() => onBegin(one)}>{t("开始升级")}</Button>
          </li>
        ))}
      </ul>
      {page.total > page.records.length && (
        <p className={styles.more}>
          <Button kind="link" onPress={() => setSize(Math.min(500, size * 2))}>
            {t("更早的")}
          </Button>
        </p>
      )}
    </>
  );
}

/** Which versions devices run now, by kind. */
function Versions() {
  const t = useTranslate();
  const { number } = useFormats();
  const loaded = useQuery({
    queryKey: ["firmware", "versions"],
    queryFn: ({ signal }) => call(firmwareVersions, { signal, quiet: true }),
  });
  if (!loaded.data)
    return loaded.error ? (
      <LoadingProblem
        error={asApiError(loaded.error)}
        onRetry={() => void loaded.refetch()}
        what={t("设备的固件版本")}
      />
    ) : (
      <TableSkeleton rows={5} />
    );
  if (loaded.data.length === 0) return null;
  return (
    <section aria-labelledby="versions-title" className={`card ${styles.part}`}>
      <header>
        <h2 id="versions-title">{t("设备的固件版本")}</h2>
      </header>
      <ul className={styles.versions}>
        {[...Map.groupBy(loaded.data, ({ kind }) => kind)].map(([kind, versions]) => (
          <li key={kind}>
            <b>{t(kindName(kind))}</b>
            <span className="num">
              {t("{count} 台设备", { count: number(versions.reduce((sum, { devices }) => sum + devices, 0)) })}
            </span>
            <span>
              {versions.map(({ version, devices }) => (
                <span key={version} className={version === "" ? "mut num" : "num"}>
                  {version === "" ? t("没有报过版本") : version}
                  {versions.length > 1 && <small> {t("{count} 台", { count: number(devices) })}</small>}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Firmware of devices: packages, and roll-outs in stages. */
export default function Firmware() {
  const t = useTranslate();
  const client = useQueryClient();
  const [size, setSize] = useState(pageSize);
  const [uploading, setUploading] = useState(false);
  const [beginning, setBeginning] = useState<FirmwarePackage>();
  const loaded = useQuery({
    queryKey: ["firmware", "rollouts", size],
    queryFn: ({ signal }) => call(firmwareRolloutPage, { query: { current: 1, size }, signal, quiet: true }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.records.some((rollout) => rollout.state === "running") ? renewMs : false,
  });
  const page = loaded.data;
  const packages = usePackages(pageSize);
  /** Nothing was uploaded yet, so that there is nothing to list. */
  const isNew = packages.data?.total === 0 && page?.total === 0;
  const reload = (): void => void client.invalidateQueries({ queryKey: ["firmware"] });
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("固件升级")}</h1>
        <span className="spacer" />
        <Button kind="primary" icon="upload" onPress={() => setUploading(true)}>
          {t("上传固件包")}
        </Button>
      </div>
      {!isNew && (
        <p className={`mut ${styles.lead}`}>{t("一级没问题才放下一级。停下只停还没开始的，正在写的会写完。")}</p>
      )}
      <section aria-labelledby="rollouts-title" className={styles.part}>
        <h2 id="rollouts-title" className={isNew ? "visually-hidden" : undefined}>
          {t("升级")}
        </h2>
        {!page && !loaded.error && <TableSkeleton rows={5} />}
        {!page && loaded.error && (
          <LoadingProblem error={asApiError(loaded.error)} onRetry={() => void loaded.refetch()} what={t("升级")} />
        )}
        {page?.records.length === 0 && isNew && (
          <div className={styles.how}>
            <p className="mut">{t("还没有固件包。上传后可以分级升级。")}</p>
            <NextSteps title={t("怎么升级")} steps={firstSteps.map(([what, note]) => [t(what), t(note)] as const)} />
          </div>
        )}
        {page?.records.length === 0 && !isNew && (
          <div className="card">
            <ExceptionView type="empty" text={t("还没有升级过。先上传固件包，再从它开始。")} />
          </div>
        )}
        {page?.records.map((rollout) => (
          <Rollout key={rollout.id} rollout={rollout} onChanged={reload} />
        ))}
        {page && page.total > page.records.length && (
          <Button kind="link" onPress={() => setSize(Math.min(500, size * 2))}>
            {t("更早的")}
          </Button>
        )}
      </section>
      {!isNew && (
        <section aria-labelledby="packages-title" className={styles.part}>
          <h2 id="packages-title">{t("固件包")}</h2>
          <div className="card">
            <Packages onBegin={setBeginning} />
          </div>
        </section>
      )}
      <Versions />
      {uploading && <UploadPackage onDone={reload} onClose={() => setUploading(false)} />}
      {beginning && <BeginRollout of={beginning} onDone={reload} onClose={() => setBeginning(undefined)} />}
    </>
  );
}
