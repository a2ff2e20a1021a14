import { correctionPage, type Translation } from "@herdwise/contract";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { Picker, WordField } from "../../shared/lists/filters.tsx";
import { known, readPaging, useListAddress } from "../../shared/lists/list-address.ts";
import { Paging } from "../../shared/lists/paging.tsx";
import { useLast } from "../../shared/lists/use-last.ts";
import { WaitingRows } from "../../shared/lists/waiting-rows.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { CorrectionForm } from "./correction-form.tsx";
import "./translations.css";

const makers = ["machine", "editor"] as const;
const empty: Translation = {
  source: "",
  language: "en",
  translation: "",
  machine: false,
  provider: "",
  updateTime: "",
};

/** Texts that come as data, as they were translated; an editor's words go before those of a machine. */
export default function Translations() {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const { permissions } = useAccess();
  const [search, change] = useListAddress("row");
  const keyword = (search.get("word") ?? "").slice(0, 100);
  const maker = known(search.get("maker"), makers);
  const { current, size } = readPaging(search);
  const query = {
    current,
    size,
    ...(keyword === "" ? {} : { keyword }),
    ...(maker ? { machine: maker === "machine" } : {}),
  };
  const loaded = useLoad(`translations ${JSON.stringify(query)}`, (signal) =>
    call(correctionPage, { query, signal, quiet: true }),
  );
  const shown = useLast(loaded.value);
  const [edited, setEdited] = useState<Translation>();
  const mayEdit = permissions.has("translation_edit");
  const filtered = keyword !== "" || maker !== undefined;
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("译文校对")}</h1>
        {shown && <span className="mut num">{t("{count} 条", { count: shown.total })}</span>}
        <span className="spacer" />
        {mayEdit && (
          <button type="button" className="btn primary" onClick={() => setEdited(empty)}>
            <Icon name="plus" small />
            {t("新增译文")}
          </button>
        )}
      </div>
      {loaded.error && (
        <LoadingProblem error={loaded.error} onRetry={loaded.reload} what={t("译文")} kept={shown !== undefined} />
      )}
      <section className="card" aria-label={t("译文")}>
        <search className="filters">
          <WordField label={t("原文或译文")} value={keyword} onChange={(word) => change({ word })} />
          <Picker
            label={t("来源")}
            value={maker ?? ""}
            options={[
              ["machine", t("机器翻译")],
              ["editor", t("人工校对")],
            ]}
            onChange={(next) => change({ maker: next })}
          />
        </search>
        <div className={loaded.loading && shown && !loaded.value ? "dim" : ""}>
          {!shown && !loaded.error && <WaitingRows />}
          {shown && shown.records.length > 0 && (
            <ul className="texts">
              {shown.records.map((row) => (
                <li key={`${row.language} ${row.source}`}>
                  <p lang={row.language === "en" ? "zh-CN" : "en"}>{row.source}</p>
                  <p lang={row.language === "en" ? "en" : "zh-CN"}>{row.translation}</p>
                  <span className={row.machine ? "state minor" : "state ok"}>
                    <Mark name={row.machine ? "minor" : "ok"} />
                    {row.machine ? t("机器翻译") : t("人工校对")}
                  </span>
                  <span className="mut num">{dayTime(parseWireDateTime(row.updateTime))}</span>
                  {mayEdit && (
                    <button
                      type="button"
                      className="btn"
                      aria-label={t("校对 {text}", { text: row.translation })}
                      onClick={() => setEdited(row)}
                    >
                      {t("校对")}
                    </button>
                  )}
                </li>
              ))}
            </ul>
          )}
          {shown && shown.records.length === 0 && (
            <ExceptionView
              type="empty"
              title={filtered ? t("没有符合条件的译文") : t("还没有译文")}
              text={
                filtered
                  ? t("放宽条件再看，或清除全部条件。")
                  : t("页面用英文打开时，场区、设备等名称会翻译并保存在这里。")
              }
            />
          )}
        </div>
        {shown && shown.total > 0 && (
          <Paging page={shown} change={change} words={(range) => t("第 {from}–{to} 条，共 {total} 条", range)} />
        )}
      </section>
      {edited && (
        <CorrectionForm
          row={edited}
          onDone={() => {
            setEdited(undefined);
            loaded.reload();
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}
