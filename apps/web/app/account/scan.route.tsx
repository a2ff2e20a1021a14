import { type QrAsking, qrAnswer, qrScan, qrStatus } from "@herdwise/contract";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { ApiError } from "../shared/api/api-error.ts";
import { call } from "../shared/api/call.ts";
import { useLoad } from "../shared/api/use-load.ts";
import { Icon } from "../shared/icons/icon.tsx";
import { parseWireDateTime } from "../shared/language/format.ts";
import { useFormats, useTranslate } from "../shared/language/use-language.ts";
import { ExceptionView } from "../shared/states/exception-view.tsx";
import { LoadingProblem } from "../shared/states/loading-problem.tsx";
import { Skeleton } from "../shared/states/skeleton.tsx";
import { Done } from "./done.tsx";
import { needSession } from "./need-session.ts";
import { RefusalLine } from "./password-form.tsx";
import { AskFallback, AskShell } from "./shell.tsx";

export function clientLoader({ request }: { request: Request }): null {
  return needSession(request);
}
clientLoader.hydrate = true as const;
export function HydrateFallback() {
  return <AskFallback title="扫码登录" />;
}

/** Which browser asks: what the person compares with the screen in front of them. */
function Asking({ asking }: { asking: QrAsking | undefined }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const facts = [
    { name: t("浏览器"), value: asking?.device },
    { name: t("网络地址"), value: asking?.address },
    { name: t("时间"), value: asking && dayTime(parseWireDateTime(asking.askedAt)) },
  ];
  return (
    <dl className="ask-facts">
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="num">{value ?? <Skeleton width={7} />}</dd>
        </div>
      ))}
    </dl>
  );
}

type Answer = "approved" | "rejected";

/** The phone's side of a QR log-in: shows which browser asks, and lets it in or not. */
export default function Scan() {
  const t = useTranslate();
  const [search] = useSearchParams();
  const qrcodeKey = search.get("qrcodeKey") ?? "";
  const [answer, setAnswer] = useState<Answer>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { value, error, reload } = useLoad(qrcodeKey === "" ? undefined : qrcodeKey, (signal) =>
    call(qrScan, { body: { qrcodeKey }, signal, quiet: true }),
  );
  const give = async (approved: boolean): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await call(qrAnswer, { body: { qrcodeKey, approved }, quiet: true });
      setAnswer(approved ? "approved" : "rejected");
    } catch (reason) {
      setProblem(reason instanceof ApiError ? reason.message : "未知错误");
    } finally {
      setBusy(false);
    }
  };
  const title = t("扫码登录");
  if (answer) {
    return (
      <AskShell title={title}>
        {answer === "approved" ? (
          <Done title={t("已确认登录")} text={t("电脑上正在进入{brand}。可以关闭本页，或返回小程序。")} />
        ) : (
          <Done
            title={t("已拒绝登录")}
            text={t("那个浏览器没有得到任何信息。如果不是您本人操作的，无需再做什么。可以关闭本页，或返回小程序。")}
          />
        )}
      </AskShell>
    );
  }
  // A refusal of the server is about this code; without an answer the code may still be good.
  const gone = qrcodeKey === "" || (error !== undefined && error.code === 400);
  if (gone || (value && value.status !== qrStatus.scanned)) {
    return (
      <AskShell title={title}>
        <ExceptionView
          type="empty"
          title={t("这个二维码不能用了")}
          text={t(error?.message ?? "二维码已过期，请刷新后重新扫描")}
        >
          <Link className="btn" to="/selfCenter/home">
            {t("进入自助中心")}
          </Link>
        </ExceptionView>
      </AskShell>
    );
  }
  if (error) {
    return (
      <AskShell title={title}>
        <LoadingProblem error={error} onRetry={reload} what={t("登录请求")} />
      </AskShell>
    );
  }
  return (
    <AskShell title={title}>
      <span className="ask-icon">
        <Icon name="devices" />
      </span>
      <h2>{t("在电脑上登录{brand}？")}</h2>
      <p>{t("请核对下面的信息。确认后，那个浏览器会以您的身份登录。")}</p>
      <Asking asking={value} />
      <p className="ask-warn">{t("不是您本人操作？请点“拒绝”。二维码来自别人发的图片或链接时，不要确认。")}</p>
      <RefusalLine text={problem} />
      <button type="button" className="btn primary submit" disabled={busy || !value} onClick={() => void give(true)}>
        {t("确认登录")}
      </button>
      <button type="button" className="btn submit refuse" disabled={busy || !value} onClick={() => void give(false)}>
        {t("拒绝")}
      </button>
    </AskShell>
  );
}
