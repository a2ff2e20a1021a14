import { captchaHeaders, sendValidate, validateMessage } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { CaptchaClient } from "../captchas/index.ts";
import type { VerificationService } from "./verification.service.ts";

/** Refuses a call without a passed captcha. */
export type RequireCaptcha = (
  key: string | undefined,
  code: string | undefined,
  client: CaptchaClient,
) => Promise<void>;

export function verificationRoutes(
  router: Router,
  verification: VerificationService,
  requireCaptcha: RequireCaptcha,
): void {
  router.on(sendValidate, async (call) => {
    await requireCaptcha(call.header(captchaHeaders.key), call.header(captchaHeaders.code), call);
    const { mobilePhone, purpose } = call.query;
    // The family's call names no purpose and is used before both; it never resets a password.
    return verification.send(
      mobilePhone,
      purpose === undefined ? ["login", "register"] : [purpose],
      call.remoteAddress,
    );
  });
  router.on(validateMessage, async ({ query, body }) => {
    const { phone = "", id, value } = { ...query, ...body };
    await verification.check({ phone, id, code: value });
    return {};
  });
}
