import { Icon } from "../shared/icons/icon.tsx";
import { QrPicture } from "../shared/kit/qr-picture.tsx";
import { useTranslate } from "../shared/language/use-language.ts";
import type { Evidence } from "../shared/session/log-in.ts";
import { RefusalLine } from "./password-form.tsx";
import { type QrStep, useQrLogIn } from "./use-qr-log-in.ts";

const over: Readonly<Partial<Record<QrStep, { title: string; text: string }>>> = {
  rejected: { title: "手机上拒绝了登录", text: "如果不是您本人拒绝的，请刷新后再扫。" },
  expired: { title: "二维码已过期", text: "二维码 3 分钟内有效，请刷新后再扫。" },
  broken: { title: "没有取到二维码", text: "请检查网络后重试。" },
};

interface Props {
  refusal: string | undefined;
  onSubmit: (evidence: Evidence) => void;
}

/** A code for the phone, and what the phone has done with it. */
export function QrPanel({ refusal, onSubmit }: Props) {
  const t = useTranslate();
  const { step, code, nickName, refresh } = useQrLogIn((qrcodeKey) => onSubmit({ way: "qrcode", qrcodeKey }));
  const ended = over[step];
  return (
    <div className="qr" data-step={step}>
      <div className="qr-box" aria-busy={step === "loading"}>
        {code && <QrPicture text={code.qrcodeUrl} label={t("登录二维码")} />}
        {ended && (
          <div className="qr-over">
            <b>{t(ended.title)}</b>
            <button type="button" className="btn primary" onClick={refresh}>
              <Icon name="reload" small />
              {t("刷新二维码")}
            </button>
          </div>
        )}
        {(step === "scanned" || step === "confirmed") && (
          <div className="qr-over">
            <Icon name="check" />
            <b>{step === "scanned" ? t("{name} 已扫码", { name: nickName }) : t("手机上已确认")}</b>
          </div>
        )}
      </div>
      <p role="status">
        {ended
          ? t(ended.text)
          : step === "scanned"
            ? t("请在手机上点“确认登录”")
            : step === "confirmed"
              ? t("登录中，请稍候")
              : t("用已登录{brand}的手机或小程序扫码，再在手机上确认")}
      </p>
      {step === "scanned" && (
        <button type="button" className="btn ghost" onClick={refresh}>
          {t("换一个二维码")}
        </button>
      )}
      <RefusalLine text={refusal} />
    </div>
  );
}
