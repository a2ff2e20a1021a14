import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What a bank's gateway answers to any order (docs/operations/remittance.md); undefined: it is away. */
export type BankAnswer = { state: "sent" | "arrived" | "failed"; reference?: string; failure?: string } | undefined;

/** A bank's gateway that says what a test wants, and nothing on its own. */
export async function startBank() {
  let says: BankAnswer;
  const gateway = createServer((request, response) => {
    request.resume();
    if (says === undefined) return void response.writeHead(503).end();
    response.setHeader("Content-Type", "application/json").end(JSON.stringify({ reference: "2603 2014 08", ...says }));
  });
  await once(gateway.listen(0, "127.0.0.1"), "listening");
  return {
    /** Settings of a server that asks it. */
    environment: {
      REMITTANCE_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
      REMITTANCE_SECRET: "a secret of a test that is long",
    },
    /** Says this while work runs. */
    async saying<Result>(answer: BankAnswer, work: () => Promise<Result>): Promise<Result> {
      says = answer;
      try {
        return await work();
      } finally {
        says = undefined;
      }
    },
    stop(): void {
      gateway.closeAllConnections();
      gateway.close();
    },
  };
}
