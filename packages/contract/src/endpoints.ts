import { menuButtons, menuRoutes } from "./access.ts";
import {
  approveLocation,
  authorizeInfo,
  clientList,
  clientRemove,
  clientSubmit,
  grantList,
  grantRemove,
} from "./authorization.ts";
import { captchaCheck, captchaGet, pictureCaptcha, sendValidate } from "./captchas.ts";
import {
  deviceDetail,
  deviceLatest,
  devicePage,
  environmentOverview,
  live,
  liveFigures,
  telemetryHistory,
} from "./devices.ts";
import type { Endpoint } from "./endpoint.ts";
import { farmTree, unitDetail } from "./farms.ts";
import {
  demoAccounts,
  multiTenant,
  myTenants,
  oauthLogout,
  oauthToken,
  switchMultiTenant,
  userInfo,
} from "./identity.ts";
import { recordVisits, translate } from "./languages.ts";
import { customerService, mallExchange, mallLoginCode, mallLogOut } from "./mall.ts";
import { qrAnswer, qrCheck, qrGenerate, qrScan } from "./qr-login.ts";
import { publicSettings } from "./settings.ts";

/** Every operation of the JSON API by its name. OpenAPI, the list of operations and the access tests are generated from it. */
export const endpoints = {
  oauthToken,
  oauthLogout,
  switchMultiTenant,
  multiTenant,
  myTenants,
  userInfo,
  demoAccounts,
  captchaGet,
  captchaCheck,
  pictureCaptcha,
  sendValidate,
  publicSettings,
  translate,
  recordVisits,
  qrGenerate,
  qrCheck,
  qrScan,
  qrAnswer,
  mallLoginCode,
  mallExchange,
  mallLogOut,
  customerService,
  authorizeInfo,
  approveLocation,
  grantList,
  grantRemove,
  clientList,
  clientSubmit,
  clientRemove,
  menuRoutes,
  menuButtons,
  farmTree,
  unitDetail,
  devicePage,
  deviceDetail,
  deviceLatest,
  telemetryHistory,
  environmentOverview,
  live,
  liveFigures,
} satisfies Record<string, Endpoint>;
