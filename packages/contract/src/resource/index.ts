export * from "./check.ts";
export * from "./declaration.ts";
export * from "./fields.ts";
export * from "./process-face.ts";
export * from "./sheet-form.ts";
