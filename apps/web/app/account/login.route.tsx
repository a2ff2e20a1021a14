import {
  type Agreement,
  type DemoAccount,
  logInReasons,
  pendingAgreements,
  type TenantChoice,
} from "@herdwise/contract";
import { lazy, Suspense, useCallback, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { ApiError } from "../shared/api/api-error.ts";
import { call } from "../shared/api/call.ts";
import { useLanguage, useTranslate } from "../shared/language/use-language.ts";
import { openCustomerService } from "../shared/mall/customer-service.ts";
import { loadAccess } from "../shared/session/access.ts";
import { type Evidence, leaveSession, logIn } from "../shared/session/log-in.ts";
import { redirectTarget } from "../shared/session/redirect.ts";
import { clearSession } from "../shared/session/storage.ts";
import { Skeleton } from "../shared/states/skeleton.tsx";
import { consentTo, PendingAgreements } from "./agreements.tsx";
import { DemoAccounts } from "./demo-accounts.tsx";
import { LogInTabs, type Way } from "./log-in-tabs.tsx";
import { type Draft, PasswordForm, type Refused } from "./password-form.tsx";
import { AccountFallback, AccountShell } from "./shell.tsx";

const loadSteps = () => import("./log-in-steps.tsx");
const QrPanel = lazy(async () => ({ default: (await loadSteps()).QrPanel }));
const RenewPassword = lazy(async () => ({ default: (await loadSteps()).RenewPassword }));
const SmsForm = lazy(async () => ({ default: (await loadSteps()).SmsForm }));
const TenantList = lazy(async () => ({ default: (await loadSteps()).TenantList }));

/** Entering this page ends the stored session and the mall's (product.md 2). */
export function clientLoader(): null {
  leaveSession();
  return null;
}
clientLoader.hydrate = true as const;

/** A session that ends while the form is up would be wiped by a revalidation; nothing here changes by itself. */
export const shouldRevalidate = (): boolean => false;

export function HydrateFallback() {
  return <AccountFallback title="登录" />;
}

/** What stands between the proof and the portal. */
type Step =
  | { name: "form" }
  | { name: "tenant"; evidence: Evidence; tenants: TenantChoice[] }
  | { name: "password"; oldPassword: string | undefined }
  | { name: "agreements"; agreements: Agreement[] };

const isDemo = (evidence: Evidence): boolean => evidence.way === "password" && evidence.captcha === undefined;

export default function Login() {
  const t = useTranslate();
  const lang = useLanguage();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const [way, setWay] = useState<Way>("password");
  const [draft, setDraft] = useState<Draft>({ account: "", password: "", type: "personal" });
  const [agreed, setAgreed] = useState(false);
  const [refusal, setRefusal] = useState<Refused>();
  const [busy, setBusy] = useState(false);
  const [step, setStep] = useState<Step>({ name: "form" });

  const forgetRefusal = useCallback(() => setRefusal(undefined), []);
  const backToForm = (): void => {
    clearSession(false);
    setStep({ name: "form" });
  };
  const redirect = search.get("redirect");
  const more = redirect ? `?${new URLSearchParams({ redirect })}` : "";

  /** Loads who this is and goes to where the person was headed. */
  const enter = async (): Promise<void> => {
    await loadAccess();
    await navigate(redirectTarget(redirect, location.origin) ?? "/selfCenter/home", { replace: true });
  };
  const afterPassword = async (evidence: Evidence | undefined): Promise<void> => {
    const pending = await call(pendingAgreements, { query: { lang }, quiet: true });
    // Nobody stands behind a demo account whose consent could be asked.
    if (pending.length > 0 && evidence && isDemo(evidence)) await consentTo(pending);
    else if (pending.length > 0) return setStep({ name: "agreements", agreements: pending });
    await enter();
  };
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setRefusal(undefined);
    try {
      await work();
    } catch (error) {
      // A session whose menu did not load is of no use; what was typed stays for the next try.
      backToForm();
      setRefusal(error instanceof ApiError ? error : { message: "error", reason: "" });
    } finally {
      setBusy(false);
    }
  };
  const proceed = async (evidence: Evidence, tenantId?: string): Promise<void> => {
    const result = await logIn(evidence, tenantId);
    if (result.step === "choose-tenant") return setStep({ name: "tenant", evidence, tenants: result.tenants });
    if (result.mustChangePassword) {
      const oldPassword = evidence.way === "password" ? evidence.password : undefined;
      return setStep({ name: "password", oldPassword });
    }
    await afterPassword(evidence);
  };
  const submit = (evidence: Evidence, tenantId?: string): void => void attempt(() => proceed(evidence, tenantId));
  const chooseDemo = ({ account: name, password, type }: DemoAccount): void => {
    const kind = type === "enterprise" || type === "employee" ? type : "personal";
    const chosen: Draft = { account: name, password, type: kind };
    void attempt(async () => {
      try {
        await proceed({ way: "password", ...chosen });
      } catch (error) {
        // After failures from this address demo accounts need the puzzle too: the form is filled in for it.
        if (error instanceof ApiError && error.reason === logInReasons.captchaWanted) {
          setWay("password");
          setDraft(chosen);
        }
        throw error;
      }
    });
  };
  const form = { agreed, onAgreed: setAgreed, refusal, busy, onSubmit: submit, onEdit: forgetRefusal };

  return (
    <AccountShell title={t("登录")}>
      <Suspense fallback={<Skeleton width={12} />}>
        {step.name === "tenant" ? (
          <TenantList
            tenants={step.tenants}
            onChoose={(tenantId) => submit(step.evidence, tenantId)}
            onBack={backToForm}
          />
        ) : step.name === "password" ? (
          <RenewPassword
            oldPassword={step.oldPassword}
            onDone={() => void attempt(() => afterPassword(undefined))}
            onBack={backToForm}
          />
        ) : step.name === "agreements" ? (
          <PendingAgreements
            agreements={step.agreements}
            onDone={() => void attempt(enter)}
            onRefuse={() => {
              leaveSession();
              backToForm();
            }}
          />
        ) : (
          <>
            <h2>{t("登录")}</h2>
            <p>
              {search.has("expired") ? (
                t("登录已过期，请重新登录，之后回到刚才的页面。")
              ) : (
                <>
                  {t("还没有账号？")}{" "}
                  <Link className="link" to={`/register${more}`}>
                    {t("免费注册")}
                  </Link>
                </>
              )}
            </p>
            <LogInTabs
              way={way}
              onChange={(next) => {
                setWay(next);
                setRefusal(undefined);
              }}
            />
            <div role="tabpanel" id="way" aria-labelledby={`tab-${way}`}>
              <Suspense fallback={<Skeleton width={12} />}>
                {way === "password" ? (
                  <PasswordForm
                    {...form}
                    draft={draft}
                    onDraft={(change) => setDraft((now) => ({ ...now, ...change }))}
                  />
                ) : way === "sms" ? (
                  <SmsForm {...form} />
                ) : (
                  <QrPanel refusal={refusal?.message} onSubmit={submit} />
                )}
              </Suspense>
            </div>
            <div className="ways-out">
              <Link className="link" to="/findAcc">
                {t("找回账号")}
              </Link>
              <button type="button" className="link" onClick={() => void openCustomerService()}>
                {t("联系客服")}
              </button>
            </div>
            <DemoAccounts wanted={search.get("demo")} onChoose={chooseDemo} />
          </>
        )}
      </Suspense>
      {busy && (
        <div className="veil" role="status">
          <p>
            <span className="live" aria-hidden="true" />
            {t("登录中，请稍候")}
          </p>
        </div>
      )}
    </AccountShell>
  );
}
