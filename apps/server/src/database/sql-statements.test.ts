import { expect, test } from "vitest";
import { statementsOf } from "./sql-statements.ts";

test("a semicolon inside of a text, a name, a comment or a body ends no statement", () => {
  const parts = [
    "-- one; two\ncreate table a (b text default ';''')",
    ' /* ; */ comment on column a."b;""" is E\'it\\\';\'',
    " create function f() returns trigger language plpgsql as $body$ begin perform $$;$$; return null; end $body$",
    "\nselect $1",
  ];
  expect(statementsOf(parts.join(";"))).toEqual(parts);
});

test("what is no statement is left out", () => {
  expect(statementsOf("select 1;\n-- the end; really\n;  ")).toEqual(["select 1"]);
});
