import {
  agreementConsentExport,
  agreementConsentPage,
  agreementDetail,
  agreementPage,
  agreementPublish,
  agreementRemove,
  agreementSubmit,
  agreementUnschedule,
  consent,
  currentAgreements,
  pendingAgreements,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { AgreementService } from "./agreement.service.ts";
import type { VersionService } from "./version.service.ts";

export function agreementRoutes(router: Router, agreements: AgreementService, versions: VersionService): void {
  router.on(currentAgreements, ({ query }) => agreements.current(query.lang));
  router.on(pendingAgreements, ({ session, query }) => agreements.pending(session, query.lang));
  router.on(consent, async ({ session, body, remoteAddress }) => {
    await agreements.consent(session, body.ids, remoteAddress);
    return {};
  });

  router.on(agreementPage, ({ scope, query }) => versions.page(scope, query));
  router.on(agreementDetail, ({ scope, query }) => versions.detail(scope, query.id));
  router.on(agreementSubmit, ({ scope, body }) => versions.submit(scope, body));
  router.on(agreementPublish, async ({ scope, body }) => {
    await versions.publish(scope, body);
    return {};
  });
  router.on(agreementUnschedule, async ({ scope, body }) => {
    await versions.unschedule(scope, body);
    return {};
  });
  router.on(agreementRemove, async ({ scope, body }) => {
    await versions.remove(scope, body);
    return {};
  });
  router.on(agreementConsentPage, ({ scope, query }) => versions.consents(scope, query));
  router.on(agreementConsentExport, ({ scope, body }) => versions.export(scope, body));
}
