import { consent, currentAgreements, pendingAgreements } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { AgreementService } from "./agreement.service.ts";

export function agreementRoutes(router: Router, agreements: AgreementService): void {
  router.on(currentAgreements, ({ query }) => agreements.current(query.lang));
  router.on(pendingAgreements, ({ session, query }) => agreements.pending(session, query.lang));
  router.on(consent, async ({ session, body, remoteAddress }) => {
    await agreements.consent(session, body.ids, remoteAddress);
    return {};
  });
}
