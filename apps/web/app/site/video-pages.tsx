import {
  type DocumentProduct,
  documentProducts,
  type Page,
  type PublicVideo,
  videoCaptionsPath,
  videoFilmPath,
  videoPosterPath,
} from "@herdwise/contract";
import { Icon } from "../shared/icons/icon.tsx";
import { Mark } from "../shared/icons/mark.tsx";
import { parseWireDateTime } from "../shared/language/format.ts";
import { useFormats, useLanguage, useTranslate } from "../shared/language/use-language.ts";
import { usePreferences } from "../shared/preferences/preferences.tsx";
import { Day, ExampleMark } from "./article-parts.tsx";
import { listAddress } from "./list-address.ts";
import { productName } from "./product-name.ts";
import { Choices, ExampleNotice, Pager, SupportItem, SupportList } from "./support-frames.tsx";
import { tied } from "./tied.ts";
import { clock, VideoCards, videoPath } from "./video-cards.tsx";

const listPath = "/service/videos";
/** So many are seen at a glance, without choosing among them. */
const fewVideos = 6;
const mediaTypes = { mp4: "video/mp4", webm: "video/webm" } as const;
const captionNames = { zh: "中文", en: "English" } as const;

/** A length as ISO 8601 has it. */
const lasting = (seconds: number): string => `PT${Math.floor(seconds / 60)}M${seconds % 60}S`;
const widest = ({ posters }: PublicVideo): number => posters.at(-1) ?? 0;

/** Videos by product; all of it works by the address. */
export function VideoListPage({
  origin,
  path,
  product,
  videos,
}: {
  origin: string;
  path: string;
  product: DocumentProduct | undefined;
  videos: Page<PublicVideo>;
}) {
  const t = useTranslate();
  const { current, pages, total, records } = videos;
  const address = listAddress(path, { product });
  const title = [t("视频"), ...(product ? [t(productName(product))] : [])].join(" · ");
  const description = t("几分钟看懂一台设备怎么装、怎么用、怎么养护。");
  return (
    <SupportList
      page="videos"
      name={t("视频")}
      title={title}
      description={description}
      origin={origin}
      listPath={listPath}
      path={address(current)}
      current={current}
    >
      {(total > fewVideos || product) && (
        <Choices
          label={t("产品")}
          all={t("全部产品")}
          of={documentProducts}
          chosen={product}
          address={(one) => address(1, { product: one })}
        />
      )}
      {records.length === 0 ? (
        <p className="nothing">
          {product ? t("这个产品还没有视频。") : t("暂无视频资源。")}{" "}
          {product ? <a href={path}>{t("看全部视频")}</a> : <a href="/service/productInfo">{t("先看产品资料")}</a>}
        </p>
      ) : (
        <>
          <VideoCards videos={records} heading="h2" />
          <Pager current={current} pages={pages} address={address} count={t("共 {count} 段", { count: total })} />
        </>
      )}
    </SupportList>
  );
}

/** One video with the browser's own player, which needs no script. */
export function VideoPage({
  origin,
  video,
  related,
}: {
  origin: string;
  video: PublicVideo;
  related: readonly PublicVideo[];
}) {
  const t = useTranslate();
  const language = useLanguage();
  const { appName } = usePreferences();
  const { fileSize } = useFormats();
  const path = videoPath(video.id);
  const film = videoFilmPath(video.id, video.form);
  const poster = videoPosterPath(video.id, widest(video));
  const published = parseWireDateTime(video.publishedAt);
  // Those of the page's language are shown; without them those that there are.
  const shown = video.captions.includes(language) ? language : video.captions[0];
  return (
    <SupportItem
      page="video"
      listPath={listPath}
      listName={t("视频")}
      product={video.product}
      title={video.title}
      description={video.summary}
      origin={origin}
      path={path}
      picture={`${origin}${poster}`}
      thing={{
        "@type": "VideoObject",
        name: video.title,
        description: video.summary,
        thumbnailUrl: `${origin}${poster}`,
        contentUrl: `${origin}${film}`,
        encodingFormat: mediaTypes[video.form],
        ...(video.seconds > 0 && { duration: lasting(video.seconds) }),
        ...(published !== undefined && { uploadDate: new Date(published).toISOString() }),
        publisher: { "@type": "Organization", name: appName },
      }}
    >
      <header className="video-head">
        <h1>{tied(video.title)}</h1>
        <p className="dek">{tied(video.summary)}</p>
        <p className="video-meta">
          <Day at={video.publishedAt} />
          {video.seconds > 0 && <span className="num">{clock(video.seconds)}</span>}
          {video.captions.length > 0 && (
            <span>
              {t("字幕：{languages}", { languages: video.captions.map((one) => captionNames[one]).join(" / ") })}
            </span>
          )}
          {video.example && <ExampleMark />}
        </p>
      </header>
      <figure className="video-stage">
        {/* biome-ignore lint/a11y/useMediaCaption: captions are there where editors gave them */}
        <video controls playsInline preload="none" poster={poster} width={1280} height={720} aria-label={video.title}>
          <source src={film} type={mediaTypes[video.form]} />
          {video.captions.map((one) => (
            <track
              key={one}
              kind="captions"
              src={videoCaptionsPath(video.id, one)}
              srcLang={one === "zh" ? "zh-CN" : "en"}
              label={captionNames[one]}
              default={one === shown}
            />
          ))}
          <a href={film}>{t("下载视频，{size}", { size: fileSize(video.fileBytes) })}</a>
        </video>
        <p className="told video-error" data-video-error="" role="alert" hidden>
          <Mark name="minor" />
          <span>
            {t("视频播放出错。")} <a href={film}>{t("下载视频，{size}", { size: fileSize(video.fileBytes) })}</a>
          </span>
        </p>
        <figcaption>
          <a className="link" href={film} download="">
            <Icon name="download" small />
            {t("下载视频，{size}", { size: fileSize(video.fileBytes) })}
          </a>
          <a className="link" href={`/service/productInfo?product=${video.product}`}>
            {t("这个产品的资料")}
          </a>
        </figcaption>
      </figure>
      {video.example && <ExampleNotice text={t("示例视频：画面由图纸动画生成，用来演示；不是实拍，没有声音。")} />}
      {related.length > 0 && (
        <section className="block" aria-labelledby="related-title">
          <h2 id="related-title">{t("接着看")}</h2>
          <VideoCards videos={related} />
        </section>
      )}
    </SupportItem>
  );
}
