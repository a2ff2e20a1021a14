export { createIngest, type Ingest } from "./ingest.service.ts";
export { createLive, type Live } from "./live.service.ts";
export { createPresence, type Presence } from "./presence.service.ts";
export { Dropped, type DropReason, messageLimits } from "./telemetry.parse.ts";
export { telemetryRepository } from "./telemetry.repository.ts";
export { telemetryRoutes } from "./telemetry.routes.ts";
export { createTelemetryService } from "./telemetry.service.ts";
export { createUplink, type Uplink } from "./uplink.service.ts";
