import type { FastifyInstance } from "fastify";
import { wireDateTime } from "../../http/present.ts";
import { unknownPath } from "../../http/server.ts";
import type { OutboxMessage, OutboxService } from "./outbox.service.ts";

const inHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const style = `body{font:16px/1.6 system-ui,"PingFang SC","Microsoft YaHei",sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;background:#f5f3ee;color:#14251e}
h1{font-size:1.5rem;margin:0 0 .25rem}ol{list-style:none;padding:0}li{background:#fff;border:1px solid #e3dfd5;border-radius:10px;padding:.75rem 1rem;margin:.75rem 0}
.head{color:#42534b;font-size:.875rem}p{margin:.25rem 0;white-space:pre-wrap;overflow-wrap:anywhere}strong{font-variant-numeric:tabular-nums}`;

const channelNames: Readonly<Record<string, string>> = { sms: "短信 SMS", mail: "邮件 Mail", wechat: "微信 WeChat" };

function page(messages: readonly OutboxMessage[]): string {
  const items = messages
    .map(({ channel, to, text, createdAt }) => {
      const at = wireDateTime(createdAt);
      return `<li><div class="head">${channelNames[channel] ?? channel} · <strong>${inHtml(to)}</strong> · <time datetime="${createdAt.toISOString()}">${at}</time></div><p>${inHtml(text)}</p></li>`;
    })
    .join("");
  return `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta http-equiv="refresh" content="5"><title>发件箱 · Outbox</title><style>${style}</style></head><body><main><h1>发件箱 Outbox</h1><p>演示模式不发送短信和邮件，都在这里；每 5 秒刷新。In demo mode nothing is sent; everything shows here.</p>${items === "" ? "<p>还没有消息。Nothing yet.</p>" : `<ol>${items}</ol>`}</main></body></html>`;
}

/**
 * /dev/outbox and /dev/outbox.json.
 * @param shown false outside demo mode or with a real service: both answer as if they did not exist
 */
export function outboxRoutes(http: FastifyInstance, outbox: OutboxService, shown: boolean): void {
  const config = { openBecause: "demo mode without a real service only: shows what would have been sent" };
  http.get("/dev/outbox", { config }, async (_request, reply) => {
    if (!shown) return reply.code(404).send(unknownPath());
    return reply
      .header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
      .header("Cache-Control", "no-store")
      .type("text/html; charset=utf-8")
      .send(page(await outbox.newest()));
  });
  http.get("/dev/outbox.json", { config }, async (_request, reply) => {
    if (!shown) return reply.code(404).send(unknownPath());
    const messages = await outbox.newest();
    return reply
      .header("Cache-Control", "no-store")
      .send(messages.map(({ createdAt, ...message }) => ({ ...message, createdAt: createdAt.toISOString() })));
  });
}
