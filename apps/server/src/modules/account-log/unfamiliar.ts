/** A log-in as it was written down. */
export interface LoggedIn {
  id: string;
  userAgent: string;
  remoteAddress: string;
  createdAt: Date;
  answer: string;
}

/** Addresses within a house, which say nothing of where somebody is. */
const inside = /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|::1$|f[cd]|fe80:)/i;

/** The network of an address: its first half for IPv4, its first three groups for IPv6; "" for one within a house, and for none. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:/i, "");
  if (inside.test(plain)) return "";
  return plain.includes(":") ? plain.split(":").slice(0, 3).join(":") : plain.split(".").slice(0, 2).join(".");
}

/**
 * Log-ins from a network from which the account had not been used before. The first one of an account is none, and a network of which its
 * owner said that it was not them stays unfamiliar.
 * @param logIns oldest first
 */
export function unfamiliarOf(logIns: readonly LoggedIn[]): LoggedIn[] {
  const known = new Set<string>();
  return logIns.filter((one) => {
    const network = networkOf(one.remoteAddress);
    const isNew = known.size > 0 && network !== "" && !known.has(network);
    if (one.answer !== "foreign" && network !== "") known.add(network);
    return isNew;
  });
}
