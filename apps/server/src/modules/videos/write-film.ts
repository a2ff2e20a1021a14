import { createWorkProcess } from "../../work-process.ts";

/** A film of drawings: what is seen at each moment, as SVG of its size. */
export interface DrawnFilm {
  width: number;
  height: number;
  seconds: number;
  framesPerSecond: number;
  /** @param at seconds from the beginning */
  frame(at: number): string;
}

/** The same with each of its drawings made. */
export interface FilmDrawings extends Omit<DrawnFilm, "frame"> {
  drawings: string[];
  poster: string;
}
export interface WrittenFilm {
  /** As WebM. */
  film: Uint8Array;
  /** As PNG. */
  poster: Uint8Array;
}

const ask = createWorkProcess<FilmDrawings, WrittenFilm>({
  module: new URL("./film-process.ts", import.meta.url),
  work: "a film",
  limitMs: 600_000,
});

/**
 * Writes a WebM film of drawings.
 * @param posterAt seconds of the moment that stands for the film
 */
export async function writeFilm(
  { frame, ...film }: DrawnFilm,
  posterAt: number,
): Promise<{ film: Buffer; poster: Buffer }> {
  const { seconds, framesPerSecond } = film;
  const drawings = Array.from({ length: seconds * framesPerSecond }, (_, number) => frame(number / framesPerSecond));
  const written = await ask({ ...film, drawings, poster: frame(posterAt) });
  return { film: Buffer.from(written.film), poster: Buffer.from(written.poster) };
}
