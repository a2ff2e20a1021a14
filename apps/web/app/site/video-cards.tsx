import { type PublicVideo, videoPosterPath } from "@herdwise/contract";
import { useTranslate } from "../shared/language/use-language.ts";
import { ExampleMark, Marked, MarkedTitle } from "./article-parts.tsx";
import { productName } from "./product-name.ts";
import "./video.css";

/** Address of the page of a video. */
export const videoPath = (id: string): string => `/service/videoShow?id=${id}`;
/** A length as players show it. @param seconds whole */
export const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** Videos beside each other, each by its picture. */
export function VideoCards({
  videos,
  heading: Heading = "h3",
  word,
}: {
  videos: readonly PublicVideo[];
  heading?: "h2" | "h3";
  /** What was looked for. */
  word?: string | undefined;
}) {
  const t = useTranslate();
  return (
    <ul className="video-cards">
      {videos.map((video) => (
        <li key={video.id}>
          <a href={videoPath(video.id)}>
            <span className="video-poster">
              <img
                src={videoPosterPath(video.id, video.posters[0] ?? 0)}
                srcSet={video.posters.map((width) => `${videoPosterPath(video.id, width)} ${width}w`).join(", ")}
                sizes="(max-width: 640px) 100vw, 400px"
                alt=""
                width={640}
                height={360}
                loading="lazy"
                decoding="async"
              />
              <svg viewBox="0 0 48 48" aria-hidden="true">
                <circle cx="24" cy="24" r="23" />
                <path d="M19 15.5v17L33 24z" />
              </svg>
              {video.seconds > 0 && (
                <span className="video-length num">
                  <span className="visually-hidden">{t("时长")} </span>
                  {clock(video.seconds)}
                </span>
              )}
            </span>
            <p className="video-meta">
              <span>{t(productName(video.product))}</span>
              {video.example && <ExampleMark />}
            </p>
            <Heading>
              <MarkedTitle text={video.title} word={word} />
            </Heading>
            <p className="video-summary">
              <Marked text={video.summary} word={word} />
            </p>
          </a>
        </li>
      ))}
    </ul>
  );
}
