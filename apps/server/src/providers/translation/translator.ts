import { createHash, randomInt } from "node:crypto";
import type { Config } from "../../config.ts";
import { callService } from "../outside-service.ts";

export type Language = "zh" | "en";

/** A machine that translates. Throws when it can't; what comes back has as many lines as went in. */
export interface Translator {
  name: string;
  translate(lines: readonly string[], to: Language): Promise<string[]>;
}

const otherLanguage = { zh: "en", en: "zh" } as const;

const postForm = async (url: string, fields: Record<string, string>): Promise<unknown> => {
  const { status, text } = await callService(url, { method: "POST", body: new URLSearchParams(fields) });
  if (status !== 200) throw new Error(`the translation service answered ${status}`);
  return JSON.parse(text);
};

/**
 * Baidu's general translation API: sign = md5(appid + q + salt + key).
 * @param url of the service, for a test's stand-in
 */
export function baiduTranslator(
  appId: string,
  key: string,
  url = "https://fanyi-api.baidu.com/api/trans/vip/translate",
): Translator {
  return {
    name: "baidu",
    async translate(lines, to) {
      const q = lines.join("\n");
      const salt = String(randomInt(1_000_000_000));
      const sign = createHash("md5").update(`${appId}${q}${salt}${key}`).digest("hex");
      const answer = (await postForm(url, { q, from: otherLanguage[to], to, appid: appId, salt, sign })) as {
        error_code?: string;
        trans_result?: { dst: string }[];
      };
      if (answer.trans_result === undefined) throw new Error(`the translation service refused: ${answer.error_code}`);
      if (answer.trans_result.length !== lines.length) throw new Error("the translation has another number of lines");
      return answer.trans_result.map(({ dst }) => dst);
    },
  };
}

/** Any LibreTranslate server. */
export function libreTranslator(url: string, apiKey?: string): Translator {
  return {
    name: "libretranslate",
    async translate(lines, to) {
      const answer = (await postForm(`${url.replace(/\/+$/, "")}/translate`, {
        q: lines.join("\n"),
        source: otherLanguage[to],
        target: to,
        format: "text",
        ...(apiKey && { api_key: apiKey }),
      })) as { translatedText?: string };
      const translated = (answer.translatedText ?? "").split("\n");
      if (translated.length !== lines.length) throw new Error("the translation has another number of lines");
      return translated;
    },
  };
}

/** The translator that is chosen; undefined for none. */
export function translatorOf(translation: Config["translation"]): Translator | undefined {
  switch (translation?.provider) {
    case "baidu":
      return baiduTranslator(translation.appId, translation.key);
    case "libretranslate":
      return libreTranslator(translation.url, translation.apiKey);
    default:
      return undefined;
  }
}
