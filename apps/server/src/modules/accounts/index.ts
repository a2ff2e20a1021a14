export { accountRepository } from "./account.repository.ts";
export { accountRoutes } from "./account.routes.ts";
export { createAccountService } from "./account.service.ts";
