import { articlePictureAltMax, articlePicturePattern } from "@herdwise/contract";
import { mergeAttributes, Node, type NodeViewProps, NodeViewWrapper, ReactNodeViewRenderer } from "@tiptap/react";
import { useId } from "react";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import styles from "./rich-text.module.css";

/** A picture in a body, with the words for those who don't see it. */
function Picture({ node, editor, updateAttributes, deleteNode, selected }: NodeViewProps) {
  const t = useTranslate();
  const id = useId();
  const { src, alt, width, height, upload } = node.attrs as PictureAttributes;
  const readOnly = !editor.isEditable;
  if (upload)
    return (
      <NodeViewWrapper className={styles.picture} contentEditable={false}>
        <p className={styles.uploading} role="status">
          {t("正在上传图片")}
        </p>
      </NodeViewWrapper>
    );
  const isMissing = alt.trim() === "";
  return (
    <NodeViewWrapper className={styles.picture} data-selected={selected || undefined} contentEditable={false}>
      <img src={src} alt={alt} width={width} height={height} draggable data-drag-handle />
      {!readOnly && (
        <div className={styles.pictureWords}>
          <label htmlFor={id}>{t("替代文字")}</label>
          <input
            className="input"
            id={id}
            value={alt}
            maxLength={articlePictureAltMax}
            aria-invalid={isMissing}
            aria-describedby={`${id}-state`}
            placeholder={t("给看不到图的人：图里有什么，说明了什么")}
            onChange={(event) => updateAttributes({ alt: event.target.value })}
          />
          <p id={`${id}-state`} className={`state ${isMissing ? "critical" : "ok"}`}>
            <Mark name={isMissing ? "critical" : "ok"} />
            {isMissing ? t("发布前要写") : t("有替代文字")}
            <span className="mut num">
              {width} × {height}
            </span>
          </p>
          <Button small onPress={deleteNode}>
            {t("删除图片")}
          </Button>
        </div>
      )}
    </NodeViewWrapper>
  );
}

export interface PictureAttributes {
  src: string;
  alt: string;
  width: number;
  height: number;
  /** Names the picture while it is being uploaded; "" afterwards. */
  upload: string;
}

/** Pictures that we keep, and places of those that are on their way. An address of another site is no picture of a body. */
export const PictureNode = Node.create({
  name: "picture",
  group: "block",
  draggable: true,
  atom: true,
  addAttributes: () => ({
    src: { default: "" },
    alt: { default: "" },
    width: { default: 0 },
    height: { default: 0 },
    upload: { default: "" },
  }),
  parseHTML: () => [
    {
      tag: "img",
      getAttrs: (element) => {
        const upload = element.getAttribute("data-upload") ?? "";
        const src = element.getAttribute("src") ?? "";
        if (upload === "" && !articlePicturePattern.test(src)) return false;
        return {
          src,
          upload,
          alt: element.getAttribute("alt") ?? "",
          width: Number(element.getAttribute("width") ?? 0),
          height: Number(element.getAttribute("height") ?? 0),
        };
      },
    },
  ],
  renderHTML: ({ node }) => {
    const { src, alt, width, height, upload } = node.attrs as PictureAttributes;
    return ["img", mergeAttributes(upload ? { "data-upload": upload } : { src, alt, width, height })];
  },
  addNodeView: () =>
    ReactNodeViewRenderer(Picture, {
      // Typing the words is the field's own business.
      stopEvent: ({ event }) => event.target instanceof HTMLElement && event.target.closest("input, button") !== null,
    }),
});

/** Places of pictures that were never uploaded, as a draft in the browser may hold them. */
export const withoutUploads = (html: string): string => html.replace(/<img\b[^>]*\sdata-upload="[^"]*"[^>]*>/g, "");
