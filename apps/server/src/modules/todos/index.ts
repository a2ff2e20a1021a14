import { mostTodos, todoKindNames, todoKinds, todoList } from "@herdwise/contract";
import type { Platform, ServerModule } from "../../module.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { todoRepository } from "./todo.repository.ts";

const kindsOf = (permissions: ReadonlySet<string>) =>
  todoKindNames.filter((kind) => permissions.has(todoKinds[kind].right));

export interface TodosModule extends ServerModule {
  /** What rows wait for from somebody with these rights, by their ids. */
  on(
    scope: TenantScope,
    permissions: ReadonlySet<string>,
    ids: readonly string[],
  ): ReturnType<ReturnType<typeof todoRepository>["on"]>;
}

/** What waits for a member of a customer; nothing of the group's own tenant, whose desks have their own start. */
export function createTodosModule({ kysely }: Platform): TodosModule {
  const todos = todoRepository(kysely);
  return {
    async on(scope, permissions, ids) {
      const kinds = kindsOf(permissions);
      return kinds.length === 0 || ids.length === 0 ? [] : todos.on(scope, kinds, ids);
    },
    routes(router) {
      router.on(todoList, async ({ scope, session }) => {
        const kinds = kindsOf(session.permissions);
        if (kinds.length === 0) return { todos: [], counts: [] };
        const { rows, counts } = await todos.of(scope, kinds, mostTodos);
        return { todos: rows, counts };
      });
    },
  };
}
