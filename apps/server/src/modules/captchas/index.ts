export { captchaRoutes } from "./captcha.routes.ts";
export { type CaptchaClient, type CaptchaService, createCaptchaService } from "./captcha.service.ts";
