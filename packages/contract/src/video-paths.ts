/** Address of a video's film. */
export const videoFilmPath = (id: string, form: "mp4" | "webm"): string => `/videos/${id}/film.${form}`;
/** Address of its picture in a width. @param width one of those that it is kept in, in pixels */
export const videoPosterPath = (id: string, width: number): string => `/videos/${id}/poster-${width}.webp`;
/** Address of its captions. */
export const videoCaptionsPath = (id: string, language: "zh" | "en"): string =>
  `/videos/${id}/captions-${language}.vtt`;
