/** Splits a server-sent event stream into the payloads of its events; comments and other fields are skipped. */
export function createSseParser(onPayload: (payload: string) => void): (chunk: string) => void {
  let rest = "";
  let lines: string[] = [];
  const takeLine = (line: string): void => {
    if (line === "") {
      if (lines.length > 0) onPayload(lines.join("\n"));
      lines = [];
      return;
    }
    if (line.startsWith("data:")) lines.push(line.slice(line[5] === " " ? 6 : 5));
  };
  return (chunk) => {
    rest += chunk;
    // A trailing \r may be the first half of \r\n; it waits for the next chunk.
    for (let match = /\r\n|\n|\r(?!$)/.exec(rest); match; match = /\r\n|\n|\r(?!$)/.exec(rest)) {
      takeLine(rest.slice(0, match.index));
      rest = rest.slice(match.index + match[0].length);
    }
  };
}
