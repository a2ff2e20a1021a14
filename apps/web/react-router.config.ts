import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // The manifest of a few dozen routes is small; asking the server for pieces of it would only add round trips.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
