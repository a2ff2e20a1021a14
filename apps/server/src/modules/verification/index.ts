export { type RequireCaptcha, verificationRoutes } from "./verification.routes.ts";
export { createVerificationService, phoneOf, type VerificationService } from "./verification.service.ts";
