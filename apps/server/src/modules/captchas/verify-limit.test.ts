import { expect, test } from "vitest";
import { memoryStore } from "../../providers/store.ts";
import { createCaptchaService } from "./captcha.service.ts";
import { encryptPoint } from "./point-cipher.ts";

const client = { remoteAddress: "203.0.113.7", userAgent: "a browser" };

function createBench() {
  let clock = 1_000_000;
  const puzzles = { take: async () => ({ x: 150, picture: "p", piece: "q" }) };
  const captchas = createCaptchaService({ store: memoryStore(() => clock), puzzles });
  return {
    captchas,
    pass: (seconds: number) => {
      clock += seconds * 1000;
    },
    /** A solved puzzle: what goes into Captcha-Key and Captcha-Code. */
    async solved() {
      const { token, secretKey } = (await captchas.puzzle("blockPuzzle", client)).repData as Record<string, string>;
      const point = '{"x":150,"y":5}';
      await captchas.check(
        { captchaType: "blockPuzzle", token, pointJson: encryptPoint(secretKey ?? "", point) },
        client,
      );
      return [token ?? "", encryptPoint(secretKey ?? "", `${token}---${point}`)] as const;
    },
  };
}

test("6205: of 601 passes in a minute that one client shows the last is not looked at, and stays good", async () => {
  const { captchas, solved, pass } = createBench();
  const [key, code] = await solved();
  for (let at = 0; at < 600; at += 1)
    await expect(captchas.requireCaptcha("x", "y", client)).rejects.toThrow("验证码不正确");
  const refused = {
    status: 429,
    message: "verify请求次数超限!",
    more: { repCode: "6205", repMsg: "verify请求次数超限!" },
  };
  await expect(captchas.requireCaptcha(key, code, client)).rejects.toMatchObject(refused);
  await expect(captchas.requireCaptchaForToken(key, code, client)).rejects.toMatchObject({
    ...refused,
    error: "access_denied",
  });
  pass(61);
  await captchas.requireCaptcha(key, code, client);
});

test("6205: a client that changes its name is held off by its address", async () => {
  const { captchas } = createBench();
  let held = 0;
  for (let at = 0; at < 6001; at += 1) {
    const other = { ...client, userAgent: `browser ${at}` };
    await captchas.requireCaptcha("x", "y", other).catch((error: { status: number }) => {
      if (error.status === 429) held += 1;
    });
  }
  expect(held).toBe(1);
});
