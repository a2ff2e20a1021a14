export * from "./declarations.ts";
export * from "./endpoints.ts";
