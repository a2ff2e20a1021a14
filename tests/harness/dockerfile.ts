import { execFile } from "node:child_process";
import { copyFile, cp, mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Copy, DockerfileParser, type From } from "dockerfile-ast";

/** A built stage: a folder that stands for the root of its image, and what a container of it would get. */
export interface Stage {
  readonly root: string;
  readonly environment: Record<string, string>;
  readonly workingDirectory: string;
  readonly user: string;
  readonly command: string[];
  readonly healthCheck: string[];
}

/** Where the images of Node have it. */
export const nodeOfImage = "usr/local/bin/node";

/** What the image that a stage begins with has, as far as the steps notice. */
const beginning = { environment: {}, workingDirectory: "/", user: "0", command: [], healthCheck: [] };

/** Variables by which this machine reaches packages; an image's build has its own. */
const network = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    /^(npm_config_.*|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|https?_proxy)$/i.test(name),
  ),
);

/**
 * Goes through the steps of a Dockerfile without a daemon: each stage is a folder, COPY copies into it from the context or another
 * stage, and RUN runs there with the stage's environment and a PATH alone. Paths of the image lie below the folder.
 * @param folder for the stages; empty
 * @param context files of the build's context, relative to `contextFolder`
 * @returns the last stage
 */
export async function followDockerfile(
  text: string,
  { folder, contextFolder, context }: { folder: string; contextFolder: string; context: readonly string[] },
): Promise<Stage> {
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  let name = "";
  const inside = (root: string, path: string) => join(root, path);
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const keyword = instruction.getKeyword();
    const content = instruction.getArgumentsContent() ?? "";
    const now = stage;
    if (keyword === "FROM") {
      const from = instruction as From;
      const root = join(folder, `stage-${stages.size}`);
      const base = stages.get(from.getImage() ?? "");
      if (base === undefined) {
        await mkdir(join(root, "usr/local/bin"), { recursive: true });
        await copyFile(process.execPath, join(root, nodeOfImage));
      } else await cp(base.root, root, { recursive: true, verbatimSymlinks: true });
      stage = { ...(base ?? beginning), root };
      name = from.getBuildStage() ?? String(stages.size);
      stages.set(name, stage);
      continue;
    }
    if (now === undefined) throw new Error(`${keyword} stands before FROM`);
    const change = (part: Partial<Stage>): void => {
      stage = { ...now, ...part };
      stages.set(name, stage);
    };
    if (keyword === "WORKDIR") {
      const workingDirectory = content;
      await mkdir(inside(now.root, workingDirectory), { recursive: true });
      change({ workingDirectory });
    } else if (keyword === "ENV") {
      const [, variable = "", value = ""] = /^([A-Z_]+)=(\S*)$/.exec(content) ?? [];
      change({ environment: { ...now.environment, [variable]: value } });
    } else if (keyword === "USER") change({ user: content });
    else if (keyword === "CMD") change({ command: JSON.parse(content) });
    else if (keyword === "HEALTHCHECK") change({ healthCheck: JSON.parse(content.replace(/^.*?CMD\s+/s, "")) });
    else if (keyword === "COPY") {
      const copy = instruction as Copy;
      const from = copy.getFromFlag()?.getValue() ?? undefined;
      const words = copy.getArguments().map((argument) => argument.getValue());
      const target = words.at(-1) ?? "";
      const source = from === undefined ? undefined : stages.get(from);
      if (from !== undefined && source === undefined) throw new Error(`COPY --from=${from}: no such stage`);
      for (const word of words.slice(0, -1)) {
        const place = inside(now.root, join(target.startsWith("/") ? "" : now.workingDirectory, target));
        if (source !== undefined) {
          await cp(inside(source.root, word), place, { recursive: true, verbatimSymlinks: true });
          continue;
        }
        const files = context.filter((file) => file === word || file.startsWith(`${word}/`));
        if (files.length === 0) throw new Error(`COPY ${word}: the context has no such file`);
        for (const file of files) {
          const isFile = file === word;
          const to = isFile
            ? target.endsWith("/")
              ? join(place, file.split("/").at(-1) ?? "")
              : place
            : join(place, file.slice(word.length + 1));
          await mkdir(dirname(to), { recursive: true });
          await cp(join(contextFolder, file), to);
        }
      }
    } else if (keyword === "RUN") {
      // Folders of the image are below the stage's; its tools are this machine's.
      const command = content.replaceAll(/(?<=\s)(\/(?:opt|var)\/\S+)/g, `${now.root}$1`);
      await promisify(execFile)("/bin/sh", ["-ec", command], {
        cwd: inside(now.root, now.workingDirectory),
        env: {
          ...network,
          PATH: `${join(now.root, "usr/local/bin")}:${process.env.PATH}`,
          HOME: now.root,
          ...now.environment,
        },
        maxBuffer: 64 * 1024 * 1024,
      });
    } else if (!["EXPOSE", "VOLUME", "STOPSIGNAL"].includes(keyword)) throw new Error(`${keyword} is not followed`);
  }
  if (stage === undefined) throw new Error("the Dockerfile has no stage");
  await stat(inside(stage.root, stage.workingDirectory));
  return stage;
}

/** Whether a path is kept out of the build's context by the lines of a .dockerignore: `*` within a name, `**` for folders. */
export function isIgnored(path: string, lines: readonly string[]): boolean {
  return lines.some((line) => {
    const pattern = line
      .split("/")
      .map((part) =>
        part === "**" ? "(?:.+/)?" : `${part.replaceAll(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[^/]*")}/`,
      )
      .join("");
    return new RegExp(`^${pattern.replace(/\/$/, "")}(?:/|$)`).test(path);
  });
}
