import {
  type AlarmCourse,
  type MessageStanding,
  mostOfThing,
  mostStandings,
  type ResourceDeclaration,
  resources,
  type TodoKind,
} from "@herdwise/contract";
import { worstFirst } from "@herdwise/contract/alarm-asking";
import { readIds } from "../../ids.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { type AlarmStandings, alarmIdsOf } from "../alarms/index.ts";
import type { MessageRepository } from "../messages/index.ts";
import type { RowSource, RowStateRepository } from "./row-state.repository.ts";

export interface ThingDependencies {
  messages: Pick<MessageRepository, "links">;
  rows: RowStateRepository;
  alarms: AlarmStandings;
  /** What rows wait for from somebody, by their ids. */
  todosOn(
    scope: TenantScope,
    permissions: ReadonlySet<string>,
    ids: readonly string[],
  ): Promise<{ id: string; kind: TodoKind; variant: string }[]>;
  now: () => number;
}

interface Place extends RowSource {
  /** Right to see the list; undefined where every member may. */
  readonly right?: string | undefined;
  readonly faces?: Readonly<Record<string, { word: string; mark: string }>> | undefined;
}

const orders = { process: "work_order", table: "work_orders", ofAll: true } as const;

/** Screens of customers whose rows are of a process, by their paths. */
const places: ReadonlyMap<string, Place> = new Map<string, Place>([
  ["/workOrder/orderService/detail", orders],
  ["/workOrder/complaintOrder/detail", orders],
  ["/workOrder/suggestion/detail", orders],
  [
    "/selfCenter/contractManage/detail",
    { process: "contract", table: "contracts", ofAll: true, right: "contract_view" },
  ],
  ...(resources as readonly ResourceDeclaration[]).flatMap(
    ({ name, table, process, customerMenu }): [string, Place][] =>
      process && table && customerMenu
        ? [[customerMenu.path, { process: name, table, right: `${name}_view`, faces: process.states }]]
        : [],
  ),
]);

/** The row that a link opens, where it is one of a process. */
function rowOf(links: readonly string[]): { place: Place; id: string } | undefined {
  for (const link of links) {
    const [, path = "", id = ""] = /^([^?]*)\?(?:id|row)=(\d+)$/.exec(link) ?? [];
    const place = places.get(path);
    if (place) return { place, id };
  }
  return undefined;
}

/** Where the things of messages stand. Which messages they are is limited to the account, what is told of them to its customer. */
export function createThingService({ messages, rows, alarms, todosOn, now }: ThingDependencies) {
  return {
    /** @param ids comma-separated ids of messages */
    async standings(
      scope: TenantScope,
      permissions: ReadonlySet<string>,
      ids: string | undefined,
    ): Promise<MessageStanding[]> {
      const asked = readIds(ids, mostStandings);
      if (asked.length === 0) return [];
      const things = (await messages.links(scope, asked)).map(({ id, thing, links }) => {
        const found = rowOf(links);
        const open = found && (found.place.right === undefined || permissions.has(found.place.right));
        return { id, alarmIds: alarmIdsOf(thing, links).slice(0, mostOfThing), row: open ? found : undefined };
      });
      const ofPlace = Map.groupBy(
        things.flatMap(({ row }) => (row ? [row] : [])),
        ({ place }) => place.process,
      );
      const rowIds = things.flatMap(({ row }) => (row ? [row.id] : []));
      const [standing, states, todos] = await Promise.all([
        alarms(scope, [...new Set(things.flatMap(({ alarmIds }) => alarmIds))]),
        rows.states(
          scope,
          [...ofPlace.values()].flatMap((of) => {
            const [first] = of;
            return first ? [{ source: first.place, ids: of.map(({ id }) => id) }] : [];
          }),
        ),
        todosOn(scope, permissions, rowIds),
      ]);
      return things.map(({ id, alarmIds, row }) => {
        const state = row && states.find((one) => one.process === row.place.process && one.id === row.id)?.state;
        const face = state === undefined ? undefined : row?.place.faces?.[state];
        const todo = row && todos.find((one) => one.id === row.id);
        const course: AlarmCourse[] = standing.course.filter(({ alarmId }) => alarmIds.includes(alarmId));
        return {
          id,
          alarms: standing.alarms.filter((alarm) => alarmIds.includes(alarm.id)).toSorted(worstFirst(now())),
          course: course.toSorted((a, b) => a.atMs - b.atMs).slice(-mostOfThing),
          ...(row &&
            state !== undefined && {
              row: { process: row.place.process, state, word: face?.word ?? "", mark: face?.mark ?? "" },
            }),
          ...(todo && { todo: { kind: todo.kind, variant: todo.variant } }),
        };
      });
    },
  };
}
