import { liveFigures } from "@herdwise/contract";
import type { Router } from "../../http/router.ts";
import type { FiguresService } from "./figures.service.ts";

export function contentRoutes(router: Router, figures: FiguresService): void {
  router.on(liveFigures, () => figures.liveFigures());
}
