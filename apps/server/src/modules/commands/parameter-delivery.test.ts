import { expect, test } from "vitest";
import { createDownlinks } from "./downlinks.ts";
import { createParameterDelivery } from "./parameter-delivery.service.ts";

const deviceId = "7";

/** A device that is connected, whose settings wait; what the repository is asked, in order. */
function place({ sent }: { sent: () => Promise<void> }) {
  const asked: string[] = [];
  const links = createDownlinks();
  const errors: unknown[] = [];
  const delivery = createParameterDelivery({
    repository: {
      unsent: async () =>
        asked.includes("sent") ? [] : [{ key: "t_target", value: 22, isWanted: true, changedAt: "2026-01-01" }],
      sent: async () => {
        await sent();
        asked.push("sent");
      },
      reported: async () => {
        asked.push("reported");
        return true;
      },
      expire: async () => [],
      waiting: async () => [],
    },
    links,
    onChanged: () => undefined,
    onError: (error) => errors.push(error),
  });
  let answered: Promise<void> | undefined;
  links.add(deviceId, {
    listensTo: () => true,
    // A device on the same line answers before the server has turned around.
    send: () => {
      queueMicrotask(() => {
        answered = delivery.reported(deviceId, ["t_target"]);
      });
      return true;
    },
  });
  return { asked, errors, delivery, answered: () => answered };
}

test("an answer that is quicker than the note of what was sent is compared after it", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { asked, delivery, answered } = place({ sent: () => promise });
  delivery.wake(deviceId);
  await expect.poll(() => answered() !== undefined).toBe(true);
  expect(asked).toEqual([]);
  resolve();
  await answered();
  expect(asked).toEqual(["sent", "reported"]);
  await delivery.stop();
});

test("a note that fails holds no answer back", async () => {
  const { asked, errors, delivery, answered } = place({ sent: () => Promise.reject(new Error("gone")) });
  delivery.wake(deviceId);
  await expect.poll(() => answered() !== undefined).toBe(true);
  await answered();
  expect(asked).toEqual(["reported"]);
  await delivery.stop();
  expect(errors).toHaveLength(1);
});
