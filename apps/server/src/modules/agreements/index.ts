import type { Platform, ServerModule } from "../../module.ts";
import { agreementRepository } from "./agreement.repository.ts";
import { agreementRoutes } from "./agreement.routes.ts";
import { type AgreementService, createAgreementService } from "./agreement.service.ts";

export interface AgreementsModule extends ServerModule {
  readonly service: AgreementService;
}

export function createAgreementsModule({ kysely }: Platform): AgreementsModule {
  const agreements = createAgreementService(agreementRepository(kysely));
  return { service: agreements, routes: (router) => agreementRoutes(router, agreements) };
}
