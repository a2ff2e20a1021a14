import { qrAnswer, qrCheck, qrCookie, qrGenerate, qrLifetimeS, qrScan } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { QrLogin } from "./qr-login.service.ts";

export function qrLoginRoutes(router: Router, qrLogin: QrLogin): void {
  router.on(qrGenerate, async (call) => {
    const { code, cookie } = await qrLogin.generate(call);
    // A moment longer than the code, so that an answer in its last second is still learnt.
    call.setCookie(qrCookie, cookie, qrLifetimeS + 20);
    return code;
  });
  router.on(qrCheck, (call) => qrLogin.check(call.query.qrcodeKey ?? call.body.qrcodeKey ?? "", call.cookie(qrCookie)));
  router.on(qrScan, ({ session, body }) => qrLogin.scan(session, body.qrcodeKey));
  router.on(qrAnswer, async ({ session, body }) => {
    await qrLogin.answer(session, body.qrcodeKey, body.approved);
    return {};
  });
}
