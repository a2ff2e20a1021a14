import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cloudSignatures } from "../../../../../tests/harness/cloud-signatures.ts";
import { onThisMachine } from "../../../../../tests/harness/time-limit.ts";
import { signAcs3 } from "./aliyun.ts";
import { smsService } from "./service.ts";
import { OutOfMoney, SmsFault, type SmsMessage, smsKinds, smsText } from "./sms.ts";

const keySecret = "the secret of the access key";
const now = () => Date.UTC(2026, 10, 21, 9, 30, 5, 123);
const { aliyunAccepts, tencentAccepts } = cloudSignatures({ keySecret, now });

const received: { name: string; phone: string; template: string; variables: unknown }[] = [];
let mode: "works" | "refuses" | "poor" | "hangs" | "stutters" = "works";

const server = createServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += piece;
  if (mode === "hangs") return;
  if (mode === "stutters") {
    response.writeHead(502).end("<html>");
    return;
  }
  response.setHeader("Content-Type", "application/json");
  if (request.headers["x-acs-action"] === "SendSms") {
    const query = new URLSearchParams(request.url?.split("?")[1]);
    if (!aliyunAccepts(request, body)) return void response.writeHead(400).end('{"Code":"SignatureDoesNotMatch"}');
    if (mode === "refuses") return void response.end('{"Code":"isv.BUSINESS_LIMIT_CONTROL"}');
    if (mode === "poor") return void response.end('{"Code":"isv.AMOUNT_NOT_ENOUGH"}');
    received.push({
      name: query.get("SignName") ?? "",
      phone: query.get("PhoneNumbers") ?? "",
      template: query.get("TemplateCode") ?? "",
      variables: JSON.parse(query.get("TemplateParam") ?? ""),
    });
    return void response.end('{"Code":"OK","Message":"OK","BizId":"1","RequestId":"2"}');
  }
  const wants = request.headers["x-tc-action"] === "SendSms" && request.headers["x-tc-version"] === "2021-01-11";
  if (!wants || !tencentAccepts(request, body, "sms")) {
    return void response.end('{"Response":{"Error":{"Code":"AuthFailure.SignatureFailure"},"RequestId":"1"}}');
  }
  if (mode === "refuses")
    return void response.end('{"Response":{"SendStatusSet":[{"Code":"LimitExceeded.PhoneNumberDailyLimit"}]}}');
  if (mode === "poor") {
    const code = "FailedOperation.InsufficientBalanceInSmsPackage";
    return void response.end(JSON.stringify({ Response: { SendStatusSet: [{ Code: code }] } }));
  }
  const asked = JSON.parse(body);
  received.push({
    name: asked.SignName,
    phone: asked.PhoneNumberSet[0],
    template: asked.TemplateId,
    variables: asked.TemplateParamSet,
  });
  response.end('{"Response":{"SendStatusSet":[{"Code":"Ok"}],"RequestId":"1"}}');
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

const templates = Object.fromEntries(smsKinds.map((kind, at) => [kind, `SMS_${at}`]));
const message: SmsMessage = { phone: "13900000001", kind: "login", variables: { code: "012345" } };
const service = (provider: "aliyun" | "tencent", secret = keySecret, englishTemplates = {}) =>
  smsService({
    englishTemplates,
    provider,
    endpoint,
    keyId: "the key",
    keySecret: secret,
    signName: "慧牧 (test)*",
    templates,
    appId: "1400000000",
    region: "ap-guangzhou",
    now,
  });

describe.each(["aliyun", "tencent"] as const)("%s", (provider) => {
  test("a message arrives, with a signature that the service can recompute", async () => {
    mode = "works";
    received.length = 0;
    await service(provider).send(message);
    expect(received).toEqual([
      {
        name: "慧牧 (test)*",
        phone: provider === "aliyun" ? "13900000001" : "+8613900000001",
        template: "SMS_0",
        variables: provider === "aliyun" ? { code: "012345" } : ["012345"],
      },
    ]);
  });

  test("a wrong secret is refused", async () => {
    mode = "works";
    await expect(service(provider, "another").send(message)).rejects.toThrow(/Signature/);
  });

  test("the service's refusal is told by its code, without number or code of the message", async () => {
    mode = "refuses";
    const fault = await service(provider)
      .send(message)
      .catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(SmsFault);
    expect(fault).not.toBeInstanceOf(OutOfMoney);
    expect(String(fault)).toMatch(/BUSINESS_LIMIT|PhoneNumberDailyLimit/);
    expect(String(fault)).not.toMatch(/139|012345/);
  });

  test("a service without money says so", async () => {
    mode = "poor";
    await expect(service(provider).send(message)).rejects.toBeInstanceOf(OutOfMoney);
  });

  test("who reads English gets the English template where one is configured, else the Chinese one", async () => {
    mode = "works";
    received.length = 0;
    const bilingual = { ...message, kind: "alarm", english: { code: "in English" } } as const;
    await service(provider).send(bilingual);
    await service(provider, keySecret, { alarm: "SMS_EN" }).send(bilingual);
    await service(provider, keySecret, { alarm: "SMS_EN" }).send({ ...message, kind: "alarm" });
    const values = (code: string) => (provider === "aliyun" ? { code } : [code]);
    expect(received.map(({ template, variables }) => [template, variables])).toEqual([
      [templates.alarm, values("012345")],
      ["SMS_EN", values("in English")],
      [templates.alarm, values("012345")],
    ]);
  });

  test("no JSON and a template that is not configured are faults, not crashes", async () => {
    mode = "stutters";
    await expect(service(provider).send(message)).rejects.toThrow("502");
    const poor = smsService({
      provider,
      endpoint,
      keyId: "k",
      keySecret,
      signName: "s",
      templates: {},
      appId: "",
      region: "",
    });
    await expect(poor.send(message)).rejects.toThrow("no template");
  });

  test("R26: a service that hangs is given up within 3 s", async () => {
    mode = "hangs";
    const begun = Date.now();
    await expect(service(provider).send(message)).rejects.toBeInstanceOf(SmsFault);
    expect(Date.now() - begun).toBeLessThan(onThisMachine(3000));
  });
});

test("the example of Alibaba Cloud's documentation is signed as there", () => {
  const { headers } = signAcs3({
    host: "ecs.cn-shanghai.aliyuncs.com",
    action: "RunInstances",
    version: "2014-05-26",
    query: { ImageId: "win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd", RegionId: "cn-shanghai" },
    date: "2023-10-26T10:22:32Z",
    nonce: "3156853299f313e23d1673dc12e1703d",
    keyId: "YourAccessKeyId",
    keySecret: "YourAccessKeySecret",
  });
  expect(headers.Authorization).toBe(
    "ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0",
  );
});

test("texts hold what they tell", () => {
  const text = (kind: SmsMessage["kind"], variables: SmsMessage["variables"]) =>
    smsText({ kind, variables }, "慧牧", "https://portal.example.cn");
  expect(text("login", { code: "012345" })).toMatch(/^【慧牧】验证码 012345/);
  expect(
    smsText(
      { kind: "alarm", variables: { count: "2", alarm: "断电" }, english: { count: "2", alarm: "Mains lost" } },
      "慧牧",
      "p",
    ),
  ).toBe("【慧牧】Alarms: 2. Mains lost. Details: p");
  expect(text("account-names", { names: "a、b" })).toContain("a、b");
  expect(text("reset-link", { code: "key" })).toContain(" https://portal.example.cn/findPass#key ");
});
