import { type AuthorizeInfo, approveLocation, authorizeInfo } from "@herdwise/contract";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { ApiError } from "../shared/api/api-error.ts";
import { call } from "../shared/api/call.ts";
import { useLoad } from "../shared/api/use-load.ts";
import { Icon } from "../shared/icons/icon.tsx";
import { Translated } from "../shared/language/translated.tsx";
import { useTranslate } from "../shared/language/use-language.ts";
import { redirectQuery } from "../shared/session/redirect.ts";
import { ExceptionView } from "../shared/states/exception-view.tsx";
import { LoadingProblem } from "../shared/states/loading-problem.tsx";
import { Skeleton } from "../shared/states/skeleton.tsx";
import { needSession } from "./need-session.ts";
import { RefusalLine } from "./password-form.tsx";
import { AskFallback, AskShell } from "./shell.tsx";

export function clientLoader({ request }: { request: Request }): null {
  return needSession(request);
}
clientLoader.hydrate = true as const;
export function HydrateFallback() {
  return <AskFallback title="授权登录" />;
}

/** A logo is shown only from this site or as data: the page's policy loads pictures from nowhere else. */
function ClientLogo({ info }: { info: AuthorizeInfo }) {
  const own = /^(data:image\/|\/(?!\/))/.test(info.logo);
  return (
    <span className="ask-icon" aria-hidden="true">
      {own ? <img src={info.logo} alt="" /> : [...info.clientName][0]}
    </span>
  );
}

interface ConsentProps {
  info: AuthorizeInfo;
  authorizeKey: string;
}

function Consent({ info, authorizeKey }: ConsentProps) {
  const t = useTranslate();
  const [search] = useSearchParams();
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const answer = async (approved: boolean): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      const scopes = info.scopes.map(({ scope }) => scope).filter((scope) => !refused.has(scope));
      const { location: next } = await call(approveLocation, {
        body: { authorizeKey, approved, ...(approved ? { scopes } : {}) },
        quiet: true,
      });
      location.assign(next);
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : "未知错误");
      setBusy(false);
    }
  };
  const toggle = (scope: string): void =>
    setRefused((now) => {
      const next = new Set(now);
      if (!next.delete(scope)) next.add(scope);
      return next;
    });
  const otherAccount = `/login?${new URLSearchParams({ redirect: redirectQuery("/authorize", `?${search}`) })}`;
  return (
    <>
      <ClientLogo info={info} />
      <h2>{t("允许“{name}”使用您的{brand}账号？", { name: info.clientName })}</h2>
      <p>{t("确认后会回到 {host}。它看不到您的密码。", { host: info.redirectHost })}</p>
      <dl className="ask-facts">
        <div>
          <dt>{t("账号")}</dt>
          <dd>
            {info.nickName && info.nickName !== info.account ? `${info.nickName}（${info.account}）` : info.account}
          </dd>
        </div>
        <div>
          <dt>{t("组织")}</dt>
          <dd>
            <Translated text={info.tenantName} />
          </dd>
        </div>
      </dl>
      <p className="ask-other">
        {/* A document load: the log-in page ends the session, which a link inside the app would only do after a prefetch. */}
        <a className="link" href={otherAccount}>
          {t("换个账号")}
        </a>
      </p>
      <fieldset className="scopes">
        <legend>{t("它请求的权限")}</legend>
        {info.scopes.map(({ scope, words, required }) => (
          <label key={scope}>
            <input
              className="checkbox"
              type="checkbox"
              checked={required || !refused.has(scope)}
              disabled={required}
              onChange={() => toggle(scope)}
            />
            <span>
              {t(words)}
              {required && <small>{t("必需")}</small>}
            </span>
          </label>
        ))}
      </fieldset>
      <RefusalLine text={problem} />
      <button type="button" className="btn primary submit" disabled={busy} onClick={() => void answer(true)}>
        {t("允许")}
      </button>
      <button type="button" className="btn submit refuse" disabled={busy} onClick={() => void answer(false)}>
        {t("拒绝")}
      </button>
      <p className="f-hint">{t("以后可以在“安全设置”的已授权应用里收回。")}</p>
    </>
  );
}

/** An application asks for access: who it is, what it wants, as whom, and yes or no. */
export default function Authorize() {
  const t = useTranslate();
  const [search] = useSearchParams();
  const authorizeKey = search.get("authorizeKey") ?? "";
  const { value, error, reload } = useLoad(authorizeKey === "" ? undefined : authorizeKey, (signal) =>
    call(authorizeInfo, { query: { authorizeKey }, signal, quiet: true }),
  );
  const gone = authorizeKey === "" || error?.code === 400;
  return (
    <AskShell title={t("授权登录")}>
      {value ? (
        <Consent info={value} authorizeKey={authorizeKey} />
      ) : gone ? (
        <ExceptionView
          type="empty"
          title={t("这个授权请求不能用了")}
          text={t(error?.message ?? "授权请求不存在或已过期，请从应用重新发起")}
        >
          <Link className="btn" to="/selfCenter/home">
            {t("进入自助中心")}
          </Link>
        </ExceptionView>
      ) : error ? (
        <LoadingProblem error={error} onRetry={reload} what={t("授权请求")} />
      ) : (
        <div role="status">
          <Icon name="shield" />
          {[10, 16, 14].map((width) => (
            <p key={width}>
              <Skeleton width={width} />
            </p>
          ))}
          <span className="visually-hidden">{t("正在加载")}</span>
        </div>
      )}
    </AskShell>
  );
}
