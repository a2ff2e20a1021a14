import { expect, test } from "vitest";
import { addressMatcher, forwardedAddress } from "./address.ts";

test("X-Forwarded-For is believed of balancers only, and from the right", () => {
  const isBalancer = addressMatcher(["10.0.0.0/8"]);
  const of = (direct: string, header?: string | string[]) => forwardedAddress(direct, header, isBalancer);
  expect(of("203.0.113.5")).toBe("203.0.113.5");
  expect(of("203.0.113.5", "198.51.100.1")).toBe("203.0.113.5");
  expect(of("10.0.0.1", "198.51.100.1")).toBe("198.51.100.1");
  // What a caller writes itself stands on the left of what the balancer saw.
  expect(of("10.0.0.1", "192.0.2.99, 198.51.100.1, 10.0.0.2")).toBe("198.51.100.1");
  expect(of("10.0.0.1", ["192.0.2.99", "198.51.100.1"])).toBe("198.51.100.1");
  expect(of("::ffff:10.0.0.1", "2001:db8::1")).toBe("2001:db8::1");
  expect(of("10.0.0.1", "no address")).toBe("10.0.0.1");
});
