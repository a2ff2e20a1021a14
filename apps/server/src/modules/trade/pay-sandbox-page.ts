import { type SandboxWay, sandboxWays } from "../../providers/payment/sandbox.ts";

const ways: Readonly<Record<SandboxWay, readonly [zh: string, en: string]>> = {
  paid: ["付款", "Pay"],
  twice: ["付款，通知来两次", "Pay; the notice comes twice"],
  silent: ["付款，没有通知，要去查", "Pay; no notice, it has to be asked for"],
  late: ["付款，过期后才知道", "Pay; known only after the time to pay"],
  never: ["不付，没有答复", "Do not pay, no answer"],
  failed: ["付款失败", "The payment fails"],
  less: ["少付 0.01 元", "Pay 0.01 yuan less"],
  unsigned: ["付款，通知签名不对", "Pay; the notice has a wrong signature"],
};
const inHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const style = `body{font:16px/1.6 system-ui,"PingFang SC","Microsoft YaHei",sans-serif;max-width:30rem;margin:2rem auto;padding:0 1rem;background:#f5f3ee;color:#14251e}
h1{font-size:1.5rem;margin:0}b{font-size:1.75rem;font-variant-numeric:tabular-nums}form{display:grid;gap:.5rem;margin-top:1rem}
button{font:inherit;text-align:left;padding:.6rem 1rem;border:1px solid #c9c3b5;border-radius:8px;background:#fff;color:inherit;cursor:pointer}button small{display:block;color:#42534b}`;

/** The page of the sandbox, in both languages at once: what the pretended customer and provider do. */
export function sandboxPage({ amountFen, subject }: { amountFen: number; subject: string }): string {
  const buttons = sandboxWays
    .map((way) => `<button name="way" value="${way}">${ways[way][0]}<small lang="en">${ways[way][1]}</small></button>`)
    .join("");
  return `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>支付沙箱 · Payment sandbox</title><style>${style}</style></head><body><main><h1>支付沙箱 Payment sandbox</h1><p>演示模式不真的付款。In demo mode nothing is paid.</p><p>${inHtml(subject)}</p><p><b>${(amountFen / 100).toFixed(2)}</b> 元 yuan</p><form method="post">${buttons}</form></main></body></html>`;
}
