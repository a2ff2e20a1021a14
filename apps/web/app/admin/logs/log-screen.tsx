import { type ApiLog, type ErrorLog, logRetention, type ServiceLogKind, type UsualLog } from "@herdwise/contract";
import type { ListDeclaration } from "@herdwise/contract/resource";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { SearchInput } from "../../shared/kit/search-input.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import type { Cells } from "../../shared/resource/cells.ts";
import { ListScreen } from "../../shared/resource/list-screen.tsx";
import { callDeclared } from "../../shared/resource/resource-api.ts";
import { useList } from "../../shared/resource/use-list.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { logNames } from "./log-words.ts";
import styles from "./logs.module.css";
import { RequestEntries } from "./request-entries.tsx";

const code = ({ value }: { value: unknown }) => <code className={styles.code}>{String(value)}</code>;
const lastOfSuccess = 399;
const cells: Cells = {
  status: function Outcome({ value }) {
    const done = Number(value) <= lastOfSuccess;
    return (
      <>
        <StateTag plain mark={done ? "ok" : "major"} word={done ? "成功" : "没有成功"} />{" "}
        <span className="mut num">{String(value)}</span>
      </>
    );
  },
  methodName: function Operation({ row, value }) {
    const language = useLanguage();
    return (
      <span className={styles.operation}>
        <span title={String(row.title ?? "")}>
          {String((language === "zh" ? row.operationZh : row.operationEn) || value)}
        </span>
        <small>
          {String(row.method)} {String(row.requestUri)}
        </small>
      </span>
    );
  },
  requestUri: code,
  logId: code,
  exceptionName: code,
  message: code,
};

type AnyLog = UsualLog & ApiLog & ErrorLog;

/** What was sent, one value a line. */
const readable = (params: string): string => {
  try {
    return JSON.stringify(JSON.parse(params), null, 2);
  } catch {
    return params;
  }
};

function Detail({
  kind,
  id,
  detail,
  onClose,
}: {
  kind: ServiceLogKind;
  id: string;
  detail: LogDetail;
  onClose: () => void;
}) {
  const t = useTranslate();
  const language = useLanguage();
  const loaded = useQuery({
    queryKey: ["service-log", kind, id],
    queryFn: ({ signal }) => callDeclared<AnyLog>(detail, { query: { id }, signal, quiet: true }),
  });
  const log = loaded.data;
  const facts: readonly (readonly [string, string | undefined])[] = log
    ? [
        ["时间", log.createTime],
        ["请求编号", log.requestId],
        ["登录名", log.createBy],
        ["租户", log.tenantId],
        ["地址", log.remoteIp],
        ["浏览器", log.userAgent],
        [
          "接口操作",
          [language === "zh" ? log.operationZh : log.operationEn, log.methodName].filter(Boolean).join(" · "),
        ],
        ["路径", `${log.method} ${log.requestUri}`],
        ["拒绝原因", log.logData],
        ["状态码", kind === "api" ? String(log.status) : undefined],
        ["耗时", kind === "api" ? `${log.time} ms` : undefined],
        ["类型", log.exceptionName],
        ["错误", log.message],
        ["位置", log.fileName ? `${log.fileName}:${log.lineNumber}` : undefined],
        ["服务器", log.serverHost],
      ]
    : [];
  return (
    <Dialog title={t(logNames[kind].one)} onClose={onClose} footer={<Button onPress={onClose}>{t("关闭")}</Button>}>
      {loaded.error && (
        <LoadingProblem error={asApiError(loaded.error)} onRetry={() => void loaded.refetch()} what={t("日志")} />
      )}
      {!log && !loaded.error && <TableSkeleton rows={8} />}
      {log && (
        <div className={styles.detail}>
          <dl>
            {facts.map(([name, value]) =>
              value ? (
                <div key={name}>
                  <dt>{t(name)}</dt>
                  <dd>{value}</dd>
                </div>
              ) : null,
            )}
          </dl>
          {log.params && (
            <section>
              <h3>{t("参数")}</h3>
              <p className="mut">{t("个人信息和密钥不记，写作 ***。")}</p>
              <pre>{readable(log.params)}</pre>
            </section>
          )}
          {log.stackTrace && (
            <section>
              <h3>{t("调用栈")}</h3>
              <pre>{log.stackTrace}</pre>
            </section>
          )}
          <section>
            <h3>{t("同一请求的条目")}</h3>
            <RequestEntries requestId={log.requestId} except={`${kind} ${id}`} />
          </section>
        </div>
      )}
    </Dialog>
  );
}

type LogDetail = Parameters<typeof callDeclared>[0];
interface LogScreenProps {
  kind: ServiceLogKind;
  of: ListDeclaration;
  detail: LogDetail;
}

/** One of the service's logs: its entries, found by the number of an error message in whichever log they are, and each in full. */
export function LogScreen({ kind, of, detail }: LogScreenProps) {
  const t = useTranslate();
  const { permissions } = useAccess();
  const [search, go] = useAddressValues();
  const list = useList(of);
  const requestId = (search.get("request") ?? "").trim();
  const days = useQuery({
    queryKey: ["service-log", "retention"],
    queryFn: ({ signal }) => call(logRetention, { signal, quiet: true }),
  }).data?.[kind];
  return (
    <>
      <ListScreen list={list} cells={cells} onOpen={(row) => list.change({ row: row.id })}>
        <div className={styles.bar}>
          <SearchInput
            label={t("报错时显示的编号")}
            short={t("错误编号")}
            value={requestId}
            onChange={(word) => go({ request: word.trim() })}
          />
          {days !== undefined && (
            <p className="mut">
              {t("保留 {count} 天", { count: days })}
              {permissions.has("setting_view") && (
                <>
                  {" · "}
                  <Link className="link" to="/system/setting">
                    {t("修改")}
                  </Link>
                </>
              )}
            </p>
          )}
        </div>
        {requestId !== "" && (
          <section className={`card ${styles.found}`} aria-label={t("编号 {id}", { id: requestId })}>
            <h2 className="num">{t("编号 {id}", { id: requestId })}</h2>
            <RequestEntries requestId={requestId} />
          </section>
        )}
      </ListScreen>
      {list.state.row !== "" && (
        <Detail
          key={list.state.row}
          kind={kind}
          id={list.state.row}
          detail={detail}
          onClose={() => list.change({ row: "" })}
        />
      )}
    </>
  );
}
