import { deskCounts, groupStartCode, type Todo, type TodoList, todoKinds, todoList } from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { call } from "../../shared/api/call.ts";
import { useAccess } from "../../shared/session/access-context.ts";

const renewMs = 60_000;
/** Complaints have a list of their own; every other kind has one. */
const complaints = "/workOrder/complaintOrder";

/** The list that has all of a kind. */
const listOfTodo = ({ kind, variant }: Pick<Todo, "kind" | "variant">): string =>
  kind.startsWith("work_order") && variant === "complaint" ? complaints : todoKinds[kind].list;

/** Where one of them is done. */
export function pathOfTodo(todo: Todo): string {
  const list = listOfTodo(todo);
  if (todo.kind === "real_name" || todo.kind === "licence") return list;
  return todo.kind.startsWith("work_order") || todo.kind === "contract"
    ? `${list}/detail?id=${todo.id}`
    : `${list}?row=${todo.id}`;
}

/** How many wait in each list, by its path. */
export function countsByList({ counts }: TodoList): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const one of counts) {
    const list = listOfTodo(one);
    found.set(list, (found.get(list) ?? 0) + one.count);
  }
  return found;
}

/**
 * What waits for a member of a customer, asked for once for the menu and the console; nothing is asked for members of the group, whose
 * desks have their own start.
 */
export function useTodos() {
  const { user } = useAccess();
  return useQuery({
    queryKey: ["todos"],
    queryFn: ({ signal }) => call(todoList, { signal, quiet: true }),
    refetchInterval: renewMs,
    enabled: user.tenant_type !== "group",
  });
}

/** How many wait at the desks of the group, by the path of their lists; nothing for members of customers. */
export function useDeskCounts() {
  const { user, permissions } = useAccess();
  return useQuery({
    queryKey: ["desk-counts"],
    queryFn: async ({ signal }) =>
      new Map((await call(deskCounts, { signal, quiet: true })).map(({ list, count }) => [list, count])),
    refetchInterval: renewMs,
    enabled: user.tenant_type === "group" && permissions.has(groupStartCode),
  });
}
