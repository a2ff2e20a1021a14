import * as declarations from "./declarations.ts";
import type { Endpoint } from "./endpoint.ts";
import { endpointsOfAll } from "./resource/endpoints.ts";
import { processEndpointsOfAll } from "./resource/process-endpoints.ts";
import { resources } from "./resources.ts";

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === "object" && value !== null && "method" in value && "path" in value && "reply" in value;

/**
 * Every operation of the JSON API by its name: each that a file of the contract exports, and those that the kits make. OpenAPI, the list of
 * operations and the access tests are generated from it.
 */
export const endpoints: Readonly<Record<string, Endpoint>> = {
  ...Object.fromEntries(
    Object.entries<unknown>(declarations).filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1])),
  ),
  ...endpointsOfAll(resources),
  ...processEndpointsOfAll(resources),
};
