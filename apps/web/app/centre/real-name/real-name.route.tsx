import { type RealNameApplication, type RealNameDetail, realNameDetail, realNameWithdraw } from "@herdwise/contract";
import { type RealNameKind, realNameKinds } from "@herdwise/contract/real-name-checks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { ConfirmDialog } from "../../shared/kit/dialog.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { known } from "../../shared/lists/list-address.ts";
import { kindWords, stateWords } from "../../shared/real-name/words.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { ApplicationForm } from "./application-form.tsx";
import { InForce } from "./in-force.tsx";
import styles from "./real-name.module.css";
import { Remittance } from "./remittance.tsx";
import { ReturnedForm } from "./returned-form.tsx";
import { History, Privacy, WhatItOpens } from "./side-notes.tsx";

const key = ["real-name"] as const;
/** How often is looked whether the bank or a reviewer went on, ms. */
const bankMs = 2000;
const reviewMs = 30_000;

const choices: readonly {
  kind: RealNameKind;
  text: string;
  ready: string;
  takes: string;
  opens: string;
  house: boolean;
}[] = [
  {
    kind: "enterprise",
    text: "有营业执照的猪场、公司、合作社",
    ready: "营业执照、法人身份证号、对公账户",
    takes: "填 6 分钟，等 1 个工作日",
    opens: "全部，含专票与多人成员",
    house: true,
  },
  {
    kind: "personal",
    text: "自己养殖、还没有执照的人",
    ready: "身份证号，后 6 位会请您再输一遍",
    takes: "填 1 分钟，等 1 个工作日",
    opens: "绑设备、申报、签合同；开不了专票",
    house: false,
  },
];

/** A house, or a yard with a fence: drawn, as all pictures here. */
function ChoiceDrawing({ large }: { large: boolean }) {
  return (
    <svg className={`drawing ${styles.drawing}`} viewBox="0 0 220 120" aria-hidden="true">
      <path className="ground" d="M10 84 92 50l118 34-82 34z" />
      <g transform={large ? "" : "translate(48 14) scale(.62)"}>
        <path className="face-front outline" d="M58 50v42l42 14V62L79 40z" />
        <path className="face-side outline" d="M100 62v44l72-22V42z" />
        <path className="roof outline" d="M79 36l72-18 22 22-73 20z" />
        <path className="roof-2 outline" d="M52 48 79 34l24 26-5 3-20-22-23 11z" />
        <path className="cut" d="M74 76v22l14 4V80z" />
      </g>
      {!large && <path className="stroke-2" d="M38 84v10m0-6 54 22m0-6v10m0-6 82-26m0-6v10m0-6-50-14" />}
    </svg>
  );
}

function Choice({ detail, onChoose }: { detail: RealNameDetail; onChoose: (kind: RealNameKind) => void }) {
  const t = useTranslate();
  return (
    <div className={styles.choice}>
      <div className={styles.choices}>
        {choices.map(({ kind, text, ready, takes, opens, house }) => (
          <article key={kind} className="card">
            <ChoiceDrawing large={house} />
            <h2>{t(kindWords[kind])}</h2>
            <p>{t(text)}</p>
            <dl>
              <div>
                <dt>{t("要准备")}</dt>
                <dd>{t(ready)}</dd>
              </div>
              <div>
                <dt>{t("要多久")}</dt>
                <dd>{t(takes)}</dd>
              </div>
              <div>
                <dt>{t("能做")}</dt>
                <dd>{t(opens)}</dd>
              </div>
            </dl>
            <Button kind={kind === "enterprise" ? "primary" : "plain"} onPress={() => onChoose(kind)}>
              {t(detail.draft?.kind === kind ? "接着填" : kind === "enterprise" ? "企业认证" : "个人认证")}
            </Button>
          </article>
        ))}
      </div>
      <p className={styles.hintLine}>
        <span className="state notice">
          <Mark name="notice" />
        </span>
        {t("个人以后可以升为企业；企业不能改回个人。拿不准就先选个人。")}
      </p>
    </div>
  );
}

/** The way of an application, with where it stands. */
function Steps({ kind, at }: { kind: RealNameKind; at: "fill" | "remit" | "review" }) {
  const t = useTranslate();
  const steps = [
    { step: "choose", word: "选哪种" },
    { step: "fill", word: "填资料" },
    ...(kind === "enterprise" ? [{ step: "remit", word: "0.01 元验证" }] : []),
    { step: "review", word: "人工审核" },
  ];
  const current = steps.findIndex(({ step }) => step === at);
  return (
    <ol className={styles.steps} aria-label={t("进度")}>
      {steps.map(({ step, word }, index) => (
        <li key={step} data-done={index < current || undefined} aria-current={index === current ? "step" : undefined}>
          {index < current ? <Icon name="check" small /> : <b>{index + 1}</b>}
          {t(word)}
        </li>
      ))}
    </ol>
  );
}

/** It is with the reviewers. */
function Waiting({ application }: { application: RealNameApplication }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  return (
    <section className={`card ${styles.waiting}`} aria-labelledby="waiting-title">
      <h2 id="waiting-title">
        {t(application.state === "second_look" ? "初审通过，等另一位审核员复核" : "资料已收下，等审核")}
      </h2>
      <p>
        {t("预计 {time} 前有结果，到时会发消息。有要改的只退回那几项。", {
          time: dayTime(parseWireDateTime(application.dueTime)),
        })}
      </p>
    </section>
  );
}

/** Real-name authentication of a customer: choosing, filling in, the 0.01 yuan, waiting, correcting, and what is in force. */
export default function RealName() {
  const t = useTranslate();
  const client = useQueryClient();
  const [search, change] = useAddressValues({ isStep: true });
  const [withdrawing, setWithdrawing] = useState(false);
  const loaded = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(realNameDetail, { signal, quiet: true }),
    staleTime: 0,
    refetchInterval: ({ state }) => {
      const { application } = state.data ?? {};
      if (application?.state === "waiting" || application?.state === "second_look") return reviewMs;
      const bank = application?.remittance?.state;
      return application?.state === "remitting" && (bank === "ordered" || bank === "sent") ? bankMs : false;
    },
  });
  const detail = loaded.data;
  const reload = (): void => void client.invalidateQueries({ queryKey: key });
  const asked = known(search.get("apply"), realNameKinds);
  const apply = (kind: RealNameKind | undefined): void => {
    change({ apply: kind });
    reload();
  };
  const { application, current, status = "none", open = false } = detail ?? {};
  // An enterprise can't become a person, whatever the address says.
  const kind = application || (asked === "personal" && status === "enterprise") ? undefined : asked;
  const filling = kind !== undefined;
  const words = application
    ? t("{kind}认证，{state}", { kind: t(kindWords[application.kind]), state: t(stateWords[application.state].word) })
    : current
      ? t(kindWords[current.kind])
      : t("还没有认证。一般 1 个工作日内有结果。");
  const returned = application?.items.filter(({ verdict }) => verdict === "returned").map(({ field }) => field) ?? [];
  const inHand = application?.state === "second_look";
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("实名认证")}</h1>
        {detail && (
          <span className="mut">
            {words}
            {!application && current && (
              <>
                {" · "}
                <span lang="zh-CN">{current.title}</span>
              </>
            )}
          </span>
        )}
      </div>
      {!detail && !loaded.error && <TableSkeleton rows={6} />}
      {!detail && loaded.error && (
        <LoadingProblem error={asApiError(loaded.error)} onRetry={reload} what={t("实名认证")} />
      )}
      {detail && !application && !current && !filling && <Choice detail={detail} onChoose={apply} />}
      {detail && (application || current || filling) && (
        <div className={styles.page}>
          <div className={styles.column}>
            {filling && kind && (
              <>
                <Steps kind={kind} at="fill" />
                {status === "personal" && kind === "enterprise" && (
                  <p className={styles.hintLine}>
                    <span className="state notice">
                      <Mark name="notice" />
                    </span>
                    {t("升级期间个人认证照样有效。升为企业后不能改回个人。")}
                  </p>
                )}
                <ApplicationForm
                  key={kind}
                  kind={kind}
                  detail={detail}
                  onSent={() => apply(undefined)}
                  onBack={() => apply(undefined)}
                />
              </>
            )}
            {application && (
              <>
                <Steps
                  kind={application.kind}
                  at={
                    application.state === "remitting" ? "remit" : application.state === "rejected" ? "fill" : "review"
                  }
                />
                {application.state === "remitting" && (
                  <Remittance application={application} detail={detail} onChanged={reload} />
                )}
                {(application.state === "waiting" || inHand) && <Waiting application={application} />}
                {application.state === "rejected" && (
                  <>
                    <p className={styles.back} role="status">
                      <Mark name="critical" />
                      {t("退回 {count} 项。改好这几项就能再交，其余的已锁住，不用再填。", { count: returned.length })}
                    </p>
                    <ReturnedForm
                      key={application.version}
                      application={application}
                      detail={detail}
                      fields={returned}
                      all
                      onSent={reload}
                    />
                  </>
                )}
                {!inHand && (
                  <p className={styles.offer}>
                    <Button kind="link" onPress={() => setWithdrawing(true)}>
                      {t("撤回这份申请")}
                    </Button>
                  </p>
                )}
              </>
            )}
            {current && !filling && (
              <InForce detail={detail} current={current} {...(application ? {} : { onApply: apply })} />
            )}
          </div>
          <div className={styles.aside}>
            {application && <History of={application} />}
            <WhatItOpens open={open} kind={status} />
            {!application && current && !filling && <History of={current} />}
            <Privacy />
          </div>
        </div>
      )}
      {withdrawing && application && (
        <ConfirmDialog
          title={t("撤回这份申请？")}
          action={t("撤回")}
          onConfirm={async () => {
            await call(realNameWithdraw, { body: { id: application.id } }).finally(reload);
          }}
          onClose={() => setWithdrawing(false)}
        >
          <p>{t("填过的要重新填。已经通过的认证不受影响。")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
