import { expect, test } from "vitest";
import { networkOf, unfamiliarOf } from "./unfamiliar.ts";

const logIn = (id: string, remoteAddress: string, answer = "") => ({
  id,
  userAgent: "",
  remoteAddress,
  createdAt: new Date(0),
  answer,
});
const ids = (...logIns: ReturnType<typeof logIn>[]) => unfamiliarOf(logIns).map(({ id }) => id);

test("a log-in is unfamiliar from a network that no earlier one had, and only the first from there", () => {
  expect(
    ids(logIn("1", "198.51.2.3"), logIn("2", "198.51.9.9"), logIn("3", "203.0.113.7"), logIn("4", "203.0.113.8")),
  ).toEqual(["3"]);
});

test("the first log-in of an account, and one without an address, are not unfamiliar", () => {
  expect(ids(logIn("1", "203.0.113.7"), logIn("2", ""))).toEqual([]);
});

test("a network that its owner called foreign stays unfamiliar", () => {
  expect(ids(logIn("1", "198.51.2.3"), logIn("2", "203.0.113.7", "foreign"), logIn("3", "203.0.113.8"))).toEqual([
    "2",
    "3",
  ]);
});

test.each([
  ["203.0.113.7", "203.0"],
  ["::ffff:203.0.113.7", "203.0"],
  ["2001:db8:1:2::5", "2001:db8:1"],
  ["127.0.0.1", ""],
  ["::1", ""],
  ["192.168.3.4", ""],
  ["", ""],
])("the network of %j is %j", (address, network) => expect(networkOf(address)).toBe(network));
