export * from "./declarations.ts";
export * from "./endpoints.ts";
export * from "./token-operations.ts";
