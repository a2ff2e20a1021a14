export { identityRepository } from "./identity.repository.ts";
export { identityRoutes } from "./identity.routes.ts";
export { accountKey, createIdentityService, type IdentityService } from "./identity.service.ts";
export { createPasswords, type Passwords } from "./password.ts";
