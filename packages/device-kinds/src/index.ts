export * from "./assess.ts";
export * from "./climate.ts";
export * from "./conditions.ts";
export * from "./device-kind.ts";
export * from "./environment.ts";
export * from "./gears.ts";
export * from "./validation.ts";
