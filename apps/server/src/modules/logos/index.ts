import { logoMaxBytes, logoRemove, logoUpload } from "@herdwise/contract";
import { unknownPath } from "../../http/server.ts";
import type { Platform, ServerModule } from "../../module.ts";
import { auditRepository } from "../audit/index.ts";
import { encodeLogo, type FileService } from "../files/index.ts";
import type { SettingsModule } from "../settings/index.ts";
import { logoRepository } from "./logo.repository.ts";
import { createLogoService } from "./logo.service.ts";

const yearS = 31_536_000;

/** The brand's own logos: taken, kept in the database so that every server and backup has them, and shown. */
export function createLogosModule(
  { kysely, inTransaction, nextId }: Platform,
  { files, settings }: { files: FileService; settings: Pick<SettingsModule, "changed"> },
): ServerModule {
  const logos = createLogoService({
    repository: logoRepository(kysely),
    inTransaction: inTransaction((db) => ({ logos: logoRepository(db), audit: auditRepository(db) })),
    files,
    encode: encodeLogo,
    nextId,
    changed: settings.changed,
  });
  return {
    routes(router, http) {
      router.upload(logoUpload, logoMaxBytes, ({ scope, query }, file) => logos.upload(scope, query.theme, file));
      router.on(logoRemove, async ({ scope, query }) => {
        await logos.remove(scope, query.theme);
        return {};
      });
      http.get<{ Params: { name: string } }>(
        "/logos/:name",
        {
          config: { openBecause: "every page shows the brand's logo" },
          onRequest: router.counted({ method: "GET", path: "/logos/:name", rate: "read" }),
          exposeHeadRoute: false,
        },
        async ({ params: { name } }, reply) => {
          const bytes = await logos.open(name);
          if (bytes === undefined) return reply.code(404).send(unknownPath());
          return reply
            .header("Content-Type", "image/png")
            .header("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
            .header("Cross-Origin-Resource-Policy", "same-site")
            .header("Cache-Control", `public, max-age=${yearS}, immutable`)
            .send(bytes);
        },
      );
    },
  };
}
