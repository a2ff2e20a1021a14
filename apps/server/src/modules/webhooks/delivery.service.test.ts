import { expect, test } from "vitest";
import { createSecretCipher } from "../../secret-cipher.ts";
import { createDeliveries } from "./delivery.service.ts";
import { newSecret } from "./signature.ts";
import type { DueDelivery, WebhookRepository } from "./webhook.repository.ts";

test("a webhook that hangs gets no more than four at a time, and is left out until one of them has ended", async () => {
  const cipher = createSecretCipher("k".repeat(32), "webhooks");
  const due = (webhookId: string, id: string): DueDelivery => ({
    id,
    webhookId,
    tenantId: "100002",
    body: {},
    attempts: 1,
    address: "https://hooks.example/",
    sealedSecret: cipher.encrypt(newSecret()),
  });
  const looks: { busy: readonly string[]; limit: number }[] = [];
  const answers = [["a", "b", "c", "d"].map((id) => due("1", id)), [due("2", "e")], []];
  const repository = {
    tellPresence: async () => undefined,
    async take(_scope: object, options: { busy: readonly string[]; limit: number }) {
      looks.push(options);
      return answers.shift() ?? [];
    },
    settle: async () => undefined,
    noteHealth: async () => undefined,
  } as unknown as WebhookRepository;
  let release: () => void = () => undefined;
  const hangs = new Promise<void>((resolve) => {
    release = resolve;
  });
  const deliveries = createDeliveries({
    repository,
    inTransaction: (work) =>
      work({ hooks: repository, audit: { append: async () => undefined }, tellManagers: async () => undefined }),
    sender: {
      async deliver() {
        await hangs;
        return { status: 204, text: "" };
      },
    },
    cipher,
    now: () => 0,
    nextId: () => "1",
    onError: (error) => {
      throw error;
    },
  });
  await deliveries.look();
  await deliveries.look();
  await deliveries.look();
  expect(looks.map(({ busy }) => busy)).toEqual([[], ["1"], ["1"]]);
  expect(looks.map(({ limit }) => limit)).toEqual([50, 46, 45]);
  release();
  await deliveries.stop();
  await deliveries.look();
  expect(looks.at(-1)).toMatchObject({ busy: [], limit: 50 });
});
