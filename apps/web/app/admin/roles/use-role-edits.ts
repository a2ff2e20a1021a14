import type { DataScope } from "@herdwise/contract";
import { useEffect, useMemo, useState } from "react";
import { type DraftPlace, forgetDraft, readDraft, writeDraft } from "../../shared/resource/draft-store.ts";
import type { FormValue } from "../../shared/resource/form-values.ts";
import { edited, type GrantEdits, withEdits } from "./grant-states.ts";

/** What a role holds and whose rows it reaches, as it is stored. */
export interface StoredRole {
  menus: ReadonlySet<string>;
  dataScope: DataScope;
  departments: ReadonlySet<string>;
}

const textsOf = (value: FormValue | undefined): readonly string[] => (Array.isArray(value) ? value : []);

interface Edits {
  menus: GrantEdits;
  departments: GrantEdits;
  /** None: as stored. */
  dataScope: DataScope | undefined;
}
const none: Edits = { menus: { given: [], taken: [] }, departments: { given: [], taken: [] }, dataScope: undefined };

/** Only what differs is an edit, so that it holds on what somebody else stored meanwhile. */
function relevant({ menus, departments, dataScope }: Edits, stored: StoredRole): Edits {
  const differing = ({ given, taken }: GrantEdits, held: ReadonlySet<string>): GrantEdits => ({
    given: given.filter((id) => !held.has(id)),
    taken: taken.filter((id) => held.has(id)),
  });
  const scope = dataScope === stored.dataScope ? undefined : dataScope;
  return {
    menus: differing(menus, stored.menus),
    // Departments mean something only where they are named.
    departments:
      (scope ?? stored.dataScope) === "chosen" ? differing(departments, stored.departments) : none.departments,
    dataScope: scope,
  };
}

const sizeOf = ({ menus, departments, dataScope }: Edits): number =>
  menus.given.length +
  menus.taken.length +
  departments.given.length +
  departments.taken.length +
  (dataScope === undefined ? 0 : 1);

/** What somebody changes of a role and has not saved; it outlives a reload and an ended session. */
export function useRoleEdits(userId: string, roleId: string, version: number, stored: StoredRole) {
  const place = useMemo((): DraftPlace => ({ userId, resource: "role_grants", row: roleId }), [userId, roleId]);
  const [draft, setDraft] = useState(() => readDraft(place, Date.now()));
  const [edits, setEdits] = useState<Edits>(() => {
    const { given, taken, departmentsGiven, departmentsTaken, dataScope } = draft?.changes ?? {};
    return {
      menus: { given: textsOf(given), taken: textsOf(taken) },
      departments: { given: textsOf(departmentsGiven), taken: textsOf(departmentsTaken) },
      dataScope: typeof dataScope === "string" ? (dataScope as DataScope) : undefined,
    };
  });
  const [restored] = useState(() => sizeOf(relevant(edits, stored)));
  const now = relevant(edits, stored);
  const changes = sizeOf(now);
  const text = JSON.stringify(now);
  // At once, not after a while: who reloads right after a change finds it, too.
  useEffect(() => {
    const { menus, departments, dataScope } = JSON.parse(text) as Edits;
    const held: Record<string, string | readonly string[]> = {
      given: menus.given,
      taken: menus.taken,
      departmentsGiven: departments.given,
      departmentsTaken: departments.taken,
      ...(dataScope === undefined ? {} : { dataScope }),
    };
    const differing = Object.entries(held).filter(([, value]) => value.length > 0);
    writeDraft(place, { atMs: Date.now(), version, changes: Object.fromEntries(differing), before: {} });
  }, [place, version, text]);
  const clear = (): void => {
    forgetDraft(place);
    setDraft(undefined);
    setEdits(none);
  };
  return {
    edits: now,
    changes,
    granted: withEdits(stored.menus, now.menus),
    dataScope: now.dataScope ?? stored.dataScope,
    departments: withEdits(stored.departments, edits.departments),
    /** When what was restored was typed, and how much of it. */
    restored: draft && restored > 0 && changes > 0 ? { atMs: draft.atMs, count: restored } : undefined,
    setMenus: (ids: readonly string[], on: boolean): void =>
      setEdits((held) => ({ ...held, menus: edited(stored.menus, held.menus, ids, on) })),
    setDataScope: (dataScope: DataScope): void => setEdits((held) => ({ ...held, dataScope })),
    setDepartments: (ids: readonly string[], on: boolean): void =>
      setEdits((held) => ({ ...held, departments: edited(stored.departments, held.departments, ids, on) })),
    clear,
    /** Throws the edits away for whoever leaves. */
    forget: (): void => forgetDraft(place),
  };
}
