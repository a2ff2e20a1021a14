import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text);

/** What stand-ins of cloud services check of calls that are signed with the access key "the key". */
export function cloudSignatures({ keySecret, now }: { keySecret: string; now: () => number }) {
  /** Checks a call as Alibaba Cloud documents it, from the bytes that arrived; shares no code with the adapter. */
  function aliyunAccepts(request: IncomingMessage, body: string): boolean {
    const authorization = request.headers.authorization ?? "";
    const parts = /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/.exec(
      authorization,
    );
    if (parts === null || parts[1] !== "the key") return false;
    const names = (parts[2] ?? "").split(";");
    const need = [
      "host",
      "x-acs-action",
      "x-acs-content-sha256",
      "x-acs-date",
      "x-acs-signature-nonce",
      "x-acs-version",
    ];
    if (need.some((name) => !names.includes(name)) || names.join() !== [...names].sort().join()) return false;
    const [path = "", query = ""] = (request.url ?? "").split("?");
    const sorted = query.split("&").sort().join("&");
    const headers = names.map((name) => `${name}:${String(request.headers[name]).trim()}\n`).join("");
    const canonical = [request.method, path, sorted, headers, names.join(";"), sha256(body)].join("\n");
    const late = Math.abs(Date.parse(String(request.headers["x-acs-date"])) - now()) > 15 * 60_000;
    return !late && hmac(keySecret, `ACS3-HMAC-SHA256\n${sha256(canonical)}`).digest("hex") === parts[3];
  }

  /** The same for Tencent Cloud's TC3-HMAC-SHA256. */
  function tencentAccepts(request: IncomingMessage, body: string, service: string): boolean {
    const timestamp = String(request.headers["x-tc-timestamp"]);
    const day = new Date(Number(timestamp) * 1000).toISOString().slice(0, 10);
    const canonical = `POST\n/\n\ncontent-type:${request.headers["content-type"]}\nhost:${request.headers.host}\n\ncontent-type;host\n${sha256(body)}`;
    const key = hmac(hmac(hmac(`TC3${keySecret}`, day).digest(), service).digest(), "tc3_request").digest();
    const signature = hmac(
      key,
      `TC3-HMAC-SHA256\n${timestamp}\n${day}/${service}/tc3_request\n${sha256(canonical)}`,
    ).digest("hex");
    return (
      request.headers.authorization ===
      `TC3-HMAC-SHA256 Credential=the key/${day}/${service}/tc3_request, SignedHeaders=content-type;host, Signature=${signature}`
    );
  }

  return { aliyunAccepts, tencentAccepts };
}
