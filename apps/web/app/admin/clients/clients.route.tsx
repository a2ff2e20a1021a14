import { clientRemove, type OAuthClient } from "@herdwise/contract";
import { clientRows } from "@herdwise/contract/lists";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { CopyButton } from "../../shared/forms/copy-button.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import type { Cells } from "../../shared/resource/cells.ts";
import type { Row } from "../../shared/resource/form-values.ts";
import { ListScreen } from "../../shared/resource/list-screen.tsx";
import { keysOf } from "../../shared/resource/resource-api.ts";
import { useList } from "../../shared/resource/use-list.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { Confirm } from "../../shared/states/confirm.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { ClientForm } from "./client-form.tsx";
import "./clients.css";

const clientOf = (row: Row): OAuthClient => row as unknown as OAuthClient;

const cells: Cells = {
  name: ({ value }) => <b>{String(value)}</b>,
  clientId: function ClientId({ value }) {
    const t = useTranslate();
    return (
      <span className="app-id">
        <code>{String(value)}</code>
        <CopyButton text={String(value)} label={t("应用编号")} />
      </span>
    );
  },
  webServerRedirectUri: ({ value }) => <code title={String(value)}>{String(value).replaceAll(",", " ")}</code>,
  scope: ({ value }) => <code>{String(value).replaceAll(",", " ")}</code>,
};

/** Applications that people may let in with their account. */
export default function Clients() {
  const t = useTranslate();
  const queries = useQueryClient();
  const mayEdit = useAccess().permissions.has("client_edit");
  const [edited, setEdited] = useState<OAuthClient | "new">();
  const [removing, setRemoving] = useState<OAuthClient>();
  const renew = (): void => void queries.invalidateQueries({ queryKey: keysOf(clientRows) });
  const remove = async (client: OAuthClient): Promise<void> => {
    await call(clientRemove, { query: { ids: client.id } });
    showToast({ kind: "ok", text: "操作成功" });
    renew();
  };
  return (
    <>
      <ListScreen
        list={useList(clientRows)}
        cells={cells}
        {...(mayEdit && {
          onOpen: (row: Row) => setEdited(clientOf(row)),
          actions: (row: Row) => [
            { id: "edit", icon: "edit" as const, name: t("修改"), onAction: () => setEdited(clientOf(row)) },
            {
              id: "remove",
              icon: "trash" as const,
              name: t("删除"),
              danger: true,
              onAction: () => setRemoving(clientOf(row)),
            },
          ],
        })}
        nothing="登记后，应用可以请用户用{brand}账号登录。"
        main={
          mayEdit && {
            icon: "plus",
            name: t("登记应用"),
            short: t("登记应用"),
            onAction: () => setEdited("new"),
          }
        }
      >
        <p className="mut lead">
          {t(
            "应用按 OpenID Connect 接入，发现文档在 /.well-known/openid-configuration。用户同意后，应用才能读取所列范围。",
          )}
        </p>
      </ListScreen>
      {edited && (
        <ClientForm
          client={edited === "new" ? undefined : edited}
          onSaved={renew}
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
