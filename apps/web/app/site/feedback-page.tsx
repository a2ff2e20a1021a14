import type { Page, PublicSuggestion } from "@herdwise/contract";
import { useTranslate } from "../shared/language/use-language.ts";
import { categoryWords } from "../shared/work-orders/words.ts";
import { Day } from "./article-parts.tsx";
import type { FormAnswer } from "./send-form.ts";
import "./service.css";
import { ServiceNav } from "./service-nav.tsx";
import { SiteForm } from "./site-form.tsx";
import { SiteHead } from "./site-head.tsx";
import { useHoursWords } from "./standing.tsx";
import { tied } from "./tied.ts";

interface At {
  origin: string;
  path: string;
}
const intro = "客户提的建议，我们采纳了哪些、怎么做的。";

/** Where suggestions are written: for who is signed in. */
const ProposeLink = () => {
  const t = useTranslate();
  return (
    <p>
      <a className="btn primary" href="/service/propose">
        {t("提建议")}
      </a>
    </p>
  );
};

/** Adopted suggestions. */
export function FeedbackPage({
  origin,
  path,
  suggestions,
  answer,
  sent,
}: At & { suggestions: Page<PublicSuggestion>; answer: FormAnswer | undefined; sent: string | undefined }) {
  const t = useTranslate();
  const { records, current, pages } = suggestions;
  return (
    <main id="main" className="content-page" data-page="feedback">
      <SiteHead title={t("建议反馈")} description={t(intro)} origin={origin} path={path} />
      <ServiceNav path={path} />
      <div className="wrap">
        <header className="list-head">
          <h1>{t("建议反馈")}</h1>
          <p>{t(intro)}</p>
          <ProposeLink />
        </header>
        {records.length === 0 && <p className="nothing">{t("还没有公开的建议。")}</p>}
        <ul className="partner-group">
          {records.map(({ id, category, title, answer, answerTime }) => (
            <li key={id}>
              <h2>
                <a href={`/service/feedbackDetails?id=${id}`}>{title}</a>
              </h2>
              <p>
                {t(categoryWords[category])} · <Day at={answerTime} short />
              </p>
              <p>{tied(answer)}</p>
            </li>
          ))}
        </ul>
        {pages > 1 && (
          <nav className="pages" aria-label={t("翻页")}>
            {current > 1 && <a href={`${path}?page=${current - 1}`}>{t("上一页")}</a>}
            <span>
              {current} / {pages}
            </span>
            {current < pages && <a href={`${path}?page=${current + 1}`}>{t("下一页")}</a>}
          </nav>
        )}
        <section className="ask-form" aria-labelledby="feedback-title">
          <div>
            <h2 id="feedback-title">{t("没有账号也能说")}</h2>
            <p>{t("网站、产品、服务，哪里不好用都可以写。留个电话，弄清楚之后好告诉您结果。")}</p>
            <p>
              {t("已经是客户的，从账号里提，采纳后会公开：")} <a href="/service/propose">{t("提建议")}</a>
            </p>
          </div>
          <SiteForm kind="feedback" path={path} answer={answer} sent={sent} />
        </section>
      </div>
    </main>
  );
}

/** One of them, with what became of it. */
export function FeedbackDetail({ origin, path, suggestion }: At & { suggestion: PublicSuggestion }) {
  const t = useTranslate();
  return (
    <main id="main" className="content-page" data-page="feedback">
      <SiteHead
        title={suggestion.title}
        description={suggestion.answer.slice(0, 120)}
        origin={origin}
        path={`${path}?id=${suggestion.id}`}
      />
      <ServiceNav path="/service/feedback" />
      <div className="wrap">
        <header className="list-head">
          <p>
            <a href="/service/feedback">{t("建议反馈")}</a>
          </p>
          <h1>{suggestion.title}</h1>
          <p>
            {t(categoryWords[suggestion.category])} · <Day at={suggestion.answerTime} short />
          </p>
        </header>
        <ul className="partner-group">
          <li>
            <h2>{t("客户的建议")}</h2>
            <p>{tied(suggestion.content)}</p>
          </li>
          <li>
            <h2>{t("我们的答复")}</h2>
            <p>{tied(suggestion.answer)}</p>
          </li>
        </ul>
        <div className="ways-more">
          <ProposeLink />
        </div>
      </div>
    </main>
  );
}

const ways = [
  {
    title: "售后工单",
    text: "设备有问题，从设备页提交会带上 24 小时读数、告警和固件。2 个服务工时内答复，8 个工时内解决或给出下一步。",
    to: "/workOrder/orderService/add",
    action: "提交售后工单",
  },
  {
    title: "投诉",
    text: "对产品、服务、物流有不满，写在这里。4 个服务工时内答复，3 个工作日内给出结果。",
    to: "/workOrder/complaintOrder/add",
    action: "提交投诉",
  },
  {
    title: "建议",
    text: "想让产品和服务变成什么样，写下来。10 个工作日内答复，采纳的会公开。",
    to: "/service/propose",
    action: "提建议",
  },
] as const;

/** How to reach the desk, and what it promises. */
export function WorkOrderPage({ origin, path }: At) {
  const t = useTranslate();
  const hoursWords = useHoursWords();
  const description = t("服务时间：{hours}。法定节假日不计时，调休上班日照常。", { hours: hoursWords });
  return (
    <main id="main" className="content-page" data-page="work-order">
      <SiteHead title={t("售后与投诉")} description={description} origin={origin} path={path} />
      <ServiceNav path={path} />
      <div className="wrap">
        <header className="list-head">
          <h1>{t("售后与投诉")}</h1>
          <p>{description}</p>
        </header>
        <ul className="ways">
          {ways.map(({ title, text, to, action }) => (
            <li key={to}>
              <h2>{t(title)}</h2>
              <p>{tied(t(text))}</p>
              <p>
                <a className="btn" href={to}>
                  {t(action)}
                </a>
              </p>
            </li>
          ))}
        </ul>
        <p className="ways-more">
          <a className="link" href="/service/feedback">
            {t("看看采纳了哪些建议")}
          </a>
        </p>
      </div>
    </main>
  );
}
