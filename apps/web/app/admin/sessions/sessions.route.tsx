import { type OnlineSession, onlineSessionEnd } from "@herdwise/contract";
import { onlineSessionList } from "@herdwise/contract/lists";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { call } from "../../shared/api/call.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { Nothing } from "../../shared/resource/cell.tsx";
import type { Cells } from "../../shared/resource/cells.ts";
import type { Row } from "../../shared/resource/form-values.ts";
import { ListScreen } from "../../shared/resource/list-screen.tsx";
import { keysOf } from "../../shared/resource/resource-api.ts";
import { useList } from "../../shared/resource/use-list.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { Confirm } from "../../shared/states/confirm.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { LeakedToken } from "./leaked-token.tsx";

const sessionOf = (row: Row): OnlineSession => row as unknown as OnlineSession;

const cells: Cells = {
  personName: function Person({ row }) {
    const { personName, current } = sessionOf(row);
    return (
      <>
        <Translated text={personName} />{" "}
        {current && (
          <small>
            <StateTag plain word="当前会话" mark="ok" />
          </small>
        )}
      </>
    );
  },
  tenantName: ({ value }) => <Translated text={String(value)} />,
  device: function Device({ value }) {
    if (value === "") return <Nothing />;
    return String(value)
      .split(", ")
      .map((part, index) => (
        <span key={part}>
          {index > 0 && ", "}
          <Translated text={part} />
        </span>
      ));
  },
};

/** Who is logged in to the portal; staff with the right end one session, or all of a person. */
export default function Sessions() {
  const t = useTranslate();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { permissions, user } = useAccess();
  const list = useList(onlineSessionList);
  const [ending, setEnding] = useState<{ session: OnlineSession; all: boolean }>();
  const [leaked, setLeaked] = useState(false);
  const mayEnd = permissions.has("session_end");
  const end = async ({ session, all }: { session: OnlineSession; all: boolean }): Promise<void> => {
    const body = all ? { accountId: session.accountId } : { ids: session.id };
    const { ended } = await call(onlineSessionEnd, { body });
    showToast({ kind: "ok", text: "已结束 {count} 个会话，并告知了本人", values: { count: ended } });
    void client.invalidateQueries({ queryKey: keysOf(onlineSessionList) });
  };
  return (
    <>
      <ListScreen
        list={list}
        cells={cells}
        actions={(row) => {
          const session = sessionOf(row);
          return [
            ...(mayEnd && !session.current
              ? [
                  {
                    id: "end",
                    icon: "exit" as const,
                    name: t("结束这个会话"),
                    danger: true,
                    onAction: () => setEnding({ session, all: false }),
                  },
                ]
              : []),
            ...(mayEnd
              ? [
                  {
                    id: "end-all",
                    icon: "lock" as const,
                    name: t(session.accountId === user.user_id ? "结束我在别处的会话" : "结束这个人的全部会话"),
                    danger: true,
                    onAction: () => setEnding({ session, all: true }),
                  },
                ]
              : []),
            ...(permissions.has("audit_view")
              ? [
                  {
                    id: "trail",
                    icon: "history" as const,
                    name: t("做过的操作"),
                    onAction: () => void navigate(`/system/audit?by=person&person=${session.accountId}`),
                  },
                ]
              : []),
          ];
        }}
        nothing="有人登录后会出现在这里。"
        actionsOnAll={[{ id: "leaked", icon: "search", name: t("查泄露的访问令牌"), onAction: () => setLeaked(true) }]}
      />
      {leaked && <LeakedToken mayEnd={mayEnd} onClose={() => setLeaked(false)} />}
      {ending && (
        <Confirm
          title={t(ending.all ? "结束 {name} 的全部会话？" : "结束 {name} 的这个会话？", {
            name: ending.session.personName,
          })}
          action={t("结束")}
          onConfirm={() => end(ending)}
          onClose={() => setEnding(undefined)}
        >
          <p>{t("一秒之内生效，打开的页面会回到登录页，没保存的内容会丢失。本人会收到消息，操作记录里留下一条。")}</p>
        </Confirm>
      )}
    </>
  );
}
