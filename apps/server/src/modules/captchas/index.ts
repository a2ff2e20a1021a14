import type { Platform, ServerModule } from "../../module.ts";
import { captchaRoutes } from "./captcha.routes.ts";
import { type CaptchaService, createCaptchaService } from "./captcha.service.ts";

export type { CaptchaClient, CaptchaService } from "./captcha.service.ts";

export interface CaptchasModule extends ServerModule {
  readonly service: CaptchaService;
}

export function createCaptchasModule({ store }: Platform): CaptchasModule {
  const captchas = createCaptchaService({ store });
  return { service: captchas, routes: (router) => captchaRoutes(router, captchas) };
}
