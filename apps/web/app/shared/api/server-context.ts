import { createContext } from "react-router";

/** Calls the API in process: path with query in, with a body as POST; the envelope's payload out; throws a Response when refused. */
export type ApiCaller = (path: string, body?: object) => Promise<unknown>;

export const apiContext = createContext<ApiCaller>();
export const nonceContext = createContext<string | undefined>(undefined);
