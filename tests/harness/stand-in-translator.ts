import { createServer } from "node:http";
import { text as textOf } from "node:stream/consumers";

/** A service like LibreTranslate that answers each line as `EN:<line>`. */
export interface StandInTranslator {
  /** Settings of a server that asks it. */
  readonly environment: Record<string, string>;
  /** How often it was asked. */
  asked(): number;
  /** Whether it answers. */
  isThere: boolean;
  /** Happens while it works. */
  meanwhile: (() => Promise<unknown>) | undefined;
  close(): void;
}

/** Starts one on a free port. */
export async function startTranslator(): Promise<StandInTranslator> {
  let asked = 0;
  const server = createServer(async (request, response) => {
    const q = new URLSearchParams(await textOf(request)).get("q") ?? "";
    asked += 1;
    await translator.meanwhile?.();
    if (!translator.isThere) return void response.writeHead(500).end();
    const translatedText = q
      .split("\n")
      .map((line) => `EN:${line}`)
      .join("\n");
    response.end(JSON.stringify({ translatedText }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const translator: StandInTranslator = {
    environment: { TRANSLATION_PROVIDER: "libretranslate", LIBRETRANSLATE_URL: `http://127.0.0.1:${port}` },
    asked: () => asked,
    isThere: true,
    meanwhile: undefined,
    close: () => server.close(),
  };
  return translator;
}
