import { describe, expect, it } from "vitest";
import { backOffMs } from "./live-stream.ts";
import { createSseParser } from "./sse-parser.ts";

function parse(...chunks: string[]): string[] {
  const found: string[] = [];
  const feed = createSseParser((payload) => found.push(payload));
  for (const chunk of chunks) feed(chunk);
  return found;
}

describe("server-sent events", () => {
  it("takes the payload of each event", () => {
    expect(parse('data: {"a":1}\n\ndata: {"b":2}\n\n')).toEqual(['{"a":1}', '{"b":2}']);
  });
  it("puts events together that come in pieces", () => {
    expect(parse("da", 'ta: {"a"', ":1}", "\n", "\n")).toEqual(['{"a":1}']);
  });
  it("joins several data lines", () => {
    expect(parse("data: one\ndata: two\n\n")).toEqual(["one\ntwo"]);
  });
  it("skips comments, ids and event names", () => {
    expect(parse(": beat\n\nevent: telemetry\nid: 7\ndata: x\n\n: beat\n\n")).toEqual(["x"]);
  });
  it("takes every kind of line end, also split between chunks", () => {
    expect(parse("data: a\r\n\r\ndata: b\r", "\n\r", "\ndata: c\n\n")).toEqual(["a", "b", "c"]);
  });
  it("drops one blank after the colon only", () => {
    expect(parse("data:  x\n\n", "data:y\n\n")).toEqual([" x", "y"]);
  });
});

describe("back-off", () => {
  it("doubles up to its ceiling and spreads", () => {
    expect(backOffMs(0, () => 0)).toBe(500);
    expect(backOffMs(0, () => 1)).toBe(1000);
    expect(backOffMs(3, () => 1)).toBe(8000);
    expect(backOffMs(20, () => 1)).toBe(30_000);
  });
});
