import { type AccountType, type DemoAccount, demoAccounts, type TenantChoice } from "@herdwise/contract";
import { type FormEvent, useCallback, useEffect, useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { ApiError } from "../shared/api/api-error.ts";
import { call } from "../shared/api/call.ts";
import { Icon, type IconName } from "../shared/icons/icon.tsx";
import { Mark } from "../shared/icons/mark.tsx";
import { useTranslate } from "../shared/language/use-language.ts";
import { ThemeButton } from "../shared/preferences/appearance-controls.tsx";
import { usePreferences } from "../shared/preferences/preferences.tsx";
import { loadAccess } from "../shared/session/access.ts";
import { type LogInResult, logIn } from "../shared/session/log-in.ts";
import { redirectTarget } from "../shared/session/redirect.ts";
import { clearSession } from "../shared/session/storage.ts";
import { pageTitle } from "../shared/session/title.ts";
import { Agreement } from "./agreement.tsx";
import { BrandPanel } from "./brand-panel.tsx";
import "./login.css";

/** Entering this page ends the stored session (product.md 2). */
export function clientLoader(): null {
  clearSession();
  return null;
}
clientLoader.hydrate = true as const;

/** A session that ends while the form is up would be wiped by a revalidation; nothing here changes by itself. */
export const shouldRevalidate = (): boolean => false;

export function HydrateFallback() {
  return <main className="page-state" aria-busy="true" />;
}

const accountTypes: readonly { type: AccountType; name: string; icon: IconName }[] = [
  { type: "personal", name: "个人", icon: "person" },
  { type: "enterprise", name: "企业", icon: "unit" },
  { type: "employee", name: "集团员工", icon: "card" },
];
const tenantTypeNames = { group: "集团", enterprise: "企业", personal: "个人" } as const;

/** Demo accounts share one public password; it opens nothing outside demo mode, where the list of them is empty. */
const demoPassword = "Herdwise#2026";

type Problems = Partial<Record<"account" | "password" | "agreement" | "form", string>>;

function Problem({ id, text }: { id: string; text: string | undefined }) {
  return (
    <p id={id} className="prob" role="alert" hidden={text === undefined}>
      <Mark name="major" />
      <span>{text}</span>
    </p>
  );
}

function AccountTypes({ value, onChange }: { value: AccountType; onChange: (type: AccountType) => void }) {
  const t = useTranslate();
  return (
    <fieldset className="seg acc">
      <legend className="sr">{t("账户类型")}</legend>
      {accountTypes.map(({ type, name, icon }) => (
        <button key={type} type="button" aria-pressed={value === type} onClick={() => onChange(type)}>
          <Icon name={icon} small />
          {t(name)}
        </button>
      ))}
    </fieldset>
  );
}

function TenantList({
  tenants,
  onChoose,
  onBack,
}: {
  tenants: readonly TenantChoice[];
  onChoose: (id: string) => void;
  onBack: () => void;
}) {
  const t = useTranslate();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <h2 ref={heading} tabIndex={-1}>
        {t("选择要进入的组织")}
      </h2>
      <p>{t("您的账号属于多个组织，登录后还可以随时切换。")}</p>
      <div className="tenants">
        {tenants.map(({ tenantId, tenantName, type }) => (
          <button key={tenantId} type="button" onClick={() => onChoose(tenantId)}>
            <Icon name={type === "personal" ? "person" : "unit"} />
            <span>
              <b>{tenantName}</b>
              <small>{t(tenantTypeNames[type])}</small>
            </span>
            <Icon name="right" small />
          </button>
        ))}
      </div>
      <button type="button" className="btn g back" onClick={onBack}>
        <Icon name="left" small />
        {t("换个账号")}
      </button>
    </>
  );
}

function DemoAccounts({ onChoose }: { onChoose: (account: DemoAccount) => void }) {
  const t = useTranslate();
  const [accounts, setAccounts] = useState<DemoAccount[]>([]);
  useEffect(() => {
    call(demoAccounts, { quiet: true }).then(setAccounts, () => undefined);
  }, []);
  if (accounts.length === 0) return null;
  return (
    <section className="demo" aria-labelledby="demo-title">
      <h3 id="demo-title">
        {t("演示账号")}
        <span>{t("点一下即登录")}</span>
      </h3>
      <ul>
        {accounts.map((account) => (
          <li key={account.account}>
            <button type="button" onClick={() => onChoose(account)}>
              <b>{t(account.name)}</b>
              <small>{t(account.description)}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

export default function Login() {
  const t = useTranslate();
  const { language, setLanguage } = usePreferences();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const [type, setType] = useState<AccountType>("personal");
  const [account, setAccount] = useState("");
  const [password, setPassword] = useState("");
  const [visible, setVisible] = useState(false);
  const [agreed, setAgreed] = useState(false);
  const [problems, setProblems] = useState<Problems>({});
  const [busy, setBusy] = useState(false);
  const [tenants, setTenants] = useState<TenantChoice[]>();
  const accountField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);

  const enter = useCallback(
    async (attempt: () => Promise<LogInResult>) => {
      setBusy(true);
      setProblems({});
      try {
        const result = await attempt();
        if (result.step === "choose-tenant") {
          setTenants(result.tenants);
          return;
        }
        await loadAccess();
        const target = redirectTarget(search.get("redirect"), location.origin) ?? "/selfCenter/home";
        await navigate(target, { replace: true });
      } catch (error) {
        // A session whose menu did not load is of no use; what was typed stays for the next try.
        clearSession();
        setTenants(undefined);
        setProblems({ form: error instanceof ApiError ? error.message : "error" });
        passwordField.current?.focus();
      } finally {
        setBusy(false);
      }
    },
    [navigate, search],
  );

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const found: Problems = {
      ...(account.trim() === "" ? { account: t("请输入账号") } : {}),
      ...(password === "" ? { password: t("请输入密码") } : {}),
      ...(agreed ? {} : { agreement: t("请阅读并同意协议") }),
    };
    setProblems(found);
    if (found.account) accountField.current?.focus();
    else if (found.password) passwordField.current?.focus();
    if (Object.keys(found).length === 0) void enter(() => logIn({ account: account.trim(), password, type }));
  };

  const chooseDemo = (demo: DemoAccount): void => {
    const demoType = accountTypes.find((candidate) => candidate.type === demo.type)?.type ?? "personal";
    setType(demoType);
    setAccount(demo.account);
    setPassword(demoPassword);
    setAgreed(true);
    void enter(() => logIn({ account: demo.account, password: demoPassword, type: demoType }));
  };

  return (
    <div className="lg">
      <title>{pageTitle(t("登录"), {})}</title>
      <a className="skip" href="#main">
        {t("跳到正文")}
      </a>
      <BrandPanel />
      <main className="fp" id="main">
        <div className="tl">
          <button
            type="button"
            className="ib tx"
            lang={language === "zh" ? "en" : "zh-CN"}
            onClick={() => void setLanguage(language === "zh" ? "en" : "zh")}
          >
            {language === "zh" ? "English" : "中文"}
          </button>
          <ThemeButton />
        </div>
        <div className="bx">
          {tenants ? (
            <TenantList
              tenants={tenants}
              onChoose={(tenantId) => void enter(() => logIn({ account: account.trim(), password, type, tenantId }))}
              onBack={() => setTenants(undefined)}
            />
          ) : (
            <>
              <h2>{t("登录")}</h2>
              <p>
                {search.has("expired")
                  ? t("登录已过期，请重新登录，之后回到刚才的页面。")
                  : t("进入自助中心，看自己的猪场与设备。")}
              </p>
              <AccountTypes value={type} onChange={setType} />
              <form onSubmit={submit} noValidate>
                <div className="f">
                  <label htmlFor="account">{t("账号或手机号")}</label>
                  <input
                    ref={accountField}
                    className="in"
                    id="account"
                    autoComplete="username"
                    autoCapitalize="none"
                    spellCheck={false}
                    value={account}
                    onChange={(event) => setAccount(event.target.value)}
                    aria-invalid={problems.account !== undefined}
                    aria-describedby="account-problem"
                  />
                  <Problem id="account-problem" text={problems.account} />
                </div>
                <div className="f">
                  <label htmlFor="password">{t("密码")}</label>
                  <div className="pw">
                    <input
                      ref={passwordField}
                      className="in"
                      id="password"
                      type={visible ? "text" : "password"}
                      autoComplete="current-password"
                      value={password}
                      onChange={(event) => setPassword(event.target.value)}
                      aria-invalid={problems.password !== undefined || problems.form !== undefined}
                      aria-describedby="password-problem form-problem"
                    />
                    <button
                      type="button"
                      className="ib"
                      aria-label={visible ? t("隐藏密码") : t("显示密码")}
                      aria-pressed={visible}
                      onClick={() => setVisible(!visible)}
                    >
                      <Icon name={visible ? "eye-off" : "eye"} />
                    </button>
                  </div>
                  <Problem id="password-problem" text={problems.password} />
                  <Problem id="form-problem" text={problems.form === undefined ? undefined : t(problems.form)} />
                </div>
                <div className="ag">
                  <input
                    className="ck"
                    type="checkbox"
                    id="agreed"
                    checked={agreed}
                    onChange={(event) => setAgreed(event.target.checked)}
                    aria-invalid={problems.agreement !== undefined}
                    aria-describedby="agreement-problem"
                  />
                  <span>
                    <label htmlFor="agreed">{t("我已阅读并同意")}</label> <Agreement />
                  </span>
                </div>
                <Problem id="agreement-problem" text={problems.agreement} />
                <button className="btn p go" type="submit" disabled={busy}>
                  {t("登录")}
                </button>
              </form>
              <DemoAccounts onChoose={chooseDemo} />
            </>
          )}
        </div>
      </main>
      {busy && (
        <div className="veil" role="status">
          <p>
            <span className="live" aria-hidden="true" />
            {t("登录中，请稍候")}
          </p>
        </div>
      )}
    </div>
  );
}
