import { clientList, clientRemove, type OAuthClient } from "@herdwise/contract";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { CopyButton } from "../../shared/forms/copy-button.tsx";
import { Icon } from "../../shared/icons/icon.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { readPaging, useListAddress } from "../../shared/lists/list-address.ts";
import { Paging } from "../../shared/lists/paging.tsx";
import { useLast } from "../../shared/lists/use-last.ts";
import { WaitingRows } from "../../shared/lists/waiting-rows.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { Confirm } from "../../shared/states/confirm.tsx";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { ClientForm } from "./client-form.tsx";
import "./clients.css";

/** Applications that people may let in with their account. */
export default function Clients() {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const { permissions } = useAccess();
  const [search, change] = useListAddress("row");
  const { current, size } = readPaging(search);
  const loaded = useLoad(`clients ${current} ${size}`, (signal) =>
    call(clientList, { query: { current, size }, signal, quiet: true }),
  );
  const shown = useLast(loaded.value);
  const [edited, setEdited] = useState<OAuthClient | "new">();
  const [removing, setRemoving] = useState<OAuthClient>();
  const mayEdit = permissions.has("client_edit");
  const remove = async (client: OAuthClient): Promise<void> => {
    await call(clientRemove, { query: { ids: client.id } });
    showToast({ kind: "ok", text: "操作成功" });
    loaded.reload();
  };
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("第三方应用")}</h1>
        {shown && <span className="mut num">{t("{count} 个", { count: shown.total })}</span>}
        <span className="spacer" />
        {mayEdit && (
          <button type="button" className="btn primary" onClick={() => setEdited("new")}>
            <Icon name="plus" small />
            {t("登记应用")}
          </button>
        )}
      </div>
      <p className="mut lead">
        {t(
          "应用按 OpenID Connect 接入，发现文档在 /.well-known/openid-configuration。用户同意后，应用才能读取所列范围。",
        )}
      </p>
      {loaded.error && (
        <LoadingProblem error={loaded.error} onRetry={loaded.reload} what={t("应用列表")} kept={shown !== undefined} />
      )}
      <section className="card" aria-label={t("应用列表")}>
        {!shown && !loaded.error && <WaitingRows />}
        {shown && shown.records.length > 0 && (
          <ul className="apps">
            {shown.records.map((client) => (
              <li key={client.id}>
                <div>
                  <b>{client.name}</b>
                  <span className="tag">{client.publicClient ? t("公开应用") : t("机密应用")}</span>
                </div>
                <dl>
                  <div>
                    <dt>{t("应用编号")}</dt>
                    <dd>
                      <code>{client.clientId}</code>
                      <CopyButton text={client.clientId} label={t("应用编号")} />
                    </dd>
                  </div>
                  <div>
                    <dt>{t("回调地址")}</dt>
                    <dd>
                      {client.webServerRedirectUri.split(",").map((uri) => (
                        <code key={uri}>{uri}</code>
                      ))}
                    </dd>
                  </div>
                  <div>
                    <dt>{t("授权范围")}</dt>
                    <dd>
                      <code>{client.scope.replaceAll(",", " ")}</code>
                    </dd>
                  </div>
                  <div>
                    <dt>{t("登记时间")}</dt>
                    <dd className="num">{dayTime(parseWireDateTime(client.createTime))}</dd>
                  </div>
                </dl>
                {mayEdit && (
                  <div className="app-acts">
                    <button
                      type="button"
                      className="btn"
                      aria-label={t("修改 {name}", { name: client.name })}
                      onClick={() => setEdited(client)}
                    >
                      {t("修改")}
                    </button>
                    <button
                      type="button"
                      className="btn danger"
                      aria-label={t("删除 {name}", { name: client.name })}
                      onClick={() => setRemoving(client)}
                    >
                      {t("删除")}
                    </button>
                  </div>
                )}
              </li>
            ))}
          </ul>
        )}
        {shown && shown.records.length === 0 && (
          <ExceptionView type="empty" title={t("还没有登记应用")} text={t("登记后，应用可以请用户用慧牧账号登录。")} />
        )}
        {shown && shown.total > 0 && (
          <Paging page={shown} change={change} words={(range) => t("第 {from}–{to} 条，共 {total} 条", range)} />
        )}
      </section>
      {edited && (
        <ClientForm
          client={edited === "new" ? undefined : edited}
          onSaved={loaded.reload}
          onClose={() => setEdited(undefined)}
        />
      )}
      {removing && (
        <Confirm
          title={t("删除应用“{name}”？", { name: removing.name })}
          action={t("删除")}
          onConfirm={() => remove(removing)}
          onClose={() => setRemoving(undefined)}
        >
          <p>{t("它持有的令牌立即失效，用户须重新授权；不能恢复。")}</p>
        </Confirm>
      )}
    </>
  );
}
