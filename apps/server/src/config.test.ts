import { expect, test } from "vitest";
import { ConfigError, describeConfig, readConfig } from "./config.ts";

test("defaults", () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    port: 8080,
    mqttPort: 1883,
    demo: false,
    simulator: false,
    publicUrl: "http://localhost:8080",
  });
  expect(readConfig({ DEMO: "on" }).simulator).toBe(true);
  expect(readConfig({ DEMO: "on", SIMULATOR: "off" }).simulator).toBe(false);
});

test("every mistake is named at once, with what to change", () => {
  const wrong = {
    PORT: "80a",
    MQTT_PORT: "70000",
    DEMO: "maybe",
    DATABASE_URL: "mysql://x",
    LOG_LEVEL: "loud",
    SECRET_KEY: "short",
  };
  try {
    readConfig(wrong);
    expect.unreachable("the configuration was taken");
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const { problems, message } = error as ConfigError;
    expect(problems).toHaveLength(6);
    for (const name of Object.keys(wrong)) expect(message).toContain(name);
    expect(message).not.toContain("short");
  }
});

test("the printed configuration holds no secret", () => {
  const printed = JSON.stringify(
    describeConfig(
      readConfig({
        DATABASE_URL: "postgres://owner:canary1@db/x?password=canary2",
        REDIS_URL: "redis://:canary3@cache",
        METRICS_TOKEN: "canary4",
        SECRET_KEY: "canary5-canary5-canary5-canary5-",
      }),
    ),
  );
  expect(printed).not.toContain("canary");
});
