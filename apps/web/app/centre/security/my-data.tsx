import {
  type DataExport,
  type DataExportState,
  dataExportLink,
  dataExportList,
  dataExportSubmit,
} from "@herdwise/contract";
import type { StateFace } from "@herdwise/contract/resource";
import { useEffect, useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";

const renewMs = 2000;
const words: Readonly<Record<DataExportState, StateFace>> = {
  making: { word: "正在准备", mark: "notice" },
  ready: { word: "可以下载，一次", mark: "ok" },
  fetched: { word: "已下载", mark: "off" },
  over: { word: "过期了", mark: "off" },
  failed: { word: "没有做成，请重新导出", mark: "major" },
};

/** Everything that is held on the person, to take along. */
export function MyData({ onChanged }: { onChanged: () => void }) {
  const t = useTranslate();
  const language = useLanguage();
  const { dayTime, fileSize } = useFormats();
  const { value, error, reload } = useLoad<DataExport[]>("my data", (signal) =>
    call(dataExportList, { signal, quiet: true }),
  );
  const [busy, setBusy] = useState(false);
  const making = value?.some(({ state }) => state === "making") ?? false;
  useEffect(() => {
    if (!making) return;
    const timer = setInterval(reload, renewMs);
    return () => clearInterval(timer);
  }, [making, reload]);
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await work();
    } catch (problem) {
      showToast({ kind: "error", text: tellIn(t, asApiError(problem)) });
    } finally {
      setBusy(false);
      reload();
      onChanged();
    }
  };
  const begin = () =>
    run(async () => {
      await call(dataExportSubmit, { body: { language }, quiet: true });
      showToast({ kind: "ok", text: "正在准备，好了会发消息" });
    });
  const fetchOne = (id: string) =>
    run(async () => {
      const { url } = await call(dataExportLink, { body: { id }, quiet: true });
      location.assign(url);
    });
  return (
    <section className="card" aria-labelledby="my-data-title" id="my-data">
      <header>
        <h2 id="my-data-title">{t("我的数据")}</h2>
        <span className="spacer" />
        <Button icon="download" isDisabled={busy || making} onPress={() => void begin()}>
          {t("导出")}
        </Button>
      </header>
      {error && <LoadingProblem error={error} onRetry={reload} what={t("我的数据")} kept={value !== undefined} />}
      <p className="safe-none">
        {t("{brand}保存的关于您的全部数据：一个压缩包，有能读的网页，也有给程序读的 JSON。7 天内有效，只能下载一次。")}
      </p>
      {value && value.length > 0 && (
        <ul className="safe-rows">
          {value.map(({ id, state, sizeBytes, createTime }) => (
            <li key={id}>
              <Icon name="box" />
              <div>
                <b className="num">{dayTime(parseWireDateTime(createTime))}</b>
                <small>
                  <StateTag plain {...words[state]} />
                  {state === "ready" && ` · ${fileSize(sizeBytes)}`}
                </small>
              </div>
              {state === "ready" && (
                <Button kind="primary" isDisabled={busy} onPress={() => void fetchOne(id)}>
                  {t("下载")}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
