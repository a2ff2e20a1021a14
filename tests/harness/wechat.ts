import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** The official account that the service of tests knows. */
export const wechatEnvironment = {
  WECHAT_APP_ID: "wx-test",
  WECHAT_APP_SECRET: "app-secret",
  WECHAT_TEMPLATE: "template-1",
} as const;

/** Speaks the protocol of the service: tokens, template messages that it shows once by their number, QR codes. */
export async function startWechat() {
  const state = {
    tokens: 0,
    valid: "",
    shown: [] as {
      touser: string;
      client_msg_id: string;
      template_id: string;
      url: string;
      data: Record<string, { value: string }>;
    }[],
    calls: 0,
    refuse: 0,
    scenes: [] as string[],
    template: "{{thing1.DATA}} {{thing2.DATA}} {{time3.DATA}}",
  };
  const answer = (path: string, given: Record<string, unknown>, token: string): object => {
    if (path === "/cgi-bin/stable_token") {
      if (given.appid !== wechatEnvironment.WECHAT_APP_ID || given.secret !== wechatEnvironment.WECHAT_APP_SECRET)
        return { errcode: 40013 };
      if (state.valid === "" || given.force_refresh === true) {
        state.tokens += 1;
        state.valid = `token-${state.tokens}`;
      }
      return { access_token: state.valid, expires_in: 7200 };
    }
    if (token !== state.valid) return { errcode: 42001, errmsg: "access_token expired" };
    if (state.refuse !== 0) return { errcode: state.refuse };
    if (path === "/cgi-bin/template/get_all_private_template")
      return { template_list: [{ template_id: wechatEnvironment.WECHAT_TEMPLATE, content: state.template }] };
    if (path === "/cgi-bin/qrcode/create") {
      const { scene } = given.action_info as { scene: { scene_str: string } };
      state.scenes.push(scene.scene_str);
      return { ticket: "t", expire_seconds: given.expire_seconds, url: `http://weixin.qq.com/q/${scene.scene_str}` };
    }
    state.calls += 1;
    const message = given as (typeof state.shown)[number];
    if (!state.shown.some((one) => one.touser === message.touser && one.client_msg_id === message.client_msg_id))
      state.shown.push(message);
    return { errcode: 0, errmsg: "ok", msgid: 1 };
  };
  const server: Server = createServer(async (request, reply) => {
    const given = (await text(request)) || "{}";
    const url = new URL(request.url ?? "", "http://x");
    reply.end(
      JSON.stringify(
        answer(url.pathname, JSON.parse(given) as Record<string, unknown>, url.searchParams.get("access_token") ?? ""),
      ),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { ...{ state }, server, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
