import { readFile, writeFile } from "node:fs/promises";
import {
  type AuditChange,
  type CaptionLanguage,
  captionsMaxBytes,
  type PublicVideo,
  type publicVideoPage,
  type QueryOf,
  uploadRules,
  type VideoState,
  videoCaptionsPath,
  videoFilmPath,
  videoMaxBytes,
  videoPosterPath,
  videos as videoResource,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { wireDateTime } from "../../http/present.ts";
import type { PreviewLinks } from "../../preview-links.ts";
import type { ResourceHooks } from "../../resources/index.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { type AuditRepository, installationChain } from "../audit/index.ts";
import {
  type ArrivingFile,
  cleanFilm,
  encodeForPages,
  type FileService,
  type SiteFileService,
} from "../files/index.ts";
import { readCaptions } from "./captions.ts";
import type { HeldVideo, ShownVideo, VideoPart, VideoRepository } from "./video.repository.ts";

export type { VideoPart } from "./video.repository.ts";

const mostRelated = 3;
/** How far ahead a video may wait, ms. */
const latestMs = 366 * 86_400_000;
/** Clocks of a person and of the server may differ by this, ms. */
const earliestMs = 5 * 60_000;
const duePerRun = 100;

export interface VideoDependencies {
  repository: VideoRepository;
  inTransaction<T>(work: (to: { videos: VideoRepository; audit: AuditRepository }) => Promise<T>): Promise<T>;
  files: Pick<FileService, "withReceived" | "withDraft">;
  siteFiles: Pick<SiteFileService, "keep" | "find" | "read">;
  previews: PreviewLinks;
  /** Tells every server that what visitors read is another. */
  changed: () => void;
  now: () => number;
  nextId: () => string;
}

/** What a demo's video is made of. */
export interface WrittenVideo {
  film: Uint8Array;
  /** A picture of any form that pictures are taken in. */
  poster: Uint8Array;
  captions: Readonly<Record<CaptionLanguage, string>>;
}

type VideoView = Omit<PublicVideo, "publishedAt"> & { publishedAt: Date };

const formOf = (name: string): "mp4" | "webm" => (name.endsWith(".webm") ? "webm" : "mp4");
function viewOf(row: ShownVideo, language: CaptionLanguage): VideoView {
  const { titleEn, summaryEn, filmName, ...video } = row;
  return {
    ...video,
    form: formOf(filmName),
    ...(language === "en" && { title: titleEn || row.title, summary: summaryEn || row.summary }),
  };
}

/** Films of the public site, and what visitors find of them. */
export function createVideoService({
  repository,
  inTransaction,
  files,
  siteFiles,
  previews,
  changed,
  now,
  nextId,
}: VideoDependencies) {
  /** Changes a video under a lock, with an entry of the audit trail. @throws Refusal 404 */
  const change = async (
    scope: TenantScope,
    id: string,
    work: (videos: VideoRepository, held: HeldVideo) => Promise<AuditChange | undefined>,
  ): Promise<void> => {
    await inTransaction(async ({ videos, audit }) => {
      const held = await videos.find(id, true);
      if (held === undefined) throw refuse("row.not_found");
      const told = await work(videos, held);
      if (told === undefined) return;
      await audit.append(
        installationChain,
        scope,
        [{ resource: videoResource.name, rowId: id, rowTitle: held.title, action: "update", changes: [told] }],
        nextId,
      );
    });
    changed();
  };
  const requireThere = async (id: string): Promise<void> => {
    if ((await repository.find(id)) === undefined) throw refuse("row.not_found");
  };
  const keepBytes = (bytes: Uint8Array | string, extension: "webp" | "vtt") =>
    files.withDraft(async (path) => {
      await writeFile(path, bytes, { mode: 0o600 });
      return siteFiles.keep(path, extension);
    });
  const keepFilm = async (path: string) => {
    const { form, seconds } = await cleanFilm(path);
    const { name, sizeBytes } = await siteFiles.keep(path, form);
    return { name, seconds, fileBytes: sizeBytes };
  };
  const keepPoster = async (path: string): Promise<{ width: number; name: string }[]> => {
    const { versions } = await encodeForPages(path);
    const kept: { width: number; name: string }[] = [];
    for (const { width, bytes } of versions) kept.push({ width, name: (await keepBytes(bytes, "webp")).name });
    return kept;
  };
  const stateOf = (state: VideoState, at: Date | null): string =>
    state === "scheduled" && at ? `${state} ${wireDateTime(at)}` : state;

  return {
    /** Takes the film of a video in the place of the one it had. @throws Refusal 400 for what browsers do not play, 404 */
    async upload(scope: TenantScope, id: string, file: ArrivingFile) {
      await requireThere(id);
      const film = await files.withReceived(file, videoMaxBytes, keepFilm);
      await change(scope, id, async (videos) => {
        await videos.setFilm(id, film);
        return { field: "fileBytes", before: "", after: String(film.fileBytes) };
      });
      return { seconds: film.seconds, fileBytes: film.fileBytes };
    },

    /** Takes the picture of a video. @throws Refusal 400 for what is no picture, 404 */
    async poster(scope: TenantScope, id: string, file: ArrivingFile) {
      await requireThere(id);
      const kept = await files.withReceived(file, uploadRules.picture.maxBytes, keepPoster);
      const posterWidth = kept.at(-1)?.width ?? 0;
      await change(scope, id, async (videos) => {
        await videos.setPoster(id, kept);
        return { field: "posterWidth", before: "", after: String(posterWidth) };
      });
      return { posterWidth };
    },

    /** Takes the captions of a language. @throws Refusal 400 for what is no WebVTT, 404 */
    async captions(scope: TenantScope, id: string, language: CaptionLanguage, file: ArrivingFile) {
      await requireThere(id);
      const { text, cues } = await files.withReceived(file, captionsMaxBytes, async (path) =>
        readCaptions(await readFile(path)),
      );
      const { name } = await keepBytes(text, "vtt");
      await change(scope, id, async (videos) => {
        await videos.setCaptions(id, language, name);
        return { field: "captions", before: "", after: language };
      });
      return { cues };
    },

    removeCaptions: (scope: TenantScope, id: string, language: CaptionLanguage): Promise<void> =>
      change(scope, id, async (videos) => {
        await videos.setCaptions(id, language, undefined);
        return { field: "captions", before: language, after: "" };
      }),

    /**
     * Shows a video to visitors, at once or later.
     * @throws Refusal 404; 409 without a film or a picture; 400 without a summary, or for a time that is past or too far
     */
    async publish(scope: TenantScope, id: string, at: Date | undefined): Promise<void> {
      if (
        at !== undefined &&
        (Number.isNaN(at.getTime()) || at.getTime() < now() - earliestMs || at.getTime() > now() + latestMs)
      )
        throw refuse("video.time_out_of_range", { field: "at" });
      const later = at !== undefined && at.getTime() > now();
      await change(scope, id, async (videos, held) => {
        if (!held.hasFilm) throw refuse("video.no_film");
        if (!held.hasPoster) throw refuse("video.no_poster");
        if (held.summary === "") throw refuse("video.incomplete", { field: "summary" });
        const next = later ? ({ state: "scheduled", at } as const) : ({ state: "published", at: null } as const);
        if (held.state === next.state && next.state === "published") return undefined;
        await videos.setState(id, next, scope.accountId);
        return {
          field: "state",
          before: stateOf(held.state, held.publishAt),
          after: stateOf(next.state, next.at),
        };
      });
    },

    /** Takes a video off the site, or its time back. @throws Refusal 404, 409 where it is a draft */
    withdraw: (scope: TenantScope, id: string): Promise<void> =>
      change(scope, id, async (videos, held) => {
        if (held.state === "draft") throw refuse("video.not_published");
        await videos.setState(id, { state: "draft" }, scope.accountId);
        return { field: "state", before: stateOf(held.state, held.publishAt), after: "draft" };
      }),

    /** Publishes what waits and whose time has come. */
    async publishDue(): Promise<void> {
      const due = await inTransaction(async ({ videos }) => {
        const ids = await videos.due(new Date(now()), duePerRun);
        for (const id of ids) await videos.setState(id, { state: "published" }, null);
        return ids.length;
      });
      if (due > 0) changed();
    },

    /** Addresses of a video for whoever holds them. @throws Refusal 404, 409 without a film */
    async previewLink(id: string) {
      await requireThere(id);
      const parts = await repository.files(id, true);
      const film = parts.find(({ part }) => part === "film");
      if (film === undefined) throw refuse("video.no_film");
      const { token, expiresAt } = previews.make({ id, number: 1 });
      const signed = (path: string) => `${path}?preview=${token}`;
      const widest = Math.max(
        0,
        ...parts.flatMap(({ part }) => (part.startsWith("poster-") ? [Number(part.slice(7))] : [])),
      );
      return {
        film: signed(videoFilmPath(id, formOf(film.name))),
        poster: widest === 0 ? "" : signed(videoPosterPath(id, widest)),
        captions: (["zh", "en"] as const)
          .filter((language) => parts.some(({ part }) => part === `captions-${language}`))
          .map((language) => ({ language, src: signed(videoCaptionsPath(id, language)) })),
        expiresAt,
      };
    },

    async page({ language = "zh", product, keyword, ...query }: QueryOf<typeof publicVideoPage>) {
      const request = pageRequest(query, []);
      const { rows, total } = await repository.page({ product, keyword: keyword?.trim() || undefined }, request);
      return pageOfRows(
        rows.map((row) => viewOf(row, language)),
        total,
        request,
      );
    },

    /** @throws Refusal 404 for what is not published */
    async read({ id, language = "zh" }: { id: string; language?: CaptionLanguage | undefined }) {
      const row = await repository.shown(id);
      if (row === undefined) throw refuse("row.not_found");
      const related = await repository.related(id, row.product, mostRelated);
      return { video: viewOf(row, language), related: related.map((one) => viewOf(one, language)) };
    },

    /**
     * A file of a video that is published, or of whose preview the address holds the proof.
     * @param ending of the address, which the film's own has to be
     * @returns undefined where there is none
     */
    async file(id: string, part: VideoPart, ending: string, preview = "") {
      const draft = preview !== "" && previews.read(preview)?.id === id;
      const name = (await repository.files(id, draft)).find((one) => one.part === part)?.name;
      return name?.endsWith(`.${ending}`) ? siteFiles.find(name) : undefined;
    },

    bytes: siteFiles.read,

    /** All that visitors find, for the site map. */
    all: async (limit: number) => (await repository.page({}, { offset: 0, limit })).rows,

    /** Gives a video of the demo its film, picture and captions, and publishes it. */
    async write(id: string, { film, poster, captions }: WrittenVideo): Promise<void> {
      const onDisk = <T>(bytes: Uint8Array, work: (path: string) => Promise<T>): Promise<T> =>
        files.withDraft(async (path) => {
          await writeFile(path, bytes, { mode: 0o600 });
          return work(path);
        });
      const kept = await onDisk(film, keepFilm);
      const pictures = await onDisk(poster, keepPoster);
      const words = {
        zh: await keepBytes(readCaptions(Buffer.from(captions.zh)).text, "vtt"),
        en: await keepBytes(readCaptions(Buffer.from(captions.en)).text, "vtt"),
      };
      await inTransaction(async ({ videos }) => {
        await videos.setFilm(id, kept);
        await videos.setPoster(id, pictures);
        for (const language of ["zh", "en"] as const) await videos.setCaptions(id, language, words[language].name);
        await videos.setState(id, { state: "published" }, null);
      });
    },
  };
}
export type VideoService = ReturnType<typeof createVideoService>;

/** Rules of a video as a resource: one that visitors see or will see keeps its summary, and is taken off the site before it is removed. */
export const videoHooks = (changed: () => void): ResourceHooks<VideoRepository> => ({
  async beforeSave({ held, values, extra }) {
    if (held === undefined || values.summary !== "") return;
    const now = await extra.find(String(held.id));
    if (now !== undefined && now.state !== "draft") throw refuse("video.incomplete", { field: "summary" });
  },
  async beforeRemove({ rows }) {
    if (rows.some(({ state }) => state !== "draft")) throw refuse("video.still_published");
  },
  changed,
});
