import { captchaCheck, captchaGet, pictureCaptcha } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { CaptchaService } from "./captcha.service.ts";

export function captchaRoutes(router: Router, captchas: CaptchaService): void {
  const always200 = { answerProblem: captchas.problem };
  router.on(captchaGet, (call) => captchas.puzzle(call.body.captchaType, call), always200);
  router.on(captchaCheck, (call) => captchas.check(call.body, call), always200);
  router.on(pictureCaptcha, (call) => captchas.picture(call));
}
