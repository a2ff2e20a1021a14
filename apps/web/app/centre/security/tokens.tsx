import {
  mostTokens,
  type PersonalToken,
  personalTokenList,
  personalTokenRemove,
  personalTokenSubmit,
  type TokenScope,
  tokenDays,
  tokenScopes,
} from "@herdwise/contract";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { CopyButton } from "../../shared/forms/copy-button.tsx";
import { SelectField, TextField } from "../../shared/forms/fields.tsx";
import { FormDialog } from "../../shared/forms/form-dialog.tsx";
import { Problem } from "../../shared/forms/problem.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { CheckBox } from "../../shared/kit/check-box.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { useUnsaved } from "../../shared/session/use-unsaved.ts";
import { Confirm } from "../../shared/states/confirm.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Skeleton } from "../../shared/states/skeleton.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./tokens.module.css";

const scopeWords: Readonly<Record<TokenScope, string>> = {
  "farms:read": "看猪场、猪舍、单元和存栏",
  "devices:read": "看设备和最新读数",
  "history:read": "看历史数据",
  "alarms:read": "看告警",
  "alarms:write": "确认、备注和关闭告警",
  "orders:read": "看生猪订单、申报、运输和结算",
  "work-orders:read": "看工单和答复",
  "contracts:read": "看合同",
};
const lifetimes: readonly number[] = [7, 30, tokenDays.usual, 180, tokenDays.most];

/** Shows a new token, which nobody can see again. */
function NewToken({ token, onClose }: { token: string; onClose: () => void }) {
  const t = useTranslate();
  return (
    <Dialog
      title={t("访问令牌已生成")}
      onClose={onClose}
      footer={
        <Button kind="primary" onPress={onClose}>
          {t("我已记下")}
        </Button>
      }
    >
      <p>{t("令牌只在这里显示一次。请存进程序的密钥库，不要写进代码或发在群里。")}</p>
      <p className={styles.secret}>
        <code>{token}</code>
        <CopyButton text={token} label={t("访问令牌")} />
      </p>
    </Dialog>
  );
}

function MakeDialog({ onMade, onClose }: { onMade: (token: string) => void; onClose: () => void }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const submission = useSubmission();
  const { problems, mend } = submission;
  const [tokenName, setName] = useState("");
  const [days, setDays] = useState<number>(tokenDays.usual);
  const [scopes, setScopes] = useState<ReadonlySet<TokenScope>>(new Set());
  useUnsaved(tokenName !== "" || scopes.size > 0);
  const toggle = (scope: TokenScope): void => {
    setScopes((held) =>
      held.has(scope) ? new Set([...held].filter((one) => one !== scope)) : new Set([...held, scope]),
    );
    mend("scopes");
  };
  return (
    <FormDialog
      title={t("新建访问令牌")}
      action={t("生成令牌")}
      ready={tokenName.trim() !== "" && scopes.size > 0}
      of={submission}
      send={async () => {
        const body = { tokenName: tokenName.trim(), days, scopes: tokenScopes.filter((scope) => scopes.has(scope)) };
        const { token } = await call(personalTokenSubmit, { body, quiet: true });
        onMade(token);
      }}
      onClose={onClose}
    >
      <TextField
        id="token-name"
        label={t("名称")}
        required
        autoComplete="off"
        maxLength={60}
        value={tokenName}
        onChange={(text) => {
          setName(text);
          mend("tokenName");
        }}
        problem={problems.tokenName}
        hint={t("写明哪个程序用它，例如“ERP 同步”")}
      />
      <SelectField
        id="token-days"
        label={t("有效期")}
        value={String(days)}
        onChange={(value) => setDays(Number(value))}
        options={lifetimes.map((one) => [String(one), t("{count} 天", { count: one })] as const)}
        problem={problems.days}
        hint={t("到 {time} 为止", { time: dayTime(Date.now() + days * 86_400_000) })}
      />
      <fieldset className={styles.scopes} aria-describedby="token-scopes-problem">
        <legend>{t("可以做什么")}</legend>
        {tokenScopes.map((scope) => (
          <label key={scope}>
            <CheckBox checked={scopes.has(scope)} onChange={() => toggle(scope)} />
            <span>
              {t(scopeWords[scope])} <code>{scope}</code>
            </span>
          </label>
        ))}
        <Problem id="token-scopes-problem" text={problems.scopes} />
      </fieldset>
      <p className={styles.note}>{t("令牌只能做勾选的事，并且不超过您自己的权限。改密码后全部失效。")}</p>
    </FormDialog>
  );
}

/** Access tokens of this person: which program may do what until when, and the way to end each. */
export function Tokens({ onChanged }: { onChanged: () => void }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const joinClauses = useJoin("clauses");
  const { value, error, reload } = useLoad("personal tokens", (signal) =>
    call(personalTokenList, { signal, quiet: true }),
  );
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<string>();
  const [ending, setEnding] = useState<PersonalToken>();
  const changed = (): void => {
    reload();
    onChanged();
  };
  const end = async ({ id }: PersonalToken): Promise<void> => {
    await call(personalTokenRemove, { query: { ids: id } });
    showToast({ kind: "ok", text: "访问令牌已停用" });
    changed();
  };
  const full = (value?.filter(({ state }) => state === "active").length ?? 0) >= mostTokens;
  return (
    <section className="card" aria-labelledby="tokens-title">
      <header>
        <h2 id="tokens-title">{t("个人访问令牌")}</h2>
        <span className="spacer" />
        <Button icon="plus" isDisabled={full || !value} onPress={() => setMaking(true)}>
          {t("新建令牌")}
        </Button>
      </header>
      {error && <LoadingProblem error={error} onRetry={reload} what={t("个人访问令牌")} kept={value !== undefined} />}
      {value?.length === 0 && (
        <p className="safe-none">{t("程序凭访问令牌读取您的数据，不用您的密码。还没有令牌。")}</p>
      )}
      <ul className="safe-rows" aria-busy={!value && !error}>
        {value
          ? value.map((token) => (
              <li key={token.id} data-over={token.state !== "active" || undefined} className={styles.row}>
                <Icon name="lock" />
                <div>
                  <b>{token.tokenName}</b>
                  {token.state !== "active" && (
                    <StateTag plain mark="off" word={token.state === "ended" ? "已停用" : "已过期"} />
                  )}
                  <small>
                    <code>{token.begins}…</code>　<Translated text={token.tenantName} />
                  </small>
                  <small>{joinClauses(token.scopes.map((scope) => t(scopeWords[scope])))}</small>
                  <small className="num">
                    {token.lastUsedAt === ""
                      ? t("还没用过")
                      : t("{time} 用过，来自 {address}", {
                          time: dayTime(parseWireDateTime(token.lastUsedAt)),
                          address: token.address,
                        })}
                    {token.state === "active" &&
                      ` · ${t("到 {time} 为止", { time: dayTime(parseWireDateTime(token.expireTime)) })}`}
                  </small>
                </div>
                {token.state === "active" && (
                  <button
                    type="button"
                    className="btn"
                    aria-label={t("停用“{name}”", { name: token.tokenName })}
                    onClick={() => setEnding(token)}
                  >
                    {t("停用令牌")}
                  </button>
                )}
              </li>
            ))
          : !error && (
              <li>
                <Icon name="lock" />
                <div>
                  <Skeleton width={14} />
                </div>
              </li>
            )}
      </ul>
      {full && <p className={styles.foot}>{t("最多 {count} 个有效的令牌。", { count: mostTokens })}</p>}
      {making && (
        <MakeDialog
          onMade={(token) => {
            setMade(token);
            changed();
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {made !== undefined && <NewToken token={made} onClose={() => setMade(undefined)} />}
      {ending && (
        <Confirm
          title={t("停用“{name}”？", { name: ending.tokenName })}
          action={t("停用令牌")}
          onConfirm={() => end(ending)}
          onClose={() => setEnding(undefined)}
        >
          <p>{t("用它的程序马上不能再读取数据，不能恢复。")}</p>
        </Confirm>
      )}
    </section>
  );
}
