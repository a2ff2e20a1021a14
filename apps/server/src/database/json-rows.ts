/**
 * Rows as one JSON parameter for `jsonb_populate_recordset`. With a parameter for each value of a thousand rows, building the
 * statement takes longer than running it.
 */
export const jsonRows = (rows: readonly Readonly<Record<string, unknown>>[]): string =>
  JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          Buffer.isBuffer(value) ? `\\x${value.toString("hex")}` : value,
        ]),
      ),
    ),
  );
