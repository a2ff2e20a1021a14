export { authorizationRepository } from "./authorization.repository.ts";
export { authorizationRoutes, authorizationServerRoutes } from "./authorization.routes.ts";
export { createAuthorizationService } from "./authorization.service.ts";
export { createAuthorizationServer } from "./authorization-server.ts";
