import { type Agreement, consent, currentAgreements } from "@herdwise/contract";
import { useEffect, useRef, useState } from "react";
import { ApiError } from "../shared/api/api-error.ts";
import { call } from "../shared/api/call.ts";
import { useLoad } from "../shared/api/use-load.ts";
import { Problem } from "../shared/forms/problem.tsx";
import { Icon } from "../shared/icons/icon.tsx";
import { useLanguage, useTranslate } from "../shared/language/use-language.ts";
import { LoadingProblem } from "../shared/states/loading-problem.tsx";
import { Skeleton } from "../shared/states/skeleton.tsx";

type Kind = Agreement["kind"];
const kindNames: Readonly<Record<Kind, string>> = { user: "用户协议", privacy: "隐私政策" };

/** The versions in force, in the chosen language. */
export function useAgreements(wanted = true) {
  const lang = useLanguage();
  return useLoad(wanted ? `agreements ${lang}` : undefined, (signal) =>
    call(currentAgreements, { query: { lang }, signal, quiet: true }),
  );
}

function AgreementText({ agreement }: { agreement: Agreement }) {
  const t = useTranslate();
  return (
    <>
      {agreement.body.split(/\n{2,}/).map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      <p className="mut">
        {t("版本 {version}，{date} 起生效", { version: agreement.version, date: agreement.publishedAt.slice(0, 10) })}
      </p>
    </>
  );
}

/** An agreement's name, as a button that opens its text. */
function AgreementLink({ kind }: { kind: Kind }) {
  const t = useTranslate();
  const paper = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState(false);
  const { value, error, reload } = useAgreements(open);
  const agreement = value?.find((candidate) => candidate.kind === kind);
  const title = agreement?.title ?? t(kindNames[kind]);
  return (
    <>
      <button
        type="button"
        className="link"
        onClick={() => {
          setOpen(true);
          paper.current?.showModal();
        }}
      >
        {t(kindNames[kind])}
      </button>
      <dialog ref={paper} className="paper" aria-label={title} onClose={() => setOpen(false)}>
        <header>
          <h2>{title}</h2>
          <button type="button" className="icon-button" aria-label={t("关闭")} onClick={() => paper.current?.close()}>
            <Icon name="close" />
          </button>
        </header>
        <div>
          {agreement ? (
            <AgreementText agreement={agreement} />
          ) : !open ? null : error ? (
            <LoadingProblem error={error} onRetry={reload} what={t(kindNames[kind])} />
          ) : (
            [24, 28, 20].map((width) => (
              <p key={width}>
                <Skeleton width={width} />
              </p>
            ))
          )}
        </div>
      </dialog>
    </>
  );
}

interface BoxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  problem?: string | undefined;
}

/** The box that says yes to both agreements; it is never ticked for anybody. */
export function AgreementBox({ checked, onChange, problem }: BoxProps) {
  const t = useTranslate();
  return (
    <>
      <div className="consent">
        <label>
          <input
            className="checkbox"
            type="checkbox"
            id="agreed"
            checked={checked}
            onChange={(event) => onChange(event.target.checked)}
            aria-invalid={problem !== undefined}
            aria-describedby="agreement-problem"
          />
          {t("我已阅读并同意")}
        </label>{" "}
        <span>
          <AgreementLink kind="user" /> {t("与")} <AgreementLink kind="privacy" />
        </span>
      </div>
      <Problem id="agreement-problem" text={problem && t(problem)} />
    </>
  );
}

/** Records the consent of the signed-in person. */
export async function consentTo(agreements: readonly Agreement[]): Promise<void> {
  await call(consent, { body: { ids: agreements.map(({ id }) => id) }, quiet: true });
}

interface PendingProps {
  agreements: readonly Agreement[];
  onDone: () => void;
  onRefuse: () => void;
}

/** New versions ask again: the texts, and yes or no. No leaves the session. */
export function PendingAgreements({ agreements, onDone, onRefuse }: PendingProps) {
  const t = useTranslate();
  const heading = useRef<HTMLHeadingElement>(null);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => heading.current?.focus(), []);
  const agree = async (): Promise<void> => {
    setBusy(true);
    try {
      await consentTo(agreements);
      onDone();
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : "未知错误");
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <h2 ref={heading} tabIndex={-1}>
        {t("请阅读并同意协议")}
      </h2>
      <p>{t("下面的协议有您还没有同意的版本。同意后继续，不同意则退出登录。")}</p>
      {agreements.map((agreement) => (
        <section className="pending" key={agreement.id} aria-label={agreement.title}>
          <h3>{agreement.title}</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reachable by keys. */}
          <div tabIndex={0}>
            <AgreementText agreement={agreement} />
          </div>
        </section>
      ))}
      <Problem id="consent-problem" text={problem && t(problem)} />
      <button type="button" className="btn primary submit" disabled={busy} onClick={() => void agree()}>
        {t("同意并继续")}
      </button>
      <button type="button" className="btn ghost back" disabled={busy} onClick={onRefuse}>
        {t("不同意，退出登录")}
      </button>
    </>
  );
}
