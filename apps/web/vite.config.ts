import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { contractOutlinePlugin } from "./build-plugins/contract-outline.ts";

export default defineConfig({
  plugins: [contractOutlinePlugin(), reactRouter()],
  // The site's script is bundled like a worker: by itself, under an address of its own.
  worker: { format: "es", plugins: () => [contractOutlinePlugin()] },
  build: { target: "es2022", cssTarget: "safari16", assetsInlineLimit: 0 },
});
