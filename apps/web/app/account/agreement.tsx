import { useRef } from "react";
import { Icon } from "../shared/icons/icon.tsx";
import { useTranslate } from "../shared/language/use-language.ts";

const parts = [
  { title: "账号", text: "账号归您本人使用，请妥善保管密码。发现他人使用您的账号时，请立即修改密码并联系我们。" },
  { title: "数据", text: "您的猪场、设备与读数只用于向您提供服务，与其他客户的数据分开保存，未经您同意不向他人提供。" },
  { title: "设备与控制", text: "舍内控制由现场控制器完成。平台显示的数值带有时间，请以现场情况为准作出处置。" },
  { title: "终止", text: "您可以随时退出并停止使用。账号注销后，个人信息将被删除或匿名，法律要求保留的除外。" },
] as const;

/** The agreement's name as a button that opens its text. */
export function Agreement() {
  const t = useTranslate();
  const paper = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button type="button" className="link" onClick={() => paper.current?.showModal()}>
        {t("用户协议与隐私说明")}
      </button>
      <dialog ref={paper} className="paper" aria-labelledby="agreement-title">
        <header>
          <h2 id="agreement-title">{t("用户协议与隐私说明")}</h2>
          <button type="button" className="ib" aria-label={t("关闭")} onClick={() => paper.current?.close()}>
            <Icon name="close" />
          </button>
        </header>
        <div>
          {parts.map(({ title, text }) => (
            <section key={title}>
              <h3>{t(title)}</h3>
              <p>{t(text)}</p>
            </section>
          ))}
        </div>
      </dialog>
    </>
  );
}
