// Receiver of webhooks, without packages: node receive-webhook.mjs <file with the secret>
import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { argv, stdout } from "node:process";
import { pathToFileURL } from "node:url";

/** A message whose time is further away than this is refused, so that a recorded one can't be sent again, s. */
const toleranceS = 300;

/**
 * Checks who sent a message and when (Standard Webhooks).
 * @param {string} secret as it was shown once, with `whsec_`
 * @param {Record<string, string | string[] | undefined>} headers names in lower case
 * @param {string} body exactly as it came, before it is parsed
 * @param {number} nowS seconds since 1970
 * @returns {object} the event
 * @throws {Error} for a message that is not to be trusted
 */
export function verify(secret, headers, body, nowS = Date.now() / 1000) {
  const id = headers["webhook-id"];
  const time = headers["webhook-timestamp"];
  const signatures = headers["webhook-signature"];
  if (typeof id !== "string" || typeof time !== "string" || typeof signatures !== "string")
    throw new Error("the message is not signed");
  if (!/^\d{1,12}$/.test(time) || Math.abs(nowS - Number(time)) > toleranceS)
    throw new Error("the message is too old, or comes from the future");
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${time}.${body}`).digest();
  const matches = signatures.split(" ").some((one) => {
    const [version, text = ""] = one.split(",");
    const given = Buffer.from(text, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!matches) throw new Error("the signature is not right");
  return JSON.parse(body);
}

/**
 * Takes each message once: tries of the same message have one id.
 * @param {string} secret
 * @param {(event: object) => void} take
 */
export function createReceiver(secret, take) {
  // Keep these in a database where a restart must not forget them.
  const taken = new Set();
  return createServer(async (request, reply) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    try {
      const event = verify(secret, request.headers, body);
      const id = String(request.headers["webhook-id"]);
      if (!taken.has(id)) take(event);
      taken.add(id);
      reply.writeHead(204).end();
    } catch (error) {
      reply.writeHead(401).end(error.message);
    }
  });
}

const [, script = "", secretFile] = argv;
if (import.meta.url === pathToFileURL(script).href) {
  if (secretFile === undefined) throw new Error("name the file that holds the secret of the webhook");
  const secret = readFileSync(secretFile, "utf8").trim();
  createReceiver(secret, (event) => stdout.write(`${JSON.stringify(event)}\n`)).listen(8090);
}
