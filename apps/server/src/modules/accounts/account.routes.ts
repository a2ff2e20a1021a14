import {
  captchaHeaders,
  register,
  resetPassword,
  resetPasswordPre,
  resetPasswordValidate,
  retrieveUserAccount,
  setSelfInfo,
  updatePassword,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { RequireCaptcha } from "../verification/index.ts";
import type { AccountService } from "./account.service.ts";

interface Headers {
  header(name: string): string | undefined;
}
/** Where the family's client puts id and digits of an SMS code. */
const codeOf = (call: Headers) => ({ id: call.header(captchaHeaders.key), code: call.header(captchaHeaders.code) });

export function accountRoutes(router: Router, accounts: AccountService, requireCaptcha: RequireCaptcha): void {
  const passCaptcha = (call: Headers & { userAgent: string; remoteAddress: string }) =>
    requireCaptcha(call.header(captchaHeaders.key), call.header(captchaHeaders.code), call);

  router.on(register, async (call) => {
    await accounts.register(call.body, codeOf(call), call.remoteAddress);
    return {};
  });
  router.on(resetPasswordPre, async (call) => {
    await passCaptcha(call);
    return accounts.resetPrecheck(call.query.phone, call.remoteAddress);
  });
  router.on(resetPasswordValidate, (call) => accounts.resetValidate(call.query.phone, codeOf(call)));
  router.on(resetPassword, async (call) => {
    await accounts.reset(call.body, call);
    return {};
  });
  router.on(retrieveUserAccount, async (call) => {
    await passCaptcha(call);
    await accounts.retrieve(call.query.mobilePhone, call.remoteAddress);
    return {};
  });
  router.on(updatePassword, async (call) => {
    await accounts.updatePassword(call.session, { ...call.query, ...call.body }, call);
    return {};
  });
  router.on(setSelfInfo, async ({ session, body }) => {
    await accounts.setAppearance(session, body);
    return { code: 0, msg: "设置成功" };
  });
}
