import { type Static, type TSchema, Type } from "typebox";

/** Up to 18 digits, or 19 that don't begin with 9, which always fits a signed 64-bit column; no snowflake begins with 9. */
const idPattern = "^(?:[0-9]{1,18}|[0-8][0-9]{18})$";
/** A 19-digit snowflake, written as a string because it exceeds 2^53. */
export const Id = Type.String({ pattern: idPattern, description: "snowflake id as a decimal string" });
export type Id = Static<typeof Id>;
const idExpression = new RegExp(idPattern);
/** Whether a value has the form of an id, for values whose schema does not check it. */
export const isId = (value: unknown): value is Id => typeof value === "string" && idExpression.test(value);

/** `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai; "" when there is none. Inside the server this is a `Date` in UTC. */
export const DateTime = Type.String({ format: "wire-date-time" });
/** `yyyy-MM-dd`; "" when there is none. */
export const DateOnly = Type.String({ format: "wire-date" });
/** Time of publication; now where it is left out. */
export const PublishTime = Type.Optional(
  Type.String({
    pattern: "^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}(:\\d{2})?$",
    description: "Asia/Shanghai, within a year; now where it is left out",
  }),
);
/** Milliseconds since 1970-01-01T00:00:00Z. */
export const EpochMs = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 });

/** Comma-separated ids of rows, in the family's form; at most 500. */
export const idList = Type.Optional(Type.String({ maxLength: 10_000, description: "comma-separated" }));

export const Empty = Type.Object({});

/** Paging parameters of wire.md 1.3. `ascs` and `descs` are comma-separated snake_case columns out of a fixed list per operation. */
export const pageQuery = {
  current: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: "page number from 1" }),
  ),
  size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, default: 10, description: "rows per page, at most 500" }),
  ),
  ascs: Type.Optional(Type.String({ maxLength: 200 })),
  descs: Type.Optional(Type.String({ maxLength: 200 })),
};

/** Matching rows of a long list are counted, and listed, only up to this number. */
export const mostFound = 10_000;

/** One page of rows in the family's form (wire.md 1.3). */
export const pageOf = <Row extends TSchema>(row: Row) =>
  Type.Object({
    records: Type.Array(row),
    total: Type.Integer({ minimum: 0 }),
    size: Type.Integer(),
    current: Type.Integer(),
    pages: Type.Integer(),
    orders: Type.Array(Type.String()),
    searchCount: Type.Boolean(),
  });

export interface Page<Row> {
  records: Row[];
  total: number;
  size: number;
  current: number;
  pages: number;
  orders: string[];
  searchCount: boolean;
}
