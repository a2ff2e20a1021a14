import { AsyncLocalStorage } from "node:async_hooks";

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A piece of work with its beginning and end, which others may lie in. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly ended: boolean;
  set(attributes: SpanAttributes): void;
  /** @param error of work that failed; its kind is told, and its words are not, as they may name somebody */
  end(error?: unknown): void;
}

/** Makes spans and sends them; see `openTracing`. */
export interface Tracing {
  /** @param parent the span that this one lies in; undefined begins a trace */
  start(name: string, kind: "server" | "client" | "internal", attributes: SpanAttributes, parent?: Span): Span;
  /** Sends what is left, as far as that takes no longer than a second. */
  stop(): Promise<void>;
}

const spans = new AsyncLocalStorage<Span>();

/** The span in which the calling code runs. What outlives its span belongs to no span. */
export function currentSpan(): Span | undefined {
  const span = spans.getStore();
  return span?.ended ? undefined : span;
}

/** Runs work in a span, which is ended by somebody else. */
export const withinSpan = <Result>(span: Span, work: () => Result): Result => spans.run(span, work);

/** Runs work as a trace of its own. */
export async function tracedWork<Result>(
  tracing: Tracing | undefined,
  name: string,
  attributes: SpanAttributes,
  work: () => Promise<Result>,
): Promise<Result> {
  if (tracing === undefined) return work();
  const span = tracing.start(name, "internal", attributes);
  try {
    const result = await withinSpan(span, work);
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
