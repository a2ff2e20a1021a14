import { type Endpoint, endpoints } from "@herdwise/contract";
import { Compile, type Validator } from "typebox/schema";
import { refusalsOf } from "../../apps/server/src/http/openapi.ts";

const declared = new Map(
  Object.values(endpoints as Record<string, Endpoint>).map((one) => [`${one.method} ${one.path}`, one]),
);
/** What the way to an operation answers, whatever it is: bytes that are no request, a server that is busy or fails. */
const isAnywhere = (status: number): boolean => status >= 500 || [408, 413, 415, 431].includes(status);
const compiled = new Map<Endpoint, Validator>();

/**
 * What an answer of a test's server has that its operation does not declare. Looked at with each answer of each test, because a test
 * of the whole description meets few rows: a null in a figure comes with readings, a missing name with what was removed.
 * @returns undefined where all is declared, or nothing of the contract answered
 */
export function undeclaredIn(method: string, url: string, status: number, body: unknown): string | undefined {
  const endpoint = declared.get(`${method} ${url.split("?", 1)[0]}`);
  if (
    endpoint === undefined ||
    endpoint.form === "stream" ||
    (/^(file|download)$/.test(endpoint.form) && status === 200)
  )
    return undefined;
  const place = `${method} ${endpoint.path}`;
  if (status !== 200)
    return isAnywhere(status) || status in refusalsOf(endpoint)
      ? undefined
      : `${place} answers ${status}, which it does not declare`;
  let validator = compiled.get(endpoint);
  if (validator === undefined) {
    validator = Compile(endpoint.reply as never);
    compiled.set(endpoint, validator);
  }
  const answer = endpoint.form === "bare" ? body : (body as { data?: unknown } | null)?.data;
  if (validator.Check(answer)) return undefined;
  const [, errors] = validator.Errors(answer);
  const places = errors.slice(0, 3).map(({ instancePath, message }) => `${instancePath} ${message}`);
  return `${place} answers what it does not declare: ${places.join("; ")}`;
}
