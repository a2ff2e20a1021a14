import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config.ts";
import type { Tracing } from "./span.ts";

/** Begins to trace where OTEL_EXPORTER_OTLP_ENDPOINT is set; without it nothing of OpenTelemetry is loaded. */
export async function openTracing(
  { tracesUrl }: Pick<Config, "tracesUrl">,
  log: FastifyBaseLogger,
): Promise<Tracing | undefined> {
  if (tracesUrl === undefined) return undefined;
  const { createOtlpTracing } = await import("./otlp.ts");
  return createOtlpTracing(tracesUrl, log);
}
