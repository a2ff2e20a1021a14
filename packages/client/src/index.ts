/** A typed client of the portal for programs with a personal access token. */
import createFetchClient, { type Client, type MaybeOptionalInit } from "openapi-fetch";
import type { paths } from "./generated/api.ts";

export type { components, paths, webhooks } from "./generated/api.ts";

/** Paths that a method has. */
type PathsOf<Method extends "get" | "post"> = {
  [Path in keyof paths]: paths[Path] extends { [of in Method]: { responses: unknown } } ? Path : never;
}[keyof paths];

/** `data` of the envelope with which an operation answers. */
type DataOf<Operation> = Operation extends {
  responses: { 200: { content: { "application/json": { data: infer Data } } } };
}
  ? Data
  : never;

/** Query and body of a call; what an operation requires is required here. */
type Asked<Path extends keyof paths, Method extends "get" | "post"> = MaybeOptionalInit<paths[Path], Method>;

type HistoryOperation = paths["/api/muyuan-iot/telemetry/download"]["get"];
/** What `history` and `download` ask for; times are ms since 1970. */
export type HistoryQuery = HistoryOperation["parameters"]["query"];

/** A row of history: one device at one time. Keys without a value are left out; buckets have `<key>_min`, `_avg` and `_max`. */
export interface HistoryRow {
  deviceId: string;
  device: string;
  serialNumber: string;
  /** ISO 8601 in UTC. */
  time: string;
  [key: string]: unknown;
}

/** A problem of one field of a call. */
export interface FieldProblem {
  field: string;
  reason: string;
  text: string;
}

/** A refusal of the portal; programs tell them apart by `status` and `reason`, never by the text. */
export class HerdwiseError extends Error {
  override readonly name = "HerdwiseError";
  /** HTTP status: 400 a parameter or rule, 401 the token, 403 a right or scope, 404 no such row, 429 too often, 503 busy. */
  readonly status: number;
  /** Such as `device.not_found`; "" where the answer names none. */
  readonly reason: string;
  readonly problems: readonly FieldProblem[];
  /** Under which the log of the portal holds the call; "" without one. */
  readonly requestId: string;

  constructor(status: number, body: unknown, requestId: string) {
    const { msg = "", data } = (body ?? {}) as { msg?: string; data?: { reason?: string; problems?: FieldProblem[] } };
    super(msg === "" ? `the portal answered ${status}` : msg);
    this.status = status;
    this.reason = data?.reason ?? "";
    this.problems = data?.problems ?? [];
    this.requestId = requestId;
  }
}

export interface ClientOptions {
  /** Address of the portal, such as `https://portal.example`. */
  baseUrl: string;
  /** A personal access token, `hwp_...`. */
  token: string;
  /** By default that of the platform. */
  fetch?: typeof globalThis.fetch;
}

export interface HerdwiseClient {
  /**
   * Calls a reading operation.
   * @returns `data` of its envelope
   * @throws {HerdwiseError} when it is refused; what `fetch` throws when no answer comes
   */
  get<Path extends PathsOf<"get">>(
    path: Path,
    ...asked: ArgumentsOf<Asked<Path, "get">>
  ): Promise<DataOf<paths[Path] extends { get: infer Operation } ? Operation : never>>;
  /** Calls an operation that changes something; else as `get`. */
  post<Path extends PathsOf<"post">>(
    path: Path,
    ...asked: ArgumentsOf<Asked<Path, "post">>
  ): Promise<DataOf<paths[Path] extends { post: infer Operation } ? Operation : never>>;
  /**
   * Rows of history as they arrive, of any number; leaving the loop ends the transfer.
   * @throws {HerdwiseError} when it is refused; an error when the transfer breaks off, so that rows that came are not all
   */
  history(query: Omit<HistoryQuery, "format">, options?: { signal?: AbortSignal }): AsyncGenerator<HistoryRow>;
  /**
   * Bytes of history in a format as they arrive, to be written to a file.
   * @throws {HerdwiseError} when it is refused; reading throws when the transfer breaks off
   */
  download(query: HistoryQuery, options?: { signal?: AbortSignal }): Promise<ReadableStream<Uint8Array>>;
  /** The client of openapi-fetch, for what this one has no word for; it neither unwraps nor throws. */
  readonly raw: Client<paths>;
}

/** No argument is needed where nothing is required. */
type ArgumentsOf<Asked> = undefined extends Asked
  ? [asked?: Asked]
  : Record<never, never> extends Asked
    ? [asked?: Asked]
    : [asked: Asked];

const refusal = (status: number, body: unknown, response: Response): HerdwiseError =>
  new HerdwiseError(status, body, response.headers.get("x-request-id") ?? "");

/** Lines of a text that arrives in pieces; the last one has its line end, too. */
async function* linesOf(pieces: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of pieces.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") throw new Error("the history ends amid a row");
}

/** Makes a client; it keeps nothing but its options. */
export function createHerdwiseClient({ baseUrl, token, fetch }: ClientOptions): HerdwiseClient {
  const raw = createFetchClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${token}` },
    ...(fetch && { fetch: (request: Request) => fetch(request) }),
  });
  interface Answer {
    data?: { success?: boolean; data?: unknown };
    error?: unknown;
    response: Response;
  }
  // Which query and body belong to a path is told by `get` and `post`.
  const plain = raw as unknown as Record<"GET" | "POST", (path: string, asked: unknown) => Promise<Answer>>;
  const send = async (method: "GET" | "POST", path: string, asked: unknown): Promise<unknown> => {
    const { data, error, response } = await plain[method](path, asked ?? {});
    if (!response.ok || data?.success !== true) throw refusal(response.status, data ?? error, response);
    return data.data;
  };
  const download = async (query: HistoryQuery, { signal }: { signal?: AbortSignal } = {}) => {
    const { data, error, response } = await raw.GET("/api/muyuan-iot/telemetry/download", {
      params: { query },
      parseAs: "stream",
      ...(signal && { signal }),
    });
    if (!response.ok || !data) throw refusal(response.status, error, response);
    return data as ReadableStream<Uint8Array>;
  };
  return {
    raw,
    get: ((path: string, asked?: unknown) => send("GET", path, asked)) as HerdwiseClient["get"],
    post: ((path: string, asked?: unknown) => send("POST", path, asked)) as HerdwiseClient["post"],
    download,
    async *history(query, options) {
      for await (const line of linesOf(await download({ ...query, format: "ndjson" }, options)))
        yield JSON.parse(line) as HistoryRow;
    },
  };
}
