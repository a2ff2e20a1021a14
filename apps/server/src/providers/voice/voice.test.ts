import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cloudSignatures } from "../../../../../tests/harness/cloud-signatures.ts";
import { SmsFault } from "../sms/sms.ts";
import { noVoice, voiceService, voiceText } from "./voice.ts";

const keySecret = "the secret of the access key";
const now = () => Date.UTC(2026, 10, 21, 9, 30, 5, 123);
const { aliyunAccepts, tencentAccepts } = cloudSignatures({ keySecret, now });
let received: unknown[] = [];
let refuses = false;

/** A stand-in that checks signatures by itself, from the bytes that arrived. */
const server = createServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += piece;
  response.setHeader("Content-Type", "application/json");
  const { headers } = request;
  if (headers["x-acs-action"] === "SingleCallByTts") {
    if (!aliyunAccepts(request, body)) return void response.writeHead(400).end('{"Code":"SignatureDoesNotMatch"}');
    if (refuses) return void response.end('{"Code":"isv.OUT_OF_SERVICE"}');
    const asked = new URLSearchParams(request.url?.split("?")[1]);
    received.push([asked.get("CalledNumber"), asked.get("TtsCode"), JSON.parse(asked.get("TtsParam") ?? "")]);
    return void response.end('{"Code":"OK","CallId":"1^2"}');
  }
  if (headers["x-tc-action"] !== "SendTtsVoice" || !tencentAccepts(request, body, "vms"))
    return void response.end('{"Response":{"Error":{"Code":"AuthFailure.SignatureFailure"}}}');
  if (refuses) return void response.end('{"Response":{"Error":{"Code":"FailedOperation.InsufficientBalance"}}}');
  const asked = JSON.parse(body);
  received.push([asked.CalledNumber.slice(3), asked.TemplateId, { alarm: asked.TemplateParamSet[0] }]);
  response.end('{"Response":{"SendStatus":{"CallId":"1"},"RequestId":"1"}}');
});
let endpoint = "";
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  received = [];
  refuses = false;
});

const call = { phone: "13900000001", variables: { alarm: "2 号育肥舍 3 单元，市电断电" } };
const service = (provider: "aliyun" | "tencent", secret = keySecret, more: { englishTemplate?: string } = {}) =>
  voiceService({
    ...more,
    provider,
    endpoint,
    keyId: "the key",
    keySecret: secret,
    template: "TTS_1",
    showNumber: "",
    appId: "1400000000",
    region: "ap-guangzhou",
    now,
  });

describe.each(["aliyun", "tencent"] as const)("%s", (provider) => {
  test("calls with a signature that the service can recompute", async () => {
    await service(provider).call(call);
    expect(received).toEqual([[call.phone, "TTS_1", call.variables]]);
  });

  test("speaks English where that is wanted and a template is configured", async () => {
    const bilingual = { ...call, english: { alarm: "Mains lost" } };
    await service(provider).call(bilingual);
    await service(provider, keySecret, { englishTemplate: "TTS_EN" }).call(bilingual);
    expect(received).toEqual([
      [call.phone, "TTS_1", call.variables],
      [call.phone, "TTS_EN", bilingual.english],
    ]);
  });

  test("a wrong secret, and a service that refuses, is a fault that names neither receiver nor alarm", async () => {
    await expect(service(provider, "another secret").call(call)).rejects.toThrow(SmsFault);
    refuses = true;
    const fault = await service(provider)
      .call(call)
      .catch((error: Error) => error.message);
    expect(fault).toMatch(/refused: .*(OUT_OF_SERVICE|InsufficientBalance)/);
    expect(fault).not.toMatch(/139|育肥/);
  });
});

test("without a service nobody is called, and the caller is told", async () => {
  await expect(noVoice.call(call)).rejects.toThrow("VOICE_PROVIDER");
  expect(voiceText(call, () => "慧牧")).toBe("慧牧紧急告警：2 号育肥舍 3 单元，市电断电。请尽快处理。");
});
