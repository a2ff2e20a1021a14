export { outboxRepository } from "./outbox.repository.ts";
export { outboxRoutes } from "./outbox.routes.ts";
export { createOutboxService } from "./outbox.service.ts";
