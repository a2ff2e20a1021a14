import { BlockList, isIP } from "node:net";

/** Names of the own machine in an address. */
export const loopbackHosts: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Eight groups of an IPv6 address, also of a shortened one. */
function groupsOf(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array.from({ length: Math.max(0, missing) }, () => "0"), ...right].map((group) =>
    group.replace(/^0+(?=.)/, "").toLowerCase(),
  );
}

const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");

/**
 * What is counted as one caller: an IPv4 address, or the /64 of an IPv6 address, as whoever has one of its addresses has
 * them all.
 */
export function addressBucket(address: string): string {
  const bare = plain(address);
  return isIP(bare) === 6 ? `${groupsOf(bare).slice(0, 4).join(":")}::/64` : bare;
}

/** Tells whether an address is one of a list of addresses and networks (`10.0.0.0/8`). What is neither matches nothing. */
export function addressMatcher(list: readonly string[]): (address: string) => boolean {
  const known = new BlockList();
  for (const entry of list) {
    const [address = "", length] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (isIP(address) === 0) continue;
    if (length === undefined) known.addAddress(address, family);
    else known.addSubnet(address, Number(length), family);
  }
  return (address) => {
    const bare = plain(address).replace(/::\/64$/, "::");
    const version = isIP(bare);
    return version !== 0 && known.check(bare, version === 6 ? "ipv6" : "ipv4");
  };
}

/**
 * Who stands behind balancers: the last address of X-Forwarded-For that is no balancer itself. Without balancers the header is not
 * believed.
 * @param direct the address that the connection comes from
 */
export function forwardedAddress(
  direct: string,
  header: string | string[] | undefined,
  isBalancer: (address: string) => boolean,
): string {
  const hops = [header ?? ""].flat().join(",").split(",");
  const chain = [...hops.map((hop) => hop.trim()).filter((hop) => isIP(plain(hop)) !== 0), direct];
  return chain.findLast((address) => !isBalancer(address)) ?? direct;
}
