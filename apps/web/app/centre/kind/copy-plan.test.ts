import type { ParameterPeer } from "@herdwise/contract";
import { deviceKinds, gearTable } from "@herdwise/device-kinds";
import { expect, test } from "vitest";
import { belongsToPlace, planCopy } from "./copy-plan.ts";

const { parameters } = deviceKinds.environment;
const ours: Readonly<Record<string, unknown>> = { t_target: 22, rh_max: 80, fan_table: gearTable(22), comfort_band: 3 };
const peer = (values: Partial<ParameterPeer>): ParameterPeer => ({
  id: "1",
  name: "",
  farmName: "",
  houseName: "",
  unitName: "",
  status: "online",
  desired: {},
  reported: {},
  pending: 0,
  refused: 0,
  drifted: 0,
  expired: 0,
  ...values,
});
const plan = (keys: string[], to: Partial<ParameterPeer>) => {
  const { changes, unfit, shiftedBy } = planCopy(parameters, new Set(keys), (key) => ours[key], peer(to));
  return {
    changes: changes.map(({ parameter, before, after }) => [parameter.key, before, after]),
    unfit: unfit.map(({ key }) => key),
    shiftedBy,
  };
};

test("only what differs is copied, against what is wanted there", () => {
  const to = { desired: { t_target: 22, rh_max: 75 }, reported: { t_target: 20, rh_max: 70 } };
  expect(plan(["t_target", "rh_max"], to)).toEqual({ changes: [["rh_max", 75, 80]], unfit: [], shiftedBy: 0 });
});

test("a device that tells its settings and not this one does not know it; a silent one is sent all", () => {
  expect(plan(["comfort_band"], { reported: { t_target: 20 } })).toMatchObject({
    changes: [],
    unfit: ["comfort_band"],
  });
  expect(plan(["comfort_band"], {})).toMatchObject({ changes: [["comfort_band", 2, 3]], unfit: [] });
});

test("a fan table moves with the other unit's target, unless the target is copied as well", () => {
  const to = { reported: { t_target: 20.5, fan_table: gearTable(24) } };
  expect(plan(["fan_table"], to)).toEqual({
    changes: [["fan_table", gearTable(24), gearTable(20.5)]],
    unfit: [],
    shiftedBy: -1.5,
  });
  expect(plan(["fan_table", "t_target"], to).changes).toContainEqual(["fan_table", gearTable(24), gearTable(22)]);
});

test("what belongs to a place stays there", () => {
  expect(["mode", "sensor_offset", "whitelist"].every(belongsToPlace)).toBe(true);
  expect(belongsToPlace("t_target")).toBe(false);
});
