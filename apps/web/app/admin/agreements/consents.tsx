import { agreementConsentExport, agreementConsentPage } from "@herdwise/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Button } from "../../shared/kit/button.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { WordField } from "../../shared/lists/filters.tsx";
import { readPaging, useListAddress } from "../../shared/lists/list-address.ts";
import { Paging } from "../../shared/lists/paging.tsx";
import { WaitingRows } from "../../shared/lists/waiting-rows.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { tellJobBegun } from "../../shared/session/job-begun.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { kindWords } from "./words.ts";

/** Who agreed to a version, or to any, and when. */
export function Consents({ versionId }: { versionId: string | undefined }) {
  const t = useTranslate();
  const nameOf = useNames();
  const language = useLanguage();
  const { dayTime } = useFormats();
  const mayExport = useAccess().permissions.has("agreement_export");
  const [search, change] = useListAddress("version");
  const keyword = search.get("q") ?? "";
  const filter = { ...(versionId && { versionId }), ...(keyword && { keyword }) };
  const query = { ...readPaging(search), ...filter };
  const loaded = useQuery({
    queryKey: ["agreements", "consents", query],
    queryFn: ({ signal }) => call(agreementConsentPage, { query, signal, quiet: true }),
    placeholderData: keepPreviousData,
  });
  const page = loaded.data;
  const begin = (): void =>
    void call(agreementConsentExport, { body: { ...filter, language } }).then(
      () => {
        tellJobBegun();
        showToast({ kind: "ok", text: "导出已开始，完成后在顶栏和消息里下载" });
      },
      // A refusal shows as a toast.
      () => undefined,
    );
  return (
    <>
      {/* Where nobody agreed yet, as of a draft, there is nothing to search. */}
      {(keyword !== "" || (page && page.total > 0)) && (
        <search className="filters">
          <WordField label={t("登录名或姓名")} value={keyword} onChange={(q) => change({ q })} />
          <span className="spacer" />
          {mayExport && page && page.total > 0 && (
            <Button small icon="download" onPress={begin}>
              {t("导出")}
            </Button>
          )}
        </search>
      )}
      {loaded.error && (
        <LoadingProblem
          error={asApiError(loaded.error)}
          onRetry={() => void loaded.refetch()}
          what={t("同意记录")}
          kept={page !== undefined}
        />
      )}
      {!page && !loaded.error && <WaitingRows rows={6} />}
      {page && page.records.length === 0 && (
        <ExceptionView
          type="empty"
          title={t(keyword ? "没有符合条件的记录" : "还没有人同意")}
          text={t(keyword ? "放宽条件再看，或清除全部条件。" : "发布以后，每个人登录时会请他同意，记在这里。")}
        />
      )}
      {page && page.records.length > 0 && (
        <>
          <div className="tbl-wrap wide-only">
            <table className="tbl">
              <thead>
                <tr>
                  <th scope="col">{t("谁")}</th>
                  <th scope="col">{t("所属组织")}</th>
                  <th scope="col">{t("协议")}</th>
                  <th scope="col">{t("同意时间")}</th>
                </tr>
              </thead>
              <tbody>
                {page.records.map((one) => (
                  <tr key={`${one.accountId} ${one.kind} ${one.version}`}>
                    <th scope="row">
                      {one.contactName} <span className="mut">{one.account}</span>
                    </th>
                    <td>{one.tenants.split(",").map(nameOf).join("、")}</td>
                    <td>
                      {t(kindWords[one.kind])} <span className="num">{one.version}</span>
                    </td>
                    <td className="num">{dayTime(parseWireDateTime(one.agreeTime))}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <ul className="cards narrow-only">
            {page.records.map((one) => (
              <li key={`${one.accountId} ${one.kind} ${one.version}`}>
                <div>
                  <b>
                    {one.contactName} <span className="mut">{one.account}</span>
                  </b>
                  <span className="words num">{dayTime(parseWireDateTime(one.agreeTime))}</span>
                  <span className="mut">
                    {t(kindWords[one.kind])} {one.version}
                  </span>
                </div>
              </li>
            ))}
          </ul>
          <Paging page={page} change={change} words={(range) => t("第 {from}–{to} 条，共 {total} 条", range)} />
        </>
      )}
    </>
  );
}
