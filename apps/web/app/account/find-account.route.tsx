import { retrieveUserAccount } from "@herdwise/contract";
import { useState } from "react";
import { Link } from "react-router";
import { call } from "../shared/api/call.ts";
import { proofHeaders } from "../shared/captcha/puzzle-proof.ts";
import { maskedPhone } from "../shared/forms/sms-code.tsx";
import { useTranslate } from "../shared/language/use-language.ts";
import { Done } from "./done.tsx";
import { PhoneStep } from "./phone-step.tsx";
import { AccountFallback, AccountShell } from "./shell.tsx";

/** Nothing to load; what matters is that the form begins in the browser, like its sisters. */
export function clientLoader(): null {
  return null;
}
clientLoader.hydrate = true as const;
export function HydrateFallback() {
  return <AccountFallback title="找回账号" />;
}

/** Sends the account names of a phone to it. The page says the same whether it has any. */
export default function FindAccount() {
  const t = useTranslate();
  const [sentTo, setSentTo] = useState<string>();
  return (
    <AccountShell title={t("找回账号")}>
      {sentTo ? (
        <Done
          title={t("请查看短信")}
          text={t("如果 {phone} 绑定了账号，账号名已用短信发到这部手机。", {
            phone: maskedPhone(sentTo),
          })}
        >
          <Link className="btn primary submit" to="/login">
            {t("去登录")}
          </Link>
        </Done>
      ) : (
        <>
          <h2>{t("找回账号")}</h2>
          <p>{t("账号名会用短信发到注册时的手机，不会显示在这里。")}</p>
          <PhoneStep
            action="把账号名发给我"
            onSubmit={async (mobilePhone, proof) => {
              const headers = proofHeaders(proof);
              await call(retrieveUserAccount, { query: { mobilePhone }, headers, quiet: true });
              setSentTo(mobilePhone);
            }}
          />
          <div className="ways-out">
            <Link className="link" to="/login">
              {t("去登录")}
            </Link>
            <Link className="link" to="/findPass">
              {t("忘记密码")}
            </Link>
          </div>
        </>
      )}
    </AccountShell>
  );
}
