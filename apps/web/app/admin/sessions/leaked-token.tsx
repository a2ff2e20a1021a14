import { type FoundToken, leakedTokenEnd, leakedTokenFind } from "@herdwise/contract";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { Label } from "../../shared/forms/fields.tsx";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./leaked-token.module.css";

const stateWords = { active: "有效", expired: "已过期", ended: "已停用" } as const;

/** Finds whose access token somebody found outside, and ends it. */
export function LeakedToken({ mayEnd, onClose }: { mayEnd: boolean; onClose: () => void }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const { form, busy, refused, submit } = useSubmission<HTMLFormElement>();
  const [token, setToken] = useState("");
  const [found, setFound] = useState<FoundToken>();
  const look = (): Promise<boolean> =>
    submit(async () => setFound(await call(leakedTokenFind, { body: { token }, quiet: true })));
  const end = (id: string): Promise<boolean> =>
    submit(async () => {
      await call(leakedTokenEnd, { body: { id }, quiet: true });
      showToast({ kind: "ok", text: "令牌已停用，并告知了本人" });
      onClose();
    });
  return (
    <Dialog
      title={t("查泄露的访问令牌")}
      onClose={onClose}
      footer={
        <>
          <Refusal text={refused} />
          <Button onPress={onClose}>{t("关闭")}</Button>
          {mayEnd && found?.state === "active" && (
            <Button kind="danger" isDisabled={busy} onPress={() => void end(found.id)}>
              {t("停用这个令牌")}
            </Button>
          )}
          <Button kind="primary" isDisabled={busy || token.trim().length < 16} onPress={() => void look()}>
            {t("查是谁的")}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void look();
        }}
      >
        <div className="form-field">
          <Label id="leaked-token" label={t("泄露的令牌")} required />
          <textarea
            id="leaked-token"
            className="input lines"
            rows={3}
            spellCheck={false}
            autoComplete="off"
            maxLength={2000}
            value={token}
            aria-describedby="leaked-token-hint"
            onChange={(event) => {
              setToken(event.target.value);
              setFound(undefined);
            }}
          />
          <p className="f-hint" id="leaked-token-hint">
            {t("贴上含有 hwp_ 的文字，前 16 位也可以。文字不会保存。")}
          </p>
        </div>
      </form>
      {found && (
        <dl className={styles.facts}>
          <div>
            <dt>{t("本人")}</dt>
            <dd>
              <span lang="zh-CN">{found.personName}</span> {found.account}
            </dd>
          </div>
          <div>
            <dt>{t("所属组织")}</dt>
            <dd>
              <Translated text={found.tenantName} />
            </dd>
          </div>
          <div>
            <dt>{t("访问令牌")}</dt>
            <dd>
              {found.tokenName} <code>{found.begins}…</code>
            </dd>
          </div>
          <div>
            <dt>{t("状态")}</dt>
            <dd>
              <StateTag plain mark={found.state === "active" ? "ok" : "off"} word={stateWords[found.state]} />
            </dd>
          </div>
          <div>
            <dt>{t("授权范围")}</dt>
            <dd>
              <code>{found.scopes.join(" ")}</code>
            </dd>
          </div>
          <div>
            <dt>{t("最近使用")}</dt>
            <dd className="num">
              {found.lastUsedAt === ""
                ? t("还没用过")
                : `${dayTime(parseWireDateTime(found.lastUsedAt))} · ${found.address}`}
            </dd>
          </div>
        </dl>
      )}
    </Dialog>
  );
}
