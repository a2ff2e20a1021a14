import { createHash } from "node:crypto";
import { type LogoTheme, logoMaxBytes } from "@herdwise/contract";
import type { TenantScope } from "../../tenant-scope.ts";
import { type AuditRecord, type AuditRepository, installationChain } from "../audit/index.ts";
import type { ArrivingFile, FileService, Logo } from "../files/index.ts";
import type { LogoRepository } from "./logo.repository.ts";

export interface LogoDependencies {
  repository: LogoRepository;
  inTransaction<T>(
    work: (to: { logos: LogoRepository; audit: Pick<AuditRepository, "append"> }) => Promise<T>,
  ): Promise<T>;
  files: Pick<FileService, "withReceived">;
  encode: (path: string) => Promise<Logo>;
  nextId: () => string;
  /** After a commit: every server reads the settings again. */
  changed: () => Promise<void>;
}

const addressed = /^(light|dark)-(image|icon)-([0-9a-f]{16})\.png$/;
const words: Readonly<Record<LogoTheme, string>> = { light: "浅色页面的图标", dark: "深色页面的图标" };

/** The brand's own logos. */
export function createLogoService({ repository, inTransaction, files, encode, nextId, changed }: LogoDependencies) {
  const auditOf = (theme: LogoTheme, action: AuditRecord["action"], before: string | null, after: string | null) => ({
    resource: "setting",
    rowId: theme === "light" ? "1" : "2",
    rowTitle: words[theme],
    action,
    changes: [{ field: "logo", before, after }],
  });
  return {
    /** @throws {Refusal} 400 when it is no picture, too large or too small */
    async upload(scope: TenantScope, theme: LogoTheme, file: ArrivingFile) {
      const logo = await files.withReceived(file, logoMaxBytes, encode);
      const hash = createHash("sha256").update(logo.image).update(logo.icon).digest("hex").slice(0, 16);
      await inTransaction(async ({ logos, audit }) => {
        const before = (await logos.hashes()).find((one) => one.theme === theme)?.hash ?? null;
        await logos.save({ theme, hash, ...logo });
        await audit.append(installationChain, scope, [auditOf(theme, "update", before, hash)], nextId);
      });
      await changed();
      return { src: `/logos/${theme}-image-${hash}.png`, width: logo.width, height: logo.height };
    },

    async remove(scope: TenantScope, theme: LogoTheme): Promise<void> {
      await inTransaction(async ({ logos, audit }) => {
        const before = (await logos.hashes()).find((one) => one.theme === theme)?.hash;
        if (before === undefined) return;
        await logos.remove(theme);
        await audit.append(installationChain, scope, [auditOf(theme, "remove", before, null)], nextId);
      });
      await changed();
    },

    /** Bytes of a PNG by the last part of its address; undefined where there is none. */
    async open(name: string): Promise<Buffer | undefined> {
      const [, theme, what, hash = ""] = addressed.exec(name) ?? [];
      if (theme === undefined) return undefined;
      const row = await repository.find(theme as LogoTheme, hash);
      return row && (what === "icon" ? row.icon : row.image);
    },
  };
}
