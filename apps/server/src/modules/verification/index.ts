import type { Platform, ServerModule } from "../../module.ts";
import type { SmsSender } from "../../providers/sms/sms.ts";
import { systemScope } from "../../tenant-scope.ts";
import type { HeldSettings } from "../settings/index.ts";
import { verificationRepository } from "./verification.repository.ts";
import { type RequireCaptcha, verificationRoutes } from "./verification.routes.ts";
import { createVerificationService, type VerificationService } from "./verification.service.ts";

export type { RequireCaptcha } from "./verification.routes.ts";
export { phoneOf, type VerificationService } from "./verification.service.ts";

export interface VerificationModule extends ServerModule {
  readonly service: VerificationService;
}

export function createVerificationModule(
  { kysely, personalCipher, store, secretKey, now, warn }: Platform,
  { sms, requireCaptcha, settings }: { sms: SmsSender; requireCaptcha: RequireCaptcha; settings: HeldSettings },
): VerificationModule {
  const repository = verificationRepository(
    kysely,
    systemScope("a code that opens an account goes to proven numbers alone, and nobody is signed in yet"),
  );
  const verification = createVerificationService({
    isProven: (phone) => repository.isProven(personalCipher.indexes(phone)),
    store,
    sms,
    secretKey,
    smsPerDay: () => settings.number("sms.perDay"),
    now,
    onError: warn("an SMS was not sent or a code not compared"),
  });
  return { service: verification, routes: (router) => verificationRoutes(router, verification, requireCaptcha) };
}
