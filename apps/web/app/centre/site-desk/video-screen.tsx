import {
  captionLanguages,
  captionsMaxBytes,
  type ReplyOf,
  uploadRules,
  videoCaptions,
  videoCaptionsRemove,
  videoMaxBytes,
  videoPoster,
  videoPosterPath,
  videoPreviewLink,
  videoPublish,
  videoUpload,
  videoWithdraw,
} from "@herdwise/contract";
import { pagePictureWidths } from "@herdwise/contract/picture-widths";
import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { addressOf } from "../../shared/api/send.ts";
import { uploadFile } from "../../shared/api/upload-file.ts";
import { MomentField, tomorrowMorning } from "../../shared/forms/date-fields.tsx";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { Icon } from "../../shared/icons/icon.tsx";
import { Button, IconButton } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { FileButton } from "../../shared/kit/file-button.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import type { Cells } from "../../shared/resource/cells.ts";
import type { Row } from "../../shared/resource/form-values.ts";
import { stateCell } from "../../shared/resource/state-cell.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { FilePreview } from "./file-preview.tsx";
import { FileRowScreen } from "./file-row-screen.tsx";
import styles from "./site-desk.module.css";
import { useSiteFileWork } from "./use-site-file-work.ts";

const resource = { name: "video" };
const captionNames = { zh: "中文字幕", en: "英文字幕" } as const;

/** How long a film plays; one may not say. */
function Length({ value }: { value: unknown }) {
  const t = useTranslate();
  return Number(value) > 0 ? <span className="num">{t("{count} 秒", { count: Number(value) })}</span> : "--";
}

const cells: Cells = {
  // A film's picture has an address once it is published.
  videoTitle: ({ row, value }) => {
    const [narrowest] = pagePictureWidths(Number(row.posterWidth ?? 0));
    return (
      <span className={styles.title}>
        {row.state === "published" && narrowest ? (
          <img src={videoPosterPath(row.id, narrowest)} alt="" width={64} height={36} loading="lazy" />
        ) : (
          <i aria-hidden="true" />
        )}
        <Translated text={String(value)} />
      </span>
    );
  },
  seconds: Length,
  state: stateCell({
    draft: { word: "草稿", mark: "notice" },
    scheduled: { word: "已定时", mark: "notice" },
    published: { word: "已发布", mark: "ok" },
  }),
};

/** Asks for a time in Shanghai at which a video is shown. */
function Schedule({ onTime, onClose }: { onTime: (at: string) => Promise<boolean>; onClose: () => void }) {
  const t = useTranslate();
  const [at, setAt] = useState(tomorrowMorning);
  return (
    <Dialog
      title={t("定时发布")}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t("取消")}</Button>
          <Button kind="primary" isDisabled={at === ""} onPress={() => void onTime(`${at}:00`).then(onClose)}>
            {t("定时")}
          </Button>
        </>
      }
    >
      <MomentField id="video-at" label={t("时间")} value={at} onChange={setAt} />
      <p className="f-hint">{t("北京时间。到点后一分钟内发布。")}</p>
    </Dialog>
  );
}

/** The film of a video with its picture and captions, and when visitors see it. */
function VideoFiles({ row }: { row: Row }) {
  const t = useTranslate();
  const { dayTime, fileSize } = useFormats();
  const mayEdit = useAccess().permissions.has("video_edit");
  const { busy, refused, refuse, run } = useSiteFileWork(resource);
  const [preview, setPreview] = useState<ReplyOf<typeof videoPreviewLink>>();
  const [broken, setBroken] = useState(false);
  const [scheduling, setScheduling] = useState(false);
  const id = String(row.id);
  const bytes = Number(row.fileBytes ?? 0);
  const seconds = Number(row.seconds ?? 0);
  const posterWidth = Number(row.posterWidth ?? 0);
  const captions = String(row.captions ?? "").split(",");
  const isDraft = row.state === "draft";
  const send = async (
    operation: { path: string },
    file: File,
    maxBytes: number,
    query: Readonly<Record<string, string>> = {},
  ): Promise<void> => {
    if (file.size > maxBytes)
      refuse(t("文件有 {size}，最大 {most}", { size: fileSize(file.size), most: fileSize(maxBytes) }));
    else await run(() => uploadFile(addressOf(operation, { id, ...query }), file), "上传成功");
  };
  const look = () =>
    run(async () => {
      setBroken(false);
      setPreview(await call(videoPreviewLink, { body: { id }, quiet: true }));
    });
  const publish = (at?: string) =>
    run(
      () => call(videoPublish, { body: { id, ...(at !== undefined && { at }) }, quiet: true }),
      at === undefined ? "已发布" : "已定时",
    );
  const withdraw = () => run(() => call(videoWithdraw, { body: { id }, quiet: true }), "已撤下，改回草稿");
  return (
    <section className={styles.part} aria-label={t("文件")}>
      <dl className={styles.files}>
        <div>
          <dt>{t("视频文件")}</dt>
          <dd className="num">
            {bytes > 0
              ? [fileSize(bytes), ...(seconds > 0 ? [t("{count} 秒", { count: seconds })] : [])].join(" · ")
              : t("还没有")}
          </dd>
          {mayEdit && (
            <dd>
              <FileButton
                small
                icon="upload"
                isDisabled={busy}
                label={t("视频文件")}
                accept=".mp4,.webm,video/mp4,video/webm"
                onPick={([file]) => void send(videoUpload, file, videoMaxBytes)}
              >
                {t(bytes > 0 ? "换一段" : "上传")}
              </FileButton>
            </dd>
          )}
        </div>
        <div>
          <dt>{t("封面")}</dt>
          <dd className="num">{posterWidth > 0 ? t("宽 {width} 像素", { width: posterWidth }) : t("还没有")}</dd>
          {mayEdit && (
            <dd>
              <FileButton
                small
                icon="upload"
                isDisabled={busy}
                label={t("封面")}
                accept=".jpg,.jpeg,.png,.bmp,image/jpeg,image/png,image/bmp"
                onPick={([file]) => void send(videoPoster, file, uploadRules.picture.maxBytes)}
              >
                {t(posterWidth > 0 ? "换一张" : "上传")}
              </FileButton>
            </dd>
          )}
        </div>
        {captionLanguages.map((language) => {
          const has = captions.includes(language);
          return (
            <div key={language}>
              <dt>{t(captionNames[language])}</dt>
              <dd>{t(has ? "有" : "可以不传")}</dd>
              {mayEdit && (
                <dd className={styles.buttons}>
                  <FileButton
                    small
                    icon="upload"
                    isDisabled={busy}
                    label={t(captionNames[language])}
                    accept=".vtt,text/vtt"
                    onPick={([file]) => void send(videoCaptions, file, captionsMaxBytes, { language })}
                  >
                    {t(has ? "换一份" : "上传")}
                  </FileButton>
                  {has && (
                    <IconButton
                      small
                      icon="trash"
                      isDisabled={busy}
                      label={t("删掉{name}", { name: t(captionNames[language]) })}
                      onPress={() =>
                        void run(() => call(videoCaptionsRemove, { body: { id, language }, quiet: true }), "删除成功")
                      }
                    />
                  )}
                </dd>
              )}
            </div>
          );
        })}
      </dl>
      {mayEdit && (
        <small className="mut">{t("视频 mp4 或 webm，最大 100 MB；封面 jpg、png 或 bmp；字幕 WebVTT。")}</small>
      )}
      {row.state === "scheduled" && (
        <p className={styles.fact}>
          <Icon name="clock" small />
          <span className="num">{t("{time} 发布", { time: dayTime(parseWireDateTime(String(row.publishAt))) })}</span>
        </p>
      )}
      <p className={styles.buttons}>
        {mayEdit && isDraft && (
          <>
            <Button
              small
              kind="primary"
              isDisabled={busy || bytes === 0 || posterWidth === 0}
              onPress={() => void publish()}
            >
              {t("发布")}
            </Button>
            <Button
              small
              icon="clock"
              isDisabled={busy || bytes === 0 || posterWidth === 0}
              onPress={() => setScheduling(true)}
            >
              {t("定时发布")}
            </Button>
          </>
        )}
        {mayEdit && !isDraft && (
          <Button small isDisabled={busy} onPress={() => void withdraw()}>
            {t(row.state === "scheduled" ? "取消定时" : "撤下")}
          </Button>
        )}
        {bytes > 0 && (
          <Button small icon="eye" isDisabled={busy} onPress={() => void look()}>
            {t("预览")}
          </Button>
        )}
        {row.state === "published" && (
          <a className="link" href={`/service/videoShow?id=${id}`} target="_blank" rel="noreferrer">
            {t("在网站上看")}
          </a>
        )}
      </p>
      {mayEdit && isDraft && (bytes === 0 || posterWidth === 0) && (
        <small className="mut">{t("有视频文件、封面和中文摘要才能发布。")}</small>
      )}
      <Refusal text={refused} />
      {scheduling && <Schedule onTime={publish} onClose={() => setScheduling(false)} />}
      {preview && (
        <FilePreview
          about={t("有这个链接的人不用登录就能看到这段视频，到 {time} 为止。", {
            time: dayTime(parseWireDateTime(preview.expiresAt)),
          })}
          onClose={() => setPreview(undefined)}
        >
          <video
            className={styles.film}
            src={preview.film}
            {...(preview.poster !== "" && { poster: preview.poster })}
            controls
            playsInline
            preload="metadata"
            aria-label={String(row.videoTitle)}
            onError={() => setBroken(true)}
          >
            {preview.captions.map(({ language, src }) => (
              <track
                key={language}
                kind="captions"
                src={src}
                srcLang={language === "zh" ? "zh-CN" : "en"}
                label={t(captionNames[language])}
              />
            ))}
          </video>
          <Refusal text={broken ? t("视频播放出错。") : undefined} />
        </FilePreview>
      )}
    </section>
  );
}

/** Films of the public site. */
export function VideoScreen({ of }: { of: ResourceDeclaration }) {
  return <FileRowScreen of={of} cells={cells} detail={VideoFiles} />;
}
