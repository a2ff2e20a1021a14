import { join } from "node:path";
import type { Config } from "@react-router/dev/config";
import { compressFiles } from "./build-plugins/compress-files.ts";
import { writeFetchAheadList } from "./build-plugins/fetch-ahead-list.ts";
import { trimManifest } from "./build-plugins/trim-manifest.ts";

export default {
  ssr: true,
  // The manifest of a few dozen routes is small; asking the server for pieces of it would only add round trips.
  routeDiscovery: { mode: "initial" },
  // A loader apart from its screen would be one more small file for each route, and no screen here waits long for its loader.
  splitRouteModules: false,
  buildEnd: async ({ reactRouterConfig }) => {
    const client = join(reactRouterConfig.buildDirectory, "client");
    await writeFetchAheadList(client);
    await trimManifest(client);
    await compressFiles(client);
  },
} satisfies Config;
