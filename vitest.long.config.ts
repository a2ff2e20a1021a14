import { defineConfig } from "vitest/config";
import { projectsOf, shared } from "./vitest.config.ts";

export default defineConfig({ test: { ...shared, projects: projectsOf("long") } });
