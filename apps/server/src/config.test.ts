import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ConfigError, describeConfig, readConfig } from "./config.ts";

test("defaults", () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    port: 8080,
    mqttPort: 1883,
    demo: false,
    simulator: false,
    demoDocuments: false,
    publicUrl: "http://localhost:8080",
  });
  expect(config.sessionDays).toBe(90);
  expect(readConfig({ SESSION_DAYS: "7" }).sessionDays).toBe(7);
  for (const wrong of ["0", "3651", "1.5", "-1", "long"])
    expect(() => readConfig({ SESSION_DAYS: wrong })).toThrow(/SESSION_DAYS/);
  expect(readConfig({ DEMO: "on" }).simulator).toBe(true);
  expect(readConfig({ DEMO: "on", SIMULATOR: "off" }).simulator).toBe(false);
  expect(readConfig({ DEMO: "on" }).demoDocuments).toBe(true);
  expect(readConfig({ DEMO: "on", DEMO_DOCUMENTS: "off" }).demoDocuments).toBe(false);
});

test("every mistake is named at once, with what to change", () => {
  const wrong = {
    PORT: "80a",
    MQTT_PORT: "70000",
    DEMO: "maybe",
    DATABASE_URL: "mysql://x",
    LOG_LEVEL: "loud",
    SECRET_KEY: "short",
    TRUST_PROXY: "10.0.0.1, proxy.example",
    HOST: "127.0.0.1:8080",
  };
  try {
    readConfig(wrong);
    expect.unreachable("the configuration was taken");
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const { problems, message } = error as ConfigError;
    expect(problems).toHaveLength(8);
    for (const name of Object.keys(wrong)) expect(message).toContain(name);
    expect(message).not.toContain("short");
  }
});

test("proxies are addresses, networks and the ranges that have a name", () => {
  const trusted = ["10.0.0.1", "10.0.0.0/8", "::1", "fc00::/7", "loopback"];
  expect(readConfig({ TRUST_PROXY: trusted.join(",") }).trustProxy).toEqual(trusted);
  for (const wrong of ["10.0.0.0/33", "10.0.0", "::1/129", "10.0.0.0/8/8", "10.0.0.0/x", "*"])
    expect(() => readConfig({ TRUST_PROXY: wrong }), wrong).toThrow("TRUST_PROXY");
});

test("MQTT with TLS needs a port, a certificate and a key, and the embedded broker", () => {
  const certFile = "/etc/herdwise/cert.pem";
  const keyFile = "/etc/herdwise/key.pem";
  const whole = { MQTT_TLS_PORT: "8883", MQTT_TLS_CERT_FILE: certFile, MQTT_TLS_KEY_FILE: keyFile };
  expect(readConfig({}).mqttTls).toBeUndefined();
  expect(readConfig(whole).mqttTls).toEqual({ port: 8883, certFile, keyFile });
  const wrong: [Record<string, string>, string][] = [
    [{ MQTT_TLS_PORT: "8883" }, "MQTT_TLS_PORT needs MQTT_TLS_CERT_FILE and MQTT_TLS_KEY_FILE"],
    [{ MQTT_TLS_CERT_FILE: certFile, MQTT_TLS_KEY_FILE: keyFile }, "need MQTT_TLS_PORT"],
    [{ ...whole, MQTT_TLS_PORT: "x" }, 'MQTT_TLS_PORT is "x"'],
    [{ ...whole, MQTT_URL: "mqtt://broker" }, "but MQTT_URL names another"],
  ];
  for (const [environment, told] of wrong) expect(() => readConfig(environment), told).toThrow(told);
});

test("a single server alone may have a subscription of its own at an outside broker", () => {
  expect(readConfig({}).mqttShared).toBe(true);
  expect(readConfig({ MQTT_SHARED: "off", MQTT_URL: "mqtt://broker" }).mqttShared).toBe(false);
  expect(() => readConfig({ MQTT_SHARED: "off", REDIS_URL: "redis://cache" })).toThrow("for a single server");
});

test("traces go to an address, or nowhere", () => {
  expect(readConfig({}).tracesUrl).toBeUndefined();
  expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" }).tracesUrl).toBe("http://collector:4318");
  expect(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" })).toThrow("OTEL_EXPORTER_OTLP_ENDPOINT");
});

test("the printed configuration holds no secret", () => {
  const printed = JSON.stringify(
    describeConfig(
      readConfig({
        DATABASE_URL: "postgres://owner:canary1@db/x?password=canary2",
        REDIS_URL: "redis://:canary3@cache",
        METRICS_TOKEN: "canary4",
        OTEL_EXPORTER_OTLP_ENDPOINT: "https://trace:canary6@collector/otlp?key=canary7",
        SECRET_KEY: "canary5-canary5-canary5-canary5-",
      }),
    ),
  );
  expect(printed).not.toContain("canary");
});

test("a service for SMS names everything that it still needs", () => {
  const problems = (environment: Record<string, string>): readonly string[] => {
    try {
      readConfig(environment);
      return [];
    } catch (error) {
      return (error as ConfigError).problems;
    }
  };
  expect(problems({ SMS_PROVIDER: "pigeon" })).toEqual([
    'SMS_PROVIDER is "pigeon", but must be one of aliyun, tencent',
  ]);
  expect(problems({ SMS_PROVIDER: "aliyun" }).join()).toMatch(
    /SMS_KEY_ID.*SMS_KEY_SECRET.*SMS_SIGN_NAME.*SMS_TEMPLATE_RESET_PASSWORD/,
  );
  expect(problems({ SMS_PROVIDER: "tencent" }).join()).toContain("SMS_APP_ID");
  expect(problems({ LOGIN_CAPTCHA: "never" }).join()).toContain("LOGIN_CAPTCHA");
  expect(problems({ PERSONAL_KEY: "short" })).toEqual(["PERSONAL_KEY must have at least 32 characters"]);
});

test("neither keys of services nor of personal data are printed", () => {
  const templates = [
    "LOGIN",
    "REGISTER",
    "RESET_PASSWORD",
    "RESET_LINK",
    "VERIFY_PHONE",
    "ACCOUNT_NAMES",
    "NO_ACCOUNT",
    "PHONE_CHANGE",
    "CONTRACT_CODE",
    "ACCOUNT_CLOSING",
  ];
  const config = readConfig({
    SMS_PROVIDER: "aliyun",
    SMS_KEY_ID: "canary1",
    SMS_KEY_SECRET: "canary2",
    SMS_SIGN_NAME: "sign",
    ...Object.fromEntries(templates.map((name) => [`SMS_TEMPLATE_${name}`, "T1"])),
    SMS_TEMPLATE_ALARM_EN: "T2",
    MAIL_URL: "smtps://canary3:canary4@mail.example.cn",
    PERSONAL_KEY: "canary5-canary5-canary5-canary5-canary5",
    PERSONAL_KEYS_OLD: "canary6-canary6-canary6-canary6-canary6",
  });
  expect(config.sms?.templates["reset-password"]).toBe("T1");
  expect(config.sms?.englishTemplates).toEqual({ alarm: "T2" });
  expect(JSON.stringify(describeConfig(config))).not.toContain("canary");
});

test("a secret may stand in a file, which is named without its value where it is wrong", () => {
  const folder = mkdtempSync(join(tmpdir(), "herdwise-secrets-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = (name: string, value: string) => {
    writeFileSync(join(folder, name), value);
    return join(folder, name);
  };
  const key = "a key that is long enough to be one of ours";
  const config = readConfig({
    SECRET_KEY_FILE: file("key", `${key}\n`),
    DATABASE_URL_FILE: file("database", "postgres://herdwise:word@db/herdwise\n"),
  });
  expect([config.secretKey, config.databaseUrl]).toEqual([key, "postgres://herdwise:word@db/herdwise"]);
  expect(config.unknownSettings).toEqual([]);
  expect(config.variable("SECRET_KEY")).toBe(key);
  // A port is no secret.
  expect(readConfig({ PORT_FILE: file("port", "9") }).port).toBe(8080);
  const problemsOf = (environment: Record<string, string>) => {
    try {
      readConfig(environment);
      return [];
    } catch (error) {
      return (error as ConfigError).problems;
    }
  };
  expect(
    problemsOf({
      SECRET_KEY: key,
      SECRET_KEY_FILE: file("key", key),
      METRICS_TOKEN_FILE: join(folder, "none"),
      PERSONAL_KEY_FILE: file("empty", "\n"),
      MALL_SECRET_FILE: file("short", "a word"),
    }),
  ).toEqual([
    "SECRET_KEY and SECRET_KEY_FILE are both set; leave one of them out",
    expect.stringMatching(/^PERSONAL_KEY_FILE names .*empty, which is empty$/),
    expect.stringMatching(/^METRICS_TOKEN_FILE names .*none, which can't be read: ENOENT$/),
    "MALL_SECRET must have at least 16 characters",
  ]);
});
