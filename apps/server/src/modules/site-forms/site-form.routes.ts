import { captchaHeaders, publicServices, siteFormReveal, siteFormSubmit, siteFormTake } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { CaptchaService } from "../captchas/index.ts";
import type { SiteFormService } from "./site-form.service.ts";

export function siteFormRoutes(
  router: Router,
  forms: SiteFormService,
  { requireCaptcha }: Pick<CaptchaService, "requireCaptcha">,
): void {
  router.on(publicServices, ({ query }) => forms.services(query.language, query.keyword));
  router.on(siteFormSubmit, async (call) => {
    if (call.body.check !== true)
      await requireCaptcha(call.header(captchaHeaders.key), call.header(captchaHeaders.code), call);
    return forms.send(call.body);
  });
  router.on(siteFormTake, async ({ scope, body }) => {
    await forms.take(scope, body.id);
    return {};
  });
  router.on(siteFormReveal, ({ scope, body }) => forms.reveal(scope, body.id));
}
