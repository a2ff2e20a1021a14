import type { Server } from "node:http";

export function verify(
  secret: string,
  headers: Record<string, string | string[] | undefined>,
  body: string,
  nowS?: number,
): object;
export function createReceiver(secret: string, take: (event: object) => void): Server;
