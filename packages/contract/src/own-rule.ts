import { type Static, Type } from "typebox";

const ofDevice = Type.Optional(
  Type.String({
    pattern: "^[0-9]{1,19}$",
    description: "another device of the same unit that the part looks at; the rule's own device where it is absent",
  }),
);

const rulePart = Type.Union([
  Type.Object({
    type: Type.Literal("compare"),
    deviceId: ofDevice,
    key: Type.String({ minLength: 1, maxLength: 64, description: "channel or derived value of the kind" }),
    op: Type.Enum(["gt", "ge", "lt", "le", "eq", "ne"] as const),
    value: Type.Union([Type.Number(), Type.Boolean(), Type.String({ maxLength: 64 })]),
  }),
  Type.Object({
    type: Type.Literal("change"),
    deviceId: ofDevice,
    key: Type.String({ minLength: 1, maxLength: 64, description: "channel of the kind" }),
    windowS: Type.Integer({ minimum: 60, maximum: 21_600, description: "seconds over which the value changed" }),
    op: Type.Enum(["gt", "lt"] as const),
    value: Type.Number({ description: "in the channel's unit" }),
  }),
  Type.Object({
    type: Type.Literal("absent"),
    deviceId: ofDevice,
    key: Type.String({ minLength: 1, maxLength: 64, description: "channel of the kind" }),
    afterS: Type.Integer({ minimum: 60, maximum: 604_800, description: "seconds without a value" }),
  }),
  Type.Object({
    type: Type.Literal("during"),
    from: Type.String({ pattern: "^\\d\\d:\\d\\d$", description: "local time of day" }),
    to: Type.String({ pattern: "^\\d\\d:\\d\\d$", description: "before `from` it runs over midnight" }),
  }),
]);

/**
 * A rule that a tenant writes itself: all of its parts must hold, or one of them; a part about the time of day must always
 * hold.
 * A rule whose parts read other devices belongs to one device, and must also read that one.
 */
export const OwnAlarmRule = Type.Object({
  joint: Type.Enum(["all", "any"] as const),
  parts: Type.Array(rulePart, { minItems: 1, maxItems: 6 }),
});
export type OwnAlarmRule = Static<typeof OwnAlarmRule>;
