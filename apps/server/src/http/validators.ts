import ajvCompiler from "@fastify/ajv-compiler";

type Build = ajvCompiler.BuildCompilerFromPool;
type Compile = ReturnType<Build>;
type Validate = ReturnType<Compile>;

/**
 * How requests are parsed (wire.md 1): texts of a URL become numbers, a single value a list, and missing values their default.
 */
const options: Parameters<Build>[1] = {
  customOptions: {
    coerceTypes: "array",
    allowUnionTypes: true,
    useDefaults: true,
    removeAdditional: false,
    allErrors: false,
  },
  plugins: [
    (ajv) => {
      ajv.addFormat("wire-date-time", /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
      ajv.addFormat("wire-date", /^\d{4}-\d{2}-\d{2}$/);
      return ajv;
    },
  ],
};
const build = ajvCompiler();

/** Compiles checks at once; it throws for an invalid JSON Schema. */
export const validators = (schemas: Parameters<Build>[0]): Compile => build(schemas, options);

/**
 * Compiles a check when the first request needs it. Compiling all of the thousand checks would take a second of each start, and
 * memory for good, and a server that was killed must receive alarms again soon.
 * A test compiles those of all operations.
 */
export const lazyValidators: Build = (schemas) => {
  const compile = validators(schemas);
  return (part) => {
    let compiled: Validate | undefined;
    const validate = (data: unknown) => {
      compiled ??= compile(part);
      const valid = compiled(data);
      // Fastify reads the errors from the function that it called.
      validate.errors = compiled.errors ?? null;
      return valid;
    };
    validate.errors = null as Validate["errors"];
    return validate as Validate;
  };
};
