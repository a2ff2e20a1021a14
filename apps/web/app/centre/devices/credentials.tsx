import { type DeviceLabel, deviceLabels, deviceTokenRenew } from "@herdwise/contract";
import { useEffect, useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { CopyButton } from "../../shared/forms/copy-button.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import styles from "./credentials.module.css";
import { labelAddress } from "./label-text.ts";

/** The label of a device as it is stuck on it. */
function Label({ label }: { label: DeviceLabel }) {
  const t = useTranslate();
  const [picture, setPicture] = useState<string>();
  useEffect(() => {
    let current = true;
    void import("uqr").then(({ renderSVG }) => {
      const svg = renderSVG(labelAddress(label), { ecc: "M", border: 2 });
      if (current) setPicture(`data:image/svg+xml,${encodeURIComponent(svg)}`);
    });
    return () => {
      current = false;
    };
  }, [label]);
  return (
    <div className={styles.label}>
      {picture && <img src={picture} alt={t("绑定二维码")} width={132} height={132} />}
      <dl>
        <dt>{t("序列号")}</dt>
        <dd className="num">{label.serialNumber}</dd>
        <dt>{t("验证码")}</dt>
        <dd className={styles.code}>{label.code}</dd>
      </dl>
    </div>
  );
}

interface CredentialsProps {
  device: { id: string; name: string; serialNumber: string };
  /** It was added just now and has no token yet. */
  fresh: boolean;
  onClose: () => void;
}

/** The label of a device, and a new access token, which nobody will see again. */
export function Credentials({ device, fresh, onClose }: CredentialsProps) {
  const t = useTranslate();
  const [label, setLabel] = useState<DeviceLabel>();
  const [token, setToken] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    await work().catch((error: unknown) => setProblem(tellIn(t, asApiError(error))));
    setBusy(false);
  };
  const showLabel = (renew: boolean): Promise<void> =>
    run(async () => {
      const [made] = await call(deviceLabels, { body: { ids: [device.id], renew }, quiet: true });
      setLabel(made);
    });
  const renewToken = (): Promise<void> =>
    run(async () => {
      const { accessToken } = await call(deviceTokenRenew, { body: { id: device.id }, quiet: true });
      setToken(accessToken);
    });
  return (
    <Dialog
      title={t(fresh ? "“{name}”已登记" : "“{name}”的标签与令牌", { name: device.name })}
      onClose={onClose}
      footer={
        <>
          {label && (
            <Button icon="sheet" onPress={() => window.print()}>
              {t("打印标签")}
            </Button>
          )}
          <Button kind="primary" onPress={onClose}>
            {t("完成")}
          </Button>
        </>
      }
    >
      {problem && (
        <p className="state critical" role="alert">
          {problem}
        </p>
      )}
      <section className={styles.part}>
        <h3>{t("设备标签")}</h3>
        <p className="mut">{t("贴在机身上。客户扫码，或输入序列号和验证码来绑定。每次查看都会记入操作记录。")}</p>
        {label ? (
          <>
            <Label label={label} />
            <Button kind="link" isDisabled={busy} onPress={() => void showLabel(true)}>
              {t("换一个验证码")}
            </Button>
          </>
        ) : (
          <Button icon="qr" isDisabled={busy} onPress={() => void showLabel(false)}>
            {t("显示标签")}
          </Button>
        )}
      </section>
      <section className={styles.part}>
        <h3>{t("访问令牌")}</h3>
        {token ? (
          <>
            <p className={styles.token} role="status">
              <code>{token}</code>
              <CopyButton text={token} label={t("访问令牌")} />
            </p>
            <p className="mut">{t("只显示这一次，请现在写入设备或妥善保存。")}</p>
          </>
        ) : (
          <>
            <p className="mut">
              {t(
                fresh
                  ? "设备凭它连接平台。生成后只显示一次。"
                  : "生成后旧令牌、用户名密码和现有连接立即失效。新令牌只显示一次。",
              )}
            </p>
            <Button icon="key" isDisabled={busy} onPress={() => void renewToken()}>
              {t("生成新令牌")}
            </Button>
          </>
        )}
      </section>
    </Dialog>
  );
}
