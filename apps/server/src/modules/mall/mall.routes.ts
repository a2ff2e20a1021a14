import { customerService, mallExchange, mallLoginCode, mallLogOut } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { MallService } from "./mall.service.ts";

export function mallRoutes(router: Router, mall: MallService): void {
  router.on(mallLoginCode, ({ session }) => mall.loginCode(session));
  router.on(mallExchange, ({ body, header }) =>
    mall.exchange(body.code, /^Bearer (\S+)$/i.exec(header("authorization") ?? "")?.[1]),
  );
  router.on(mallLogOut, ({ body }) => mall.logOut(body.mallToken));
  router.on(customerService, async () => mall.customerService());
}
