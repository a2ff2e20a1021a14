import { hostname } from "node:os";
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";
import type { FastifyBaseLogger } from "fastify";
import { appVersion } from "../version.ts";
import type { Span, Tracing } from "./span.ts";

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;
const sendLimitMs = 5000;
const stopLimitMs = 1000;
/** A collector that is away is told this often, ms. */
const tellEveryMs = 60_000;

/** What kind of error it is: the code of PostgreSQL or Node, else its class. */
function kindOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === "string" ? code : typeof name === "string" ? name : "Error";
}

/** Tells the log that spans were lost. */
function told(exporter: SpanExporter, log: FastifyBaseLogger): SpanExporter {
  let quietUntil = 0;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error !== undefined && performance.now() >= quietUntil) {
          quietUntil = performance.now() + tellEveryMs;
          log.warn({ fault: kindOf(result.error), spans: spans.length }, "traces could not be sent and are lost");
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

/**
 * Sends spans by OTLP over HTTP.
 * @param url of the collector, without `/v1/traces`
 */
export function createOtlpTracing(url: string, log: FastifyBaseLogger): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${url.replace(/\/+$/, "")}/v1/traces`, timeoutMillis: sendLimitMs });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": "herdwise",
      "service.version": appVersion,
      "service.instance.id": `${hostname()}/${process.pid}`,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter: told(exporter, log), scheduledDelayMillis: 1000 })],
  });
  const tracer = provider.getTracer("herdwise", appVersion);
  return {
    start(name, kind, attributes, parent) {
      const within =
        parent === undefined
          ? ROOT_CONTEXT
          : trace.setSpanContext(ROOT_CONTEXT, { traceId: parent.traceId, spanId: parent.spanId, traceFlags: 1 });
      const made = tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes } }, within);
      const { traceId, spanId } = made.spanContext();
      let ended = false;
      const span: Span = {
        traceId,
        spanId,
        get ended() {
          return ended;
        },
        set: (more) => void made.setAttributes({ ...more }),
        end(error) {
          if (ended) return;
          ended = true;
          if (error !== undefined)
            made.setAttribute("error.type", kindOf(error)).setStatus({ code: SpanStatusCode.ERROR });
          made.end();
        },
      };
      return span;
    },
    async stop() {
      let limit: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        limit = setTimeout(resolve, stopLimitMs);
      });
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(limit);
    },
  };
}
