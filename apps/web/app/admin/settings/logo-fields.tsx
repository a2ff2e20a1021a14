import { type LogoTheme, logoMaxBytes, logoRemove, logoThemes, logoUpload, publicSettings } from "@herdwise/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { addressOf } from "../../shared/api/send.ts";
import { uploadFile } from "../../shared/api/upload-file.ts";
import { Problem } from "../../shared/forms/problem.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { FileButton } from "../../shared/kit/file-button.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./settings.module.css";

const queryKey = ["public settings"];
const words: Readonly<Record<LogoTheme, string>> = { light: "浅色页面的图标", dark: "深色页面的图标" };

/** The logos of light and of dark pages, each seen on its page. */
export function LogoFields({ readOnly }: { readOnly: boolean }) {
  const t = useTranslate();
  const client = useQueryClient();
  const { data } = useQuery({ queryKey, queryFn: ({ signal }) => call(publicSettings, { signal, quiet: true }) });
  const [problems, setProblems] = useState<Partial<Record<LogoTheme, string>>>({});
  const [busy, setBusy] = useState(false);
  const change = async (theme: LogoTheme, work: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setProblems((now) => ({ ...now, [theme]: undefined }));
    try {
      await work();
      await client.invalidateQueries({ queryKey });
      showToast({ kind: "ok", text: "已保存，马上生效" });
    } catch (error) {
      setProblems((now) => ({ ...now, [theme]: asApiError(error).message }));
    }
    setBusy(false);
  };
  return logoThemes.map((theme) => {
    const address = data?.logos[theme] ?? "";
    const isOwn = address.startsWith(`/logos/${theme}-`);
    return (
      <div key={theme} className="form-field">
        <div className="f-head">
          <span id={`logo-${theme}-label`}>{t(words[theme])}</span>
        </div>
        <div className={styles.logo} data-theme={theme}>
          <img src={address || "/favicon.svg"} alt={t(words[theme])} />
          {!readOnly && (
            <>
              <FileButton
                small
                icon="upload"
                label={t("选择图片：{name}", { name: t(words[theme]) })}
                accept=".png,.jpg,.jpeg,.bmp"
                isDisabled={busy}
                onPick={([file]) => void change(theme, () => uploadFile(addressOf(logoUpload, { theme }), file))}
              >
                {t("上传")}
              </FileButton>
              {isOwn && (
                <Button
                  small
                  isDisabled={busy}
                  onPress={() => void change(theme, () => call(logoRemove, { query: { theme }, quiet: true }))}
                >
                  {t("删除")}
                </Button>
              )}
            </>
          )}
        </div>
        <p className="f-hint">
          {t("PNG、JPG 或 BMP，最大 {size} MB；背景透明的 PNG 最好。没有时用另一张，都没有时用平台自带的。", {
            size: logoMaxBytes / 1024 / 1024,
          })}
        </p>
        <Problem id={`logo-${theme}-problem`} text={problems[theme] === undefined ? undefined : t(problems[theme])} />
      </div>
    );
  });
}
