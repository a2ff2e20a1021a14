import { type EndSessionInfo, endSessionAnswer, endSessionInfo } from "@herdwise/contract";
import { useEffect, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { asApiError } from "../shared/api/api-error.ts";
import { call } from "../shared/api/call.ts";
import { useLoad } from "../shared/api/use-load.ts";
import { useTranslate } from "../shared/language/use-language.ts";
import { logOut } from "../shared/session/log-out.ts";
import { readSession } from "../shared/session/storage.ts";
import { ExceptionView } from "../shared/states/exception-view.tsx";
import { LoadingProblem } from "../shared/states/loading-problem.tsx";
import { Skeleton } from "../shared/states/skeleton.tsx";
import { Done } from "./done.tsx";
import { RefusalLine } from "./password-form.tsx";
import { AskFallback, AskShell } from "./shell.tsx";

/** Whether somebody is signed in stands in the browser, which the server doesn't have. */
export function clientLoader(): null {
  return null;
}
clientLoader.hydrate = true as const;
export function HydrateFallback() {
  return <AskFallback title="退出登录" />;
}

function AskToLogOut({ info, clientId }: { info: EndSessionInfo; clientId: string }) {
  const t = useTranslate();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const answer = async (everywhere: boolean): Promise<void> => {
    setBusy(true);
    try {
      if (clientId !== "") await call(endSessionAnswer, { body: { clientId }, quiet: true });
      if (everywhere) await logOut(info.location || "/login");
      else location.assign(info.location || "/selfCenter/home");
    } catch (error) {
      setProblem(asApiError(error).message);
      setBusy(false);
    }
  };
  return (
    <>
      <h2>{t("同时退出{brand}？")}</h2>
      <p>
        {info.clientName === ""
          ? t("有应用请您退出登录。")
          : t("“{name}”请您退出登录，它将不能再使用您的账号。", { name: info.clientName })}
      </p>
      {info.redirectHost !== "" && <p>{t("之后会前往 {host}。", { host: info.redirectHost })}</p>}
      <RefusalLine text={problem} />
      <button type="button" className="btn primary submit" disabled={busy} onClick={() => void answer(true)}>
        {t("退出{brand}")}
      </button>
      <button type="button" className="btn submit refuse" disabled={busy} onClick={() => void answer(false)}>
        {t("保持登录")}
      </button>
    </>
  );
}

/** Nobody is signed in: the browser goes on where the application wants it. */
function LoggedOut({ info }: { info: EndSessionInfo }) {
  const t = useTranslate();
  useEffect(() => {
    if (info.location !== "") location.replace(info.location);
  }, [info.location]);
  return (
    <Done title={t("已退出登录")} text={t("这个浏览器没有登录{brand}。")}>
      {info.location === "" ? (
        <Link className="btn primary submit" to="/login">
          {t("去登录")}
        </Link>
      ) : (
        <a className="btn primary submit" href={info.location}>
          {t("继续")}
        </a>
      )}
    </Done>
  );
}

/** An application sent its person here to log out: whether the portal's own session ends as well is theirs to say. */
export default function EndSession() {
  const t = useTranslate();
  const [search] = useSearchParams();
  const [signedIn] = useState(() => readSession() !== undefined);
  const clientId = search.get("client_id") ?? "";
  const query = {
    ...(clientId !== "" && { clientId }),
    ...(search.has("post_logout_redirect_uri") && {
      postLogoutRedirectUri: search.get("post_logout_redirect_uri") ?? "",
    }),
    ...(search.has("state") && { state: search.get("state") ?? "" }),
  };
  const { value, error, reload } = useLoad(`end session ${search}`, (signal) =>
    call(endSessionInfo, { query, signal, quiet: true }),
  );
  return (
    <AskShell title={t("退出登录")}>
      {value ? (
        signedIn ? (
          <AskToLogOut info={value} clientId={clientId} />
        ) : (
          <LoggedOut info={value} />
        )
      ) : error?.code === 400 ? (
        <ExceptionView type="empty" title={t("这个退出请求不能用了")} text={t(error.message)}>
          <Link className="btn" to="/selfCenter/home">
            {t("进入自助中心")}
          </Link>
        </ExceptionView>
      ) : error ? (
        <LoadingProblem error={error} onRetry={reload} what={t("退出请求")} />
      ) : (
        <p role="status">
          <Skeleton width={16} />
          <span className="visually-hidden">{t("正在加载")}</span>
        </p>
      )}
    </AskShell>
  );
}
