import { clientSubmit, type OAuthClient } from "@herdwise/contract";
import { type FormEvent, useRef, useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { ConfirmLeave } from "../../shared/forms/confirm-leave.tsx";
import { CopyButton } from "../../shared/forms/copy-button.tsx";
import { Label, TextField } from "../../shared/forms/fields.tsx";
import { focusFirstProblem } from "../../shared/forms/focus-problem.ts";
import { Problem } from "../../shared/forms/problem.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { Drawer } from "../../shared/lists/drawer.tsx";
import { useUnsaved } from "../../shared/session/use-unsaved.ts";
import { showToast } from "../../shared/states/toast-store.ts";

/** Scopes of the authorization server in words; `openid` always goes along. */
const scopes = [
  ["profile", "读取您的昵称和头像"],
  ["tenant", "读取您所属的企业或农场名称"],
  ["offline_access", "在您离开后继续保持授权"],
] as const;

interface Draft {
  name: string;
  /** One address in each line. */
  redirectUris: string;
  /** One address in each line. */
  postLogoutRedirectUris: string;
  scope: readonly string[];
  publicClient: boolean;
}

const draftOf = (client: OAuthClient | undefined): Draft => ({
  name: client?.name ?? "",
  redirectUris: client?.webServerRedirectUri.split(",").join("\n") ?? "",
  postLogoutRedirectUris: client?.postLogoutRedirectUri.split(",").join("\n") ?? "",
  scope: client ? client.scope.split(",").filter((scope) => scope !== "openid") : ["profile"],
  publicClient: client?.publicClient ?? false,
});

type AddressField = "redirectUris" | "postLogoutRedirectUris";
type Problems = Partial<Record<AddressField | "name" | "form", string>>;

/** Addresses of an area of text, one in each line. */
const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

interface AddressesProps {
  id: string;
  label: string;
  hint: string;
  required?: boolean;
  value: string;
  problem: string | undefined;
  onChange: (value: string) => void;
}

function Addresses({ id, label, hint, required = false, value, problem, onChange }: AddressesProps) {
  return (
    <div className="form-field">
      <Label id={id} label={label} required={required} />
      <textarea
        id={id}
        className="input lines"
        rows={3}
        spellCheck={false}
        maxLength={2000}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem ${id}-hint`}
      />
      <p className="f-hint" id={`${id}-hint`}>
        {hint}
      </p>
      <Problem id={`${id}-problem`} text={problem} />
    </div>
  );
}

interface ClientFormProps {
  client: OAuthClient | undefined;
  onSaved: () => void;
  onClose: () => void;
}

/** Registers an application, or changes one; the secret of a new one is shown once. */
export function ClientForm({ client, onSaved, onClose }: ClientFormProps) {
  const t = useTranslate();
  const form = useRef<HTMLFormElement>(null);
  const stored = draftOf(client);
  const [draft, setDraft] = useState(stored);
  const [problems, setProblems] = useState<Problems>({});
  const [busy, setBusy] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const [made, setMade] = useState<{ clientId: string; clientSecret: string }>();
  const changed = made === undefined && JSON.stringify(draft) !== JSON.stringify(stored);
  useUnsaved(changed);
  const set = (change: Partial<Draft>): void => {
    setDraft((now) => ({ ...now, ...change }));
    setProblems({});
  };
  const close = (): void => (changed ? setLeaving(true) : onClose());
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const addresses = linesOf(draft.redirectUris);
    const found = {
      ...(draft.name.trim() === "" && { name: "请输入应用名称" }),
      ...(addresses.length === 0 && { redirectUris: "请至少填写一个回调地址" }),
    };
    setProblems(found);
    if (Object.keys(found).length > 0) return focusFirstProblem(form.current);
    setBusy(true);
    try {
      const answer = await call(clientSubmit, {
        body: {
          ...(client && { id: client.id }),
          name: draft.name.trim(),
          webServerRedirectUri: addresses.join(","),
          postLogoutRedirectUri: linesOf(draft.postLogoutRedirectUris).join(","),
          scope: ["openid", ...draft.scope].join(","),
          publicClient: draft.publicClient,
        },
        quiet: true,
      });
      onSaved();
      if (client) {
        showToast({ kind: "ok", text: "操作成功" });
        onClose();
      } else setMade(answer);
    } catch (error) {
      const { message, problems: told } = asApiError(error);
      const field = told[0]?.field;
      setProblems({ [field === "redirectUris" || field === "postLogoutRedirectUris" ? field : "form"]: message });
      focusFirstProblem(form.current);
    } finally {
      setBusy(false);
    }
  };
  if (made) {
    return (
      <Drawer
        title={t("应用已登记")}
        onClose={onClose}
        footer={
          <>
            <span className="spacer" />
            <button type="button" className="btn primary" onClick={onClose}>
              {t("我已记下")}
            </button>
          </>
        }
      >
        {made.clientSecret !== "" && <p>{t("密钥只在这里显示一次，请交给应用的开发者妥善保存。")}</p>}
        <dl className="app-secret">
          <div>
            <dt>{t("应用编号")}</dt>
            <dd>
              <code>{made.clientId}</code>
              <CopyButton text={made.clientId} label={t("应用编号")} />
            </dd>
          </div>
          {made.clientSecret !== "" && (
            <div>
              <dt>{t("密钥")}</dt>
              <dd>
                <code>{made.clientSecret}</code>
                <CopyButton text={made.clientSecret} label={t("密钥")} />
              </dd>
            </div>
          )}
        </dl>
      </Drawer>
    );
  }
  return (
    <>
      <Drawer
        title={client ? t("修改应用") : t("登记应用")}
        onClose={close}
        footer={
          <>
            <span className="spacer" />
            <button type="button" className="btn" onClick={close}>
              {t("取消")}
            </button>
            <button type="submit" form="client-form" className="btn primary" disabled={busy || !changed}>
              {t("保存")}
            </button>
          </>
        }
      >
        <form id="client-form" ref={form} onSubmit={(event) => void save(event)} noValidate>
          <TextField
            id="client-name"
            label={t("应用名称")}
            required
            autoComplete="off"
            maxLength={60}
            value={draft.name}
            onChange={(name) => set({ name })}
            problem={problems.name && t(problems.name)}
            hint={t("用户在授权页上看到的名称")}
          />
          <Addresses
            id="client-uris"
            label={t("回调地址")}
            hint={t("每行一个，须与应用发来的完全一致；用 https，本机调试可用 http。")}
            required
            value={draft.redirectUris}
            problem={problems.redirectUris && t(problems.redirectUris)}
            onChange={(redirectUris) => set({ redirectUris })}
          />
          <Addresses
            id="client-logout-uris"
            label={t("退出后的返回地址")}
            hint={t("可不填；每行一个，须与应用发来的完全一致。")}
            value={draft.postLogoutRedirectUris}
            problem={problems.postLogoutRedirectUris && t(problems.postLogoutRedirectUris)}
            onChange={(postLogoutRedirectUris) => set({ postLogoutRedirectUris })}
          />
          <fieldset className="app-scopes">
            <legend>{t("授权范围")}</legend>
            {scopes.map(([scope, words]) => (
              <label key={scope}>
                <input
                  type="checkbox"
                  checked={draft.scope.includes(scope)}
                  onChange={(event) =>
                    set({
                      scope: event.target.checked
                        ? [...draft.scope, scope]
                        : draft.scope.filter((held) => held !== scope),
                    })
                  }
                />
                <span>
                  {t(words)} <code>{scope}</code>
                </span>
              </label>
            ))}
          </fieldset>
          {!client && (
            <fieldset className="app-scopes">
              <legend>{t("应用类型")}</legend>
              <label>
                <input
                  type="checkbox"
                  checked={draft.publicClient}
                  onChange={(event) => set({ publicClient: event.target.checked })}
                />
                <span>{t("公开应用：运行在浏览器或手机里，保守不了密钥")}</span>
              </label>
            </fieldset>
          )}
          <Problem id="client-form-problem" text={problems.form && t(problems.form)} />
        </form>
      </Drawer>
      {leaving && <ConfirmLeave onLeave={onClose} onStay={() => setLeaving(false)} />}
    </>
  );
}
