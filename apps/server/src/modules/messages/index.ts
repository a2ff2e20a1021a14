export { messageRepository } from "./message.repository.ts";
export { messageRoutes } from "./message.routes.ts";
export { createMessageService } from "./message.service.ts";
