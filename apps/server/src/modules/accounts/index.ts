export { accountRepository } from "./account.repository.ts";
export { accountRoutes } from "./account.routes.ts";
export { createAccountService } from "./account.service.ts";
export { isDeniedPassword } from "./common-passwords.ts";
