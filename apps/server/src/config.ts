import { resolve } from "node:path";

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Everything that the environment may say. This file is the only reader of the environment. */
export interface Config {
  /** TCP port of HTTP. PORT, default 8080; 0 takes a free one. */
  port: number;
  /** Address that HTTP and MQTT listen on. HOST, default 0.0.0.0. */
  host: string;
  /** TCP port of the embedded MQTT broker. MQTT_PORT, default 1883; when taken, the next free one is used. */
  mqttPort: number;
  /** Folder of everything that must survive a restart. DATA_DIR, default `data`. */
  dataDir: string;
  /** A PostgreSQL from 15 on instead of the embedded one. DATABASE_URL. */
  databaseUrl?: string;
  /** Redis or Valkey instead of memory. REDIS_URL. */
  redisUrl?: string;
  /** An outside MQTT broker instead of the embedded one. MQTT_URL. */
  mqttUrl?: string;
  /** Demo tenants, accounts and devices. DEMO, default off (npm start turns it on). */
  demo: boolean;
  /** A fleet of virtual devices. SIMULATOR, default as DEMO. */
  simulator: boolean;
  /** Address under which visitors reach the portal, without a slash at the end. PUBLIC_URL, default http://localhost:PORT. */
  publicUrl: string;
  /** LOG_LEVEL, default info. */
  logLevel: LogLevel;
  /** Opens /metrics to callers beyond loopback that send `Authorization: Bearer <token>`. METRICS_TOKEN. */
  metricsToken?: string;
  /** Address of the mall, whose links open at its /pc/. MALL_URL; in demo mode without it there is no mall. */
  mallUrl?: string;
  /** Secret with which the mall's server turns a code into who is signed in. MALL_SECRET, at least 16 characters. */
  mallSecret?: string;
  /** Address of the customer-service chat. CUSTOMER_SERVICE_URL. */
  customerServiceUrl?: string;
  /** Key that peppers password hashes, at least 32 characters. SECRET_KEY, default: made at the first start and kept in DATA_DIR. */
  secretKey?: string;
}

/** Thrown with one line per mistake, so that all can be mended at once. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? "a mistake" : "mistakes"}:\n${problems.map((p) => `  - ${p}`).join("\n")}`,
    );
    this.name = "ConfigError";
    this.problems = problems;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

const flag = (name: string, text: string | undefined, fallback: boolean, problems: string[]): boolean => {
  if (text === undefined) return fallback;
  if (["1", "true", "on", "yes"].includes(text.toLowerCase())) return true;
  if (["0", "false", "off", "no"].includes(text.toLowerCase())) return false;
  problems.push(`${name} is "${text}", but must be one of on, off, true, false, 1, 0`);
  return fallback;
};

const port = (name: string, text: string | undefined, fallback: number, problems: string[]): number => {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (/^\d{1,5}$/.test(text) && value <= 65_535) return value;
  problems.push(`${name} is "${text}", but must be a whole number from 0 to 65535`);
  return fallback;
};

const url = (name: string, text: string | undefined, protocols: string[], problems: string[]): string | undefined => {
  if (text === undefined) return undefined;
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text;
  problems.push(`${name} must be an address that begins with ${protocols.map((p) => `${p}//`).join(" or ")}`);
  return undefined;
};

/**
 * Reads the configuration.
 * @throws {ConfigError} that names every variable that is wrong and what it may be; values of secrets are never repeated.
 */
export function readConfig(environment: Environment): Config {
  const problems: string[] = [];
  const text = (name: string): string | undefined => {
    const value = environment[name]?.trim();
    return value === "" ? undefined : value;
  };
  const demo = flag("DEMO", text("DEMO"), false, problems);
  const httpPort = port("PORT", text("PORT"), 8080, problems);
  const logLevel = text("LOG_LEVEL") ?? "info";
  if (!(logLevels as readonly string[]).includes(logLevel)) {
    problems.push(`LOG_LEVEL is "${logLevel}", but must be one of ${logLevels.join(", ")}`);
  }
  const secretKey = text("SECRET_KEY");
  if (secretKey !== undefined && secretKey.length < 32) problems.push("SECRET_KEY must have at least 32 characters");
  const databaseUrl = url("DATABASE_URL", text("DATABASE_URL"), ["postgres:", "postgresql:"], problems);
  const redisUrl = url("REDIS_URL", text("REDIS_URL"), ["redis:", "rediss:"], problems);
  const mqttUrl = url("MQTT_URL", text("MQTT_URL"), ["mqtt:", "mqtts:"], problems);
  const publicUrl = url("PUBLIC_URL", text("PUBLIC_URL"), ["http:", "https:"], problems);
  const mallUrl = url("MALL_URL", text("MALL_URL"), ["http:", "https:"], problems);
  const customerServiceUrl = url("CUSTOMER_SERVICE_URL", text("CUSTOMER_SERVICE_URL"), ["http:", "https:"], problems);
  const mallSecret = text("MALL_SECRET");
  if (mallSecret !== undefined && mallSecret.length < 16) problems.push("MALL_SECRET must have at least 16 characters");
  const metricsToken = text("METRICS_TOKEN");
  const config: Config = {
    port: httpPort,
    host: text("HOST") ?? "0.0.0.0",
    mqttPort: port("MQTT_PORT", text("MQTT_PORT"), 1883, problems),
    dataDir: resolve(text("DATA_DIR") ?? "data"),
    ...(databaseUrl && { databaseUrl }),
    ...(redisUrl && { redisUrl }),
    ...(mqttUrl && { mqttUrl }),
    demo,
    simulator: flag("SIMULATOR", text("SIMULATOR"), demo, problems),
    publicUrl: (publicUrl ?? `http://localhost:${httpPort}`).replace(/\/+$/, ""),
    logLevel: logLevel as LogLevel,
    ...(mallUrl && { mallUrl: mallUrl.replace(/\/+$/, "") }),
    ...(mallSecret && { mallSecret }),
    ...(customerServiceUrl && { customerServiceUrl }),
    ...(metricsToken && { metricsToken }),
    ...(secretKey && { secretKey }),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** The process environment, for the entry points; everything else takes a `Config`. */
export const processEnvironment = (): Environment => process.env;

/** The configuration as it may be logged: credentials in addresses and keys are replaced. */
export function describeConfig(config: Config): Record<string, unknown> {
  const withoutCredentials = (address: string | undefined) => {
    if (address === undefined) return undefined;
    const parsed = new URL(address);
    if (parsed.username || parsed.password) {
      parsed.username = "***";
      parsed.password = "";
    }
    parsed.search = "";
    return parsed.href;
  };
  return {
    ...config,
    databaseUrl: withoutCredentials(config.databaseUrl),
    redisUrl: withoutCredentials(config.redisUrl),
    mqttUrl: withoutCredentials(config.mqttUrl),
    metricsToken: config.metricsToken ? "***" : undefined,
    mallSecret: config.mallSecret ? "***" : undefined,
    secretKey: config.secretKey ? "***" : undefined,
  };
}
