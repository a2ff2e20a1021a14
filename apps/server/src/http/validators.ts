import ajvCompiler from "@fastify/ajv-compiler";

type Build = ajvCompiler.BuildCompilerFromPool;
type Compile = ReturnType<Build>;
type Validate = ReturnType<Compile>;

/** How requests are read (wire.md 1): texts of an address become numbers, one value a list, what is missing its default. */
const options: Parameters<Build>[1] = {
  customOptions: { coerceTypes: "array", useDefaults: true, removeAdditional: false, allErrors: false },
  plugins: [
    (ajv) => {
      ajv.addFormat("wire-date-time", /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
      ajv.addFormat("wire-date", /^\d{4}-\d{2}-\d{2}$/);
      return ajv;
    },
  ],
};
const build = ajvCompiler();

/** Compiles checks at once. What it makes throws for what is no JSON Schema. */
export const validators = (schemas: Parameters<Build>[0]): Compile => build(schemas, options);

/**
 * Compiles a check when the first request needs it: there are a thousand, which would take a second of each start and their
 * memory for good, and a server that was killed must take alarms again soon. A test compiles those of all operations.
 */
export const lazyValidators: Build = (schemas) => {
  const compile = validators(schemas);
  return (part) => {
    let compiled: Validate | undefined;
    const validate = (data: unknown) => {
      compiled ??= compile(part);
      const valid = compiled(data);
      // Fastify reads the faults where it called.
      validate.errors = compiled.errors ?? null;
      return valid;
    };
    validate.errors = null as Validate["errors"];
    return validate as Validate;
  };
};
