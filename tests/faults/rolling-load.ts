import { once } from "node:events";
import { Agent, request } from "node:https";
import type { TokenReply } from "@herdwise/contract";
import { expect } from "vitest";
import { demoDevices, demoPassword, demoTokenPrefix } from "../../apps/server/src/database/seeds/demo.ts";
import { basic, md5 } from "../harness/session.ts";
import type { Haproxy } from "./haproxy.ts";
import { ReportingDevice } from "./reporting-device.ts";

const people = 10;
const mqttReporters = 15;
const httpReporters = 10;
const tickMs = 20;
/** Per second, over all. */
const rate = { requests: 20, mqtt: 60, http: 10 };
/** What a person's page asks for, and one that changes something. */
const asked: { method: string; path: string }[] = [
  { method: "GET", path: "/api/muyuan-system/user/info" },
  { method: "GET", path: "/api/muyuan-iot/device/page?current=1&size=20" },
  { method: "GET", path: "/news" },
  { method: "GET", path: "/api/muyuan-iot/alarm/open" },
  { method: "PUT", path: "/api/user/setSelfInfo" },
];

/** What came of a request; `status` is missing where no answer came. */
interface Answer {
  status?: number;
  text: string;
}

/** People and devices that go on working through HAProxy, as browsers and stock clients do. No request is made twice by itself. */
export class RollingLoad {
  /** Requests of people and devices over HTTP that were made. */
  requests = 0;
  /** Those that were not answered as asked for, in words. */
  readonly failed: string[] = [];
  /** Numbers that a server acknowledged, by HTTP or MQTT. */
  private readonly overHttp = new Set<number>();
  private readonly lines: ReportingDevice[];
  private readonly agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: 200 });
  private readonly haproxy: Haproxy;
  private readonly httpTokens: string[];
  private readonly underWay = new Set<Promise<void>>();
  private sessions: string[] = [];
  private timer: NodeJS.Timeout | undefined;
  private sent = 0;
  private lastTs = 0;

  constructor(haproxy: Haproxy) {
    this.haproxy = haproxy;
    const tokens = demoDevices().map(({ serialNumber }) => `${demoTokenPrefix}${serialNumber}`);
    this.lines = tokens.slice(0, mqttReporters).map((token) => new ReportingDevice(haproxy.mqttPort, token));
    this.httpTokens = tokens.slice(mqttReporters, mqttReporters + httpReporters);
  }

  /** Logs everybody in and connects every device, then begins. */
  async begin(): Promise<void> {
    const path = `/api/muyuan-auth/oauth/token?grant_type=password&username=farm&password=${md5(demoPassword)}`;
    for (let person = 0; person < people; person += 1) {
      const { status, text } = await this.call("POST", path, {});
      expect(status, text).toBe(200);
      this.sessions.push((JSON.parse(text) as TokenReply).access_token);
    }
    await Promise.all(this.lines.map((line) => line.connect()));
    const due = { requests: 0, mqtt: 0, http: 0 };
    let last = performance.now();
    this.timer = setInterval(() => {
      const at = performance.now();
      for (const kind of ["requests", "mqtt", "http"] as const) due[kind] += ((at - last) / 1000) * rate[kind];
      last = at;
      for (; due.requests >= 1; due.requests -= 1) this.track(this.ask());
      for (; due.http >= 1; due.http -= 1) this.track(this.reportByHttp());
      for (; due.mqtt >= 1; due.mqtt -= 1) {
        this.lines[this.sent % this.lines.length]?.report(this.sent);
        this.sent += 1;
      }
    }, tickMs);
  }

  /** Numbers that were acknowledged, whichever way. */
  acknowledged(): number[] {
    return [...this.overHttp, ...this.lines.flatMap((line) => [...line.acknowledged])];
  }

  /** Ends new work and waits for what is under way. */
  async settle(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.underWay);
    await expect.poll(() => this.lines.reduce((sum, { waiting }) => sum + waiting, 0), { timeout: 30_000 }).toBe(0);
  }

  /** Numbers that were made up, each for one message. */
  get messages(): number {
    return this.sent;
  }

  /** Connections that devices opened; more than there are devices where servers ended some. */
  get connections(): number {
    return this.lines.reduce((sum, { connections }) => sum + connections, 0);
  }

  end(): void {
    clearInterval(this.timer);
    for (const line of this.lines) line.end();
    this.agent.destroy();
  }

  private track(work: Promise<void>): void {
    const tracked = work.finally(() => this.underWay.delete(tracked));
    this.underWay.add(tracked);
  }

  private async ask(): Promise<void> {
    const at = this.requests;
    this.requests += 1;
    const { method, path } = asked[at % asked.length] as (typeof asked)[number];
    const body = method === "PUT" ? JSON.stringify({ sideMode: at % 2 === 0 ? "dark" : "light" }) : undefined;
    const { status, text } = await this.call(
      method,
      path,
      {
        "muyuan-auth": `bearer ${this.sessions[Math.floor(at / asked.length) % people]}`,
        "content-type": "application/json",
      },
      body,
    );
    if (status !== 200) this.failed.push(`${method} ${path}: ${status ?? ""} ${text.slice(0, 200)}`);
  }

  private async reportByHttp(): Promise<void> {
    const n = this.sent;
    this.sent += 1;
    this.requests += 1;
    const ts = Math.max(Date.now(), this.lastTs + 1);
    this.lastTs = ts;
    const path = `/api/v1/${this.httpTokens[n % httpReporters]}/telemetry`;
    const { status, text } = await this.call(
      "POST",
      path,
      { "content-type": "application/json" },
      JSON.stringify({ ts, values: { message: n } }),
    );
    if (status === 200) this.overHttp.add(n);
    else this.failed.push(`POST telemetry: ${status ?? ""} ${text.slice(0, 200)}`);
  }

  private async call(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Answer> {
    try {
      const sent = request({
        agent: this.agent,
        host: "127.0.0.1",
        port: this.haproxy.httpsPort,
        method,
        path,
        headers: { authorization: basic, ...headers, ...(body && { "content-length": Buffer.byteLength(body) }) },
      });
      sent.end(body);
      const [answer] = (await once(sent, "response")) as [import("node:http").IncomingMessage];
      let text = "";
      for await (const chunk of answer) text += String(chunk);
      return { ...(answer.statusCode && { status: answer.statusCode }), text };
    } catch (error) {
      return { text: String(error) };
    }
  }
}
