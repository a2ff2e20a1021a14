import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { contractOutlinePlugin } from "./build-plugins/contract-outline.ts";

export default defineConfig({
  plugins: [contractOutlinePlugin(), reactRouter()],
  build: { target: "es2022", cssTarget: "safari16", assetsInlineLimit: 0 },
});
