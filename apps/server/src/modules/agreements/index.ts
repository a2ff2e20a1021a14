export { agreementRepository } from "./agreement.repository.ts";
export { agreementRoutes } from "./agreement.routes.ts";
export { createAgreementService } from "./agreement.service.ts";
