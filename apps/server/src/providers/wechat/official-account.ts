import { shanghaiClock } from "@herdwise/contract/shanghai";
import { callService } from "../outside-service.ts";
import { WechatFault, type WechatSender } from "./wechat.ts";

export const wechatEndpoint = "https://api.weixin.qq.com";

export interface OfficialAccountOptions {
  /** Address of the service; another one than the real in tests. */
  endpoint: string;
  appId: string;
  appSecret: string;
  /** Id of the approved template, and the names of its places for title, content and time. */
  templateId: string;
  templateFields: readonly [title: string, content: string, time: string];
  now: () => number;
}

/** The token is not valid any more: somebody else asked for one, or its time is over. */
const tokenOver: readonly number[] = [40001, 40014, 42001];
/** No such user, or one who does not follow the account or refused its messages. */
const userLeft: readonly number[] = [40003, 43004, 43101];
/** A token is renewed so long before its end, s. */
const marginS = 300;
/** Characters of a template's short text. */
const longestThing = 20;

/** A template as the service lists it. */
interface Template {
  template_id?: unknown;
  content?: unknown;
}

interface Answer {
  template_list?: unknown;
  errcode?: unknown;
  access_token?: unknown;
  expires_in?: unknown;
  url?: unknown;
}

/** An official account that can also be looked at. */
export interface OfficialAccount extends WechatSender {
  /**
   * Asks the service with the account's own secret for its template; tells nobody anything.
   * @throws {WechatFault} when the secret is refused, or the template or one of its places is missing
   */
  check(): Promise<void>;
}

const short = (text: string): string => {
  const characters = [...text.replace(/\s+/g, " ").trim()];
  return characters.length <= longestThing ? characters.join("") : `${characters.slice(0, longestThing - 1).join("")}…`;
};
/** `yyyy-MM-dd HH:mm` in Asia/Shanghai, the form of a template's time. */
const templateTime = (at: Date): string => shanghaiClock(at.getTime()).slice(0, 16).replace("T", " ");

/**
 * Template messages of an official account: `/cgi-bin/stable_token`, `/cgi-bin/message/template/send` with `client_msg_id`, by which
 * the service shows a message once however often it is sent, and `/cgi-bin/qrcode/create` for binding.
 */
export function officialAccount(options: OfficialAccountOptions): OfficialAccount {
  const { endpoint, appId, appSecret, templateId, templateFields, now } = options;
  let token: { text: string; untilMs: number } | undefined;
  /** Many that need one ask once. */
  let asking: Promise<string> | undefined;

  /** @param body undefined reads */
  const ask = async (path: string, body?: object): Promise<Answer> => {
    const { status, text } = await callService(
      `${endpoint}${path}`,
      body === undefined
        ? { method: "GET" }
        : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) },
    ).catch((error: unknown) => {
      throw new WechatFault(`the service does not answer: ${error instanceof Error ? error.name : "unknown"}`);
    });
    if (status !== 200) throw new WechatFault(`the service answered ${status}`);
    try {
      const answer: unknown = JSON.parse(text);
      if (typeof answer === "object" && answer !== null) return answer;
    } catch {
      // Told below.
    }
    throw new WechatFault("the service answered without JSON");
  };

  const askToken = async (force: boolean): Promise<string> => {
    const answer = await ask("/cgi-bin/stable_token", {
      grant_type: "client_credential",
      appid: appId,
      secret: appSecret,
      force_refresh: force,
    });
    if (typeof answer.access_token !== "string")
      throw new WechatFault(`the service gave no token: ${String(answer.errcode)}`);
    const lifetimeS = Math.max(60, (Number(answer.expires_in) || 7200) - marginS);
    token = { text: answer.access_token, untilMs: now() + lifetimeS * 1000 };
    return answer.access_token;
  };
  const validToken = (force = false): Promise<string> => {
    if (!force && token !== undefined && now() < token.untilMs) return Promise.resolve(token.text);
    asking ??= askToken(force).finally(() => {
      asking = undefined;
    });
    return asking;
  };

  /** Calls with a token; once more with a new one where it is over. */
  const call = async (path: string, body?: object): Promise<Answer> => {
    const withToken = async (force: boolean): Promise<{ answer: Answer; code: number }> => {
      const answer = await ask(`${path}?access_token=${encodeURIComponent(await validToken(force))}`, body);
      return { answer, code: Number(answer.errcode ?? 0) };
    };
    let { answer, code } = await withToken(false);
    if (tokenOver.includes(code)) ({ answer, code } = await withToken(true));
    if (code !== 0) throw new WechatFault(`the service refused: ${code}`, userLeft.includes(code));
    return answer;
  };

  return {
    available: true,
    sandbox: false,
    async send({ openId, title, content, at, url, messageId }) {
      const [titleField, contentField, timeField] = templateFields;
      await call("/cgi-bin/message/template/send", {
        touser: openId,
        template_id: templateId,
        url,
        client_msg_id: messageId,
        data: {
          [titleField]: { value: short(title) },
          [contentField]: { value: short(content) },
          [timeField]: { value: templateTime(at) },
        },
      });
    },
    async invite(scene, lifetimeS) {
      const answer = await call("/cgi-bin/qrcode/create", {
        expire_seconds: lifetimeS,
        action_name: "QR_STR_SCENE",
        action_info: { scene: { scene_str: scene } },
      });
      if (typeof answer.url !== "string") throw new WechatFault("the service gave no QR code");
      return answer.url;
    },
    async check() {
      const { template_list: list } = await call("/cgi-bin/template/get_all_private_template");
      const template = (Array.isArray(list) ? (list as Template[]) : []).find((one) => one.template_id === templateId);
      if (template === undefined) throw new WechatFault("the account has no such template");
      const missing = templateFields.filter((place) => !String(template.content).includes(`{{${place}.DATA}}`));
      if (missing.length > 0) throw new WechatFault(`the template has no place ${missing.join(", ")}`);
    },
  };
}
