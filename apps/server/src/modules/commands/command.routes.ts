import {
  commandCancel,
  commandDetail,
  commandPage,
  commandSubmit,
  parameterHistory,
  parameterPeers,
  parameterStatus,
  parameterSubmit,
  unitModeSubmit,
} from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { CommandService } from "./command.service.ts";
import type { ParameterService } from "./parameter.service.ts";

export function commandRoutes(router: Router, commands: CommandService, parameters: ParameterService): void {
  router.on(commandSubmit, ({ scope, body }) => commands.submit(scope, body));
  router.on(commandPage, ({ scope, query }) => commands.page(scope, query));
  router.on(commandDetail, ({ scope, query }) => commands.detail(scope, query.id));
  router.on(commandCancel, ({ scope, query }) => commands.cancel(scope, query.id));
  router.on(parameterSubmit, ({ scope, body }) => parameters.submit(scope, body));
  router.on(parameterStatus, ({ scope, query }) => parameters.status(scope, query.id));
  router.on(parameterHistory, ({ scope, query }) => parameters.history(scope, query));
  router.on(parameterPeers, ({ scope, query }) => parameters.peers(scope, query));
  router.on(unitModeSubmit, ({ scope, body }) => parameters.setUnitMode(scope, body));
}
