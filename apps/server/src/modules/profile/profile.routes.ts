import {
  addressDetail,
  addressSave,
  captchaHeaders,
  contactCode,
  contactProve,
  contactState,
  emailChange,
  phoneBack,
  phoneBackCode,
  phoneChange,
  phoneWithdraw,
  profileDetail,
  updateInfo,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { RequireCaptcha } from "../verification/index.ts";
import type { ContactService } from "./contact.service.ts";
import type { ProfileService } from "./profile.service.ts";

export function profileRoutes(
  router: Router,
  {
    profile,
    contact,
    requireCaptcha,
  }: { profile: ProfileService; contact: ContactService; requireCaptcha: RequireCaptcha },
): void {
  router.on(profileDetail, ({ session }) => profile.detail(session));
  router.on(updateInfo, ({ session, body }) => profile.save(session, body));
  router.on(addressDetail, ({ session, query }) => profile.address(session, query.id));
  router.on(addressSave, ({ session, body }) => profile.saveAddress(session, body));

  router.on(contactState, ({ session }) => contact.state(session));
  router.on(contactCode, ({ session, body, remoteAddress }) => contact.sendCode(session, body, remoteAddress));
  router.on(contactProve, (call) => contact.prove(call.session, call.body, call));
  router.on(phoneChange, (call) => contact.changePhone(call.session, call.body, call));
  router.on(phoneWithdraw, async (call) => {
    await contact.withdraw(call.session, call.body.id, call);
    return {};
  });
  router.on(emailChange, (call) => contact.changeEmail(call.session, call.body, call));
  router.on(phoneBackCode, async (call) => {
    await requireCaptcha(call.header(captchaHeaders.key), call.header(captchaHeaders.code), call);
    return contact.sendBackCode(call.query.mobilePhone, call.remoteAddress);
  });
  router.on(phoneBack, async (call) => ({
    accounts: await contact.takeBack(
      call.query.mobilePhone,
      { id: call.header(captchaHeaders.key), code: call.header(captchaHeaders.code) },
      call,
    ),
  }));
}
