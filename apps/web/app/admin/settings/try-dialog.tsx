import { type ReplyOf, settingTry } from "@herdwise/contract";
import { servicesWithoutReceiver, type TriedService } from "@herdwise/contract/setting-declarations";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { TextField } from "../../shared/forms/fields.tsx";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { SubmitForm } from "../../shared/forms/submit-form.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import styles from "./settings.module.css";

/** What is asked for, and what is then done, by service; texts of the portal. */
const words: Readonly<Record<TriedService, { title: string; to: string; hint: string; action: string }>> = {
  mail: { title: "试发一封邮件", to: "发到哪个邮箱", hint: "会真的发出一封邮件", action: "发送" },
  sms: { title: "试发一条短信", to: "发到哪个手机号", hint: "会真的发出一条短信，可能收费", action: "发送" },
  voice: { title: "试打一个电话", to: "打到哪个手机号", hint: "会真的打出一个电话，可能收费", action: "拨打" },
  translation: { title: "试译一段文字", to: "要翻译的文字", hint: "中文译成英文，英文译成中文", action: "翻译" },
  wechat: {
    title: "试连微信公众号",
    to: "",
    hint: "用公众号的密钥向微信要模板，不给任何人发消息",
    action: "试一试",
  },
  payment: {
    title: "试连支付网关",
    to: "",
    hint: "签名问网关一个不存在的订单，不产生付款",
    action: "试一试",
  },
  files: {
    title: "试存一个文件",
    to: "",
    hint: "存一个小文件，读回来，再删掉",
    action: "试一试",
  },
  webhook: { title: "试发一条通知", to: "通知地址", hint: "会向这个地址 POST 一段 JSON", action: "发送" },
};

/** Sends something real by a service as it is saved, and shows what it answered. */
export function TryDialog({
  service,
  unsaved,
  onClose,
}: {
  service: TriedService;
  /** Its section has changes that do not hold yet. */
  unsaved: boolean;
  onClose: () => void;
}) {
  const t = useTranslate();
  const { number } = useFormats();
  const { form, busy, refused, problems, mend, submit } = useSubmission();
  const [to, setTo] = useState("");
  const [said, setSaid] = useState<ReplyOf<typeof settingTry>>();
  const { title, to: label, hint, action } = words[service];
  const asks = !servicesWithoutReceiver.includes(service);
  const ready = !busy && (!asks || to.trim() !== "");
  const send = async (): Promise<void> => {
    if (!ready) return;
    setSaid(undefined);
    await submit(async () => setSaid(await call(settingTry, { body: { service, to }, quiet: true })));
  };
  return (
    <Dialog
      title={t(title)}
      onClose={onClose}
      footer={
        <>
          <Refusal text={refused} />
          <Button onPress={onClose}>{t("关闭")}</Button>
          <Button kind="primary" isDisabled={!ready} onPress={() => void send()}>
            {busy ? t("正在等答复") : t(action)}
          </Button>
        </>
      }
    >
      <SubmitForm form={form} send={send}>
        {asks ? (
          <TextField
            id="try-to"
            label={t(label)}
            value={to}
            problem={problems.to}
            hint={t(hint)}
            autoComplete="off"
            maxLength={300}
            onChange={(value) => {
              mend("to");
              setTo(value);
            }}
          />
        ) : (
          <p>{t(hint)}</p>
        )}
        {unsaved && <p className="mut">{t("用的是已保存的设置，没有保存的改动不算。")}</p>}
        <div role="status" className={styles.answer} data-ok={said?.ok} hidden={said === undefined}>
          {said && (
            <>
              <Mark name={said.ok ? "ok" : "critical"} />
              <div>
                <b>{said.ok ? t("成功") : t("没有成功")}</b> <span className="mut num">{number(said.tookMs)} ms</span>
                <p lang="en">{said.answer}</p>
              </div>
            </>
          )}
        </div>
      </SubmitForm>
    </Dialog>
  );
}
