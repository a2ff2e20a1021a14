export { accountKey } from "./account-key.ts";
export { identityRepository } from "./identity.repository.ts";
export { identityRoutes } from "./identity.routes.ts";
export { createIdentityService, type IdentityService } from "./identity.service.ts";
export { createPasswords, type Passwords } from "./password.ts";
