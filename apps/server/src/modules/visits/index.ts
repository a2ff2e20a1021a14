export { visitRepository } from "./visit.repository.ts";
export { visitRoutes } from "./visit.routes.ts";
export { createVisitService } from "./visit.service.ts";
