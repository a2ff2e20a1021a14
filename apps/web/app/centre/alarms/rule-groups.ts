import type { AlarmRule, ChannelSection, Condition, DeviceKind } from "@herdwise/device-kinds";

/** Rules about one part of a device. */
export interface RuleGroup {
  /** Absent for rules about nothing that is measured, such as events. */
  section: ChannelSection | undefined;
  rules: readonly AlarmRule[];
}

/** Values that a condition is about, as they stand in it. */
const keysIn = (condition: Condition): readonly string[] => {
  if (condition.type === "compare") return [condition.key];
  if (condition.type === "detector") return condition.over;
  return condition.type === "all" || condition.type === "any" ? condition.of.flatMap(keysIn) : [];
};

/** Rules by the part of the device that the first of their values belongs to, in the order of the kind's channels. */
export function ruleGroups(kind: Pick<DeviceKind, "channels" | "derived">, rules: readonly AlarmRule[]): RuleGroup[] {
  const sectionOf = (key: string): ChannelSection | undefined =>
    kind.channels.find((channel) => channel.key === key)?.section ??
    kind.derived
      .find((derived) => derived.key === key)
      ?.of.flatMap((part) => kind.channels.find((channel) => channel.key === part) ?? [])[0]?.section;
  const sections = new Map(kind.channels.map(({ section }) => [section.id, section]));
  const grouped = Map.groupBy(
    rules,
    ({ condition }) => keysIn(condition).flatMap((key) => sectionOf(key) ?? [])[0]?.id,
  );
  return [...sections.keys(), undefined].flatMap((id) => {
    const of = grouped.get(id);
    return of ? [{ section: id === undefined ? undefined : sections.get(id), rules: of }] : [];
  });
}
