import { createContext } from "react-router";

/** Calls the API in process: path with query in, with a body as POST; the envelope's payload out; throws the refusal as a Response. */
export type ApiCaller = (path: string, body?: object, headers?: Readonly<Record<string, string>>) => Promise<unknown>;

export const apiContext = createContext<ApiCaller>();
export const nonceContext = createContext<string | undefined>(undefined);
