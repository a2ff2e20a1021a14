import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const suite: Tests = { files: ["tests/api/farms.test.ts"] };
const migrations = "apps/server/src/database/migrations";

export const farmMutants: Mutant[] = [
  ...faultsIn("apps/server/src/modules/farms/inventory.service.ts", suite, [
    ["inventory: heads go below zero", "if (before + heads < 0)", "if (before + heads < -1e9)"],
    [
      "inventory: an earlier moment may be short of heads",
      "if ((await inventory.fewest(scope, unitId, category)) < 0)",
      "if ((await inventory.fewest(scope, unitId, category)) < -1e9)",
    ],
    [
      "inventory: a submit that is sent again counts again",
      "if (key !== undefined && !(await inventory.claimKey(scope, key, id)))",
      'if (key === "")',
    ],
    ["inventory: nobody asks about the capacity", "over > 0 && unit.capacity > 0", "over > 1e9 && unit.capacity > 0"],
    ["inventory: units out of use take heads", "if (!one.inUse)", "if (one.id === unitId && one.name === unitId)"],
  ]),
  ...faultsIn("apps/server/src/modules/farms/inventory.repository.ts", suite, [
    ["inventory: units are not held", "order by u.id for no key update`", "order by u.id`"],
    [
      "inventory: units of other tenants are reached",
      'sql<SqlBool>`${inScope(scope, "u")} and ${inRowScope(scope, "u")}`',
      'sql<SqlBool>`${inRowScope(scope, "u")}`',
    ],
  ]),
  ...faultsIn("apps/server/src/modules/farms/structure.service.ts", suite, [
    [
      "structure: a place that somebody else changed is moved",
      "if (version !== undefined && version !== seen.version)",
      "if (version === -1)",
    ],
    ["structure: a place with heads is retired", "if (heads !== undefined) throw", "if (heads === -1) throw"],
  ]),
  ...faultsIn(`${migrations}/0053_farm_resources.sql`, suite, [
    ["structure: devices stay behind their unit", "when (new.house_id <> old.house_id)", "when (false)"],
    ["structure: devices stay behind their house", "when (new.farm_id <> old.farm_id)", "when (false)"],
  ]),
  ...faultsIn(`${migrations}/0054_inventory.sql`, suite, [
    [
      "inventory: heads are written past the movements",
      "when (new.head_count <> old.head_count and pg_trigger_depth() = 0)",
      "when (false)",
    ],
    [
      "inventory: movements are taken back",
      "before update or delete on inventory_movements",
      "before update of id on inventory_movements",
    ],
  ]),
];
