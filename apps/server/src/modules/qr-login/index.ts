export { qrLoginRoutes } from "./qr-login.routes.ts";
export { createQrLogin, type QrLogin } from "./qr-login.service.ts";
