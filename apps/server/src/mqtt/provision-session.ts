import type { DropReason, Uplink } from "../modules/telemetry/index.ts";
import { downTopics, provisionTopic } from "./device-topics.ts";
import type { Line } from "./session-line.ts";

/** User name of clients that have come to be registered. */
export const provisionName = "provision";

/** A connection that may do one thing: ask to be registered. */
export class ProvisionSession {
  private readonly uplink: Pick<Uplink, "provision" | "parseRequest">;
  private readonly line: Line;
  private readonly caller: string | undefined;

  /** @param caller whose requests are limited; undefined for nobody's */
  constructor(uplink: Pick<Uplink, "provision" | "parseRequest">, line: Line, caller: string | undefined) {
    this.uplink = uplink;
    this.line = line;
    this.caller = caller;
  }

  async handle(topic: string, payload: Buffer): Promise<DropReason | undefined> {
    if (topic !== provisionTopic) return "unknown_topic";
    const request = this.uplink.parseRequest(payload);
    if (request === undefined) return "not_json";
    this.line.send(downTopics.provisioned, await this.uplink.provision(request, this.caller));
    return undefined;
  }

  subscribed(): void {
    // Nothing waits for somebody who is not registered.
  }

  close(): void {
    // Nothing was opened.
  }
}
