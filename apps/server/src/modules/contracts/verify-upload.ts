import { createHash } from "node:crypto";
import fastifyMultipart from "@fastify/multipart";
import { mostVerifiedBytes, verifyPath } from "@herdwise/contract";
import type { FastifyInstance } from "fastify";
import { refuse } from "../../http/errors.ts";
import type { Router } from "../../http/router.ts";

/**
 * The form of the public page for browsers without script: takes a file, keeps nothing of it, and leads to the page of its hash. Another
 * site can send it, too: it changes nothing and tells nobody else.
 */
export async function verifyUploadRoute(http: FastifyInstance, router: Pick<Router, "counted">): Promise<void> {
  // In a scope of its own: elsewhere a multipart body stays refused.
  await http.register(async (scope) => {
    await scope.register(fastifyMultipart, {
      limits: { fileSize: mostVerifiedBytes, files: 1, fields: 2, parts: 3, fieldSize: 200 },
      throwFileSizeLimit: false,
    });
    scope.post(
      verifyPath,
      {
        config: { openBecause: "anybody verifies a document; only its hash is taken, and nothing is kept or changed" },
        onRequest: router.counted({ method: "POST", path: verifyPath, rate: "guarded" }),
        bodyLimit: mostVerifiedBytes + 64 * 1024,
      },
      async (request, reply) => {
        const hash = createHash("sha256");
        let bytes = 0;
        let truncated = false;
        try {
          for await (const part of request.files()) {
            for await (const chunk of part.file) {
              hash.update(chunk as Buffer);
              bytes += (chunk as Buffer).length;
            }
            truncated ||= part.file.truncated;
          }
        } catch (error) {
          // The parser's own words for a multipart that broke off or has no boundary; its limits have a status of their own.
          if ((error as { statusCode?: number }).statusCode === undefined) throw refuse("upload.no_file");
          throw error;
        }
        const answer = truncated ? "problem=size" : bytes === 0 ? "problem=empty" : `hash=${hash.digest("hex")}`;
        return reply.header("Cache-Control", "no-store").redirect(`${verifyPath}?${answer}`, 303);
      },
    );
  });
}
