import {
  endpointsOf,
  type ImportEndpoints,
  importEndpointsOf,
  operationsOf,
  type ResourceDeclaration,
} from "@herdwise/contract";
import type { Router } from "../http/router.ts";
import type { TenantScope } from "../tenant-scope.ts";
import type { ImportService } from "./import.service.ts";
import type { ResourceService } from "./resource.service.ts";

/** Header with which a client marks a submit that it may repeat. */
const idempotencyHeader = "Idempotency-Key";
const keyPattern = /^[\w-]{8,100}$/;

/** Key of a submit that a client may repeat; undefined when it sent none. */
export function submitKeyOf(header: (name: string) => string | undefined): string | undefined {
  const key = header(idempotencyHeader);
  return key !== undefined && keyPattern.test(key) ? key : undefined;
}

/** The router types a scope by its endpoint's literal owner; an endpoint of a resource always has an owner with a scope. */
export const scoped = (scope: TenantScope | undefined): TenantScope => {
  if (scope === undefined) throw new Error("An operation of a resource has no scope");
  return scope;
};

/** Serves the operations of a resource. */
export function resourceRoutes(router: Router, of: ResourceDeclaration, service: ResourceService): void {
  const calls = endpointsOf(of);
  const serves = new Set(operationsOf(of));
  if (serves.has("page")) router.on(calls.page, ({ scope, query }) => service.page(scoped(scope), query));
  if (serves.has("detail")) router.on(calls.detail, ({ scope, query }) => service.detail(scoped(scope), query.id));
  if (serves.has("submit")) {
    router.on(calls.submit, ({ scope, body, header }) => service.submit(scoped(scope), body, submitKeyOf(header)));
  }
  // Clients of the family send ids as query or as a form body; both are read.
  if (serves.has("remove")) {
    router.on(calls.remove, async ({ scope, query, body }) => {
      await service.remove(scoped(scope), query.ids ? { ids: query.ids } : body);
      return {};
    });
  }
  if (serves.has("obstacles"))
    router.on(calls.obstacles, ({ scope, query }) => service.obstacles(scoped(scope), query));
  if (serves.has("changeMany"))
    router.on(calls.changeMany, ({ scope, body }) => service.changeMany(scoped(scope), body));
  if (serves.has("select")) router.on(calls.select, ({ scope, query }) => service.select(scoped(scope), query));
  if (serves.has("history")) router.on(calls.history, ({ scope, query }) => service.history(scoped(scope), query));
  if (serves.has("lazyList")) router.on(calls.lazyList, ({ scope, query }) => service.lazyList(scoped(scope), query));
  if (serves.has("list")) router.on(calls.list, ({ scope, query }) => service.list(scoped(scope), query));
  if (serves.has("tree")) router.on(calls.tree, ({ scope, query }) => service.tree(scoped(scope), query));
  if (serves.has("move")) {
    router.on(calls.move, async ({ scope, body }) => {
      await service.move(scoped(scope), body);
      return {};
    });
  }
}

/** Serves the imports and exports of a resource. */
export function sheetRoutes(router: Router, of: ResourceDeclaration, sheets: ImportService): void {
  router.on(endpointsOf(of).exportRows, ({ scope, body }) => sheets.export(scoped(scope), body));
  if (!of.sheets?.exportOnly) importRoutes(router, importEndpointsOf(of), sheets);
}

/** Serves imports. */
export function importRoutes(router: Router, calls: ImportEndpoints, sheets: ImportService): void {
  router.on(calls.begin, ({ scope, body }) => sheets.begin(scoped(scope), body));
  router.on(calls.page, ({ scope, query }) => sheets.page(scoped(scope), query));
  router.on(calls.detail, ({ scope, query }) => sheets.detail(scoped(scope), query.id));
  router.on(calls.rows, ({ scope, query }) => sheets.rows(scoped(scope), query));
  router.on(calls.reread, ({ scope, body }) => sheets.reread(scoped(scope), body));
  router.on(calls.correct, ({ scope, body }) => sheets.correct(scoped(scope), body));
  router.on(calls.write, ({ scope, body }) => sheets.write(scoped(scope), body));
  router.on(calls.undo, ({ scope, body }) => sheets.undo(scoped(scope), body.id));
  router.on(calls.cancel, ({ scope, body }) => sheets.cancel(scoped(scope), body.id));
  router.on(calls.template, ({ scope, body }) =>
    sheets.template(scoped(scope), { filled: body.filled ?? false, language: body.language ?? "zh" }),
  );
  router.on(calls.marked, ({ scope, body }) => sheets.marked(scoped(scope), body.id));
}
