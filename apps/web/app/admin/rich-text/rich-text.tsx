import { articlePictureUpload } from "@herdwise/contract";
import { type ArticleBlockKind, articleBlockKinds } from "@herdwise/contract/article-blocks";
import { TableKit } from "@tiptap/extension-table";
import { type Editor, EditorContent, useEditor, useEditorState } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { useEffect, useRef, useState } from "react";
import { type ApiError, asApiError } from "../../shared/api/api-error.ts";
import { uploadFile } from "../../shared/api/upload-file.ts";
import type { IconName } from "../../shared/icons/icon.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { FileButton } from "../../shared/kit/file-button.tsx";
import { MenuButton } from "../../shared/kit/menu.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { BlockNode, BodyNode, CaptionNode, insertBlock } from "./block-node.tsx";
import { blockNames } from "./block-words.ts";
import { type LinkProblems, linkProblemMarks, tellLinkProblems } from "./link-problems.ts";
import { cleanPasted, type PastedBody } from "./paste.ts";
import { type Clipboard, newPictureKey, type PastedPicture, takePictures } from "./paste-pictures.ts";
import { type PictureAttributes, PictureNode, withoutUploads } from "./picture-node.tsx";
import styles from "./rich-text.module.css";
import { scriptMarks } from "./script-marks.ts";

export interface RichTextProps {
  id: string;
  /** In the chosen language. */
  label: string;
  lang: "zh-CN" | "en";
  /** What it begins with; later values are its own. */
  initial: string;
  readOnly: boolean;
  problem: string | undefined;
  linkProblems: LinkProblems;
  /** Pictures of the other language's body, which this one may show, too; undefined where a body takes no pictures. */
  otherPictures?: readonly OfferedPicture[];
  /** Tells how it writes what nobody changed, so that only a person's change counts as one. */
  onReady?: (html: string) => void;
  onChange: (html: string) => void;
  onPasted: (pasted: PastedBody) => void;
  /** Tells how many pictures are on their way. */
  onUploading?: (count: number) => void;
  /** A picture was refused. */
  onRefused?: (error: ApiError) => void;
}

/** A picture that is there already. */
export type OfferedPicture = Pick<PictureAttributes, "src" | "alt" | "width" | "height">;

const pictureTypes = ["image/png", "image/jpeg", "image/bmp"];
const pictureEndings = ".jpg,.jpeg,.png,.bmp";
const picturesAmong = (files: FileList | undefined): File[] =>
  [...(files ?? [])].filter(({ type }) => pictureTypes.includes(type));
const nothing: Clipboard = { html: "", rtf: "", files: [] };

interface Tool {
  name: string;
  /** Path of its sign, drawn like the icons of the set: only this screen needs them. */
  sign: string;
  isActive?: (editor: Editor) => boolean;
  run: (editor: Editor) => void;
}

const tools: readonly Tool[] = [
  {
    name: "小标题",
    sign: "M4 5v10M10 5v10M4 10h6M13 8.5c0-2 4-2 4 0 0 1.8-4 3.500-4 6h4",
    isActive: (editor) => editor.isActive("heading", { level: 2 }),
    run: (editor) => editor.chain().focus().toggleHeading({ level: 2 }).run(),
  },
  {
    name: "次级标题",
    sign: "M4 5v10M10 5v10M4 10h6M13 7.800c.6-1.600 4-1.300 4 .900 0 1.500-1.300 1.900-2.300 1.900 1.200 0 2.500.5 2.500 2 0 2.300-3.600 2.400-4.300.6",
    isActive: (editor) => editor.isActive("heading", { level: 3 }),
    run: (editor) => editor.chain().focus().toggleHeading({ level: 3 }).run(),
  },
  {
    name: "加粗",
    sign: "M6 4h5a3 3 0 0 1 0 6H6zM6 10h5.500a3 3 0 0 1 0 6H6z",
    isActive: (editor) => editor.isActive("bold"),
    run: (editor) => editor.chain().focus().toggleBold().run(),
  },
  {
    name: "列表",
    sign: "M7 5.500h10M7 10h10M7 14.500h10M3.500 5.500h.01M3.500 10h.01M3.500 14.500h.01",
    isActive: (editor) => editor.isActive("bulletList"),
    run: (editor) => editor.chain().focus().toggleBulletList().run(),
  },
  {
    name: "编号列表",
    sign: "M8 5.500h9M8 10h9M8 14.500h9M3.500 4h1v3M3.300 12.500h1.700l-1.700 3h1.700",
    isActive: (editor) => editor.isActive("orderedList"),
    run: (editor) => editor.chain().focus().toggleOrderedList().run(),
  },
  {
    name: "引文",
    sign: "M4 13V9c0-2 1-3.500 3-4M11 13V9c0-2 1-3.500 3-4M4 9.500h3V13H4zM11 9.500h3V13h-3z",
    isActive: (editor) => editor.isActive("blockquote"),
    run: (editor) => editor.chain().focus().toggleBlockquote().run(),
  },
  {
    name: "表格",
    sign: "M3 4.500h14v11H3zM3 8.500h14M8 8.500v7",
    isActive: (editor) => editor.isActive("table"),
    run: (editor) =>
      editor.isActive("table")
        ? editor.chain().focus().deleteTable().run()
        : editor.chain().focus().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
  },
];
const inTable: readonly Tool[] = [
  {
    name: "下面加一行",
    sign: "M3 4h14v5H3zM10 12v5M7.500 14.500h5",
    run: (editor) => editor.chain().focus().addRowAfter().run(),
  },
  {
    name: "右边加一列",
    sign: "M3 3h5v14H3zM12 10h5M14.500 7.500v5",
    run: (editor) => editor.chain().focus().addColumnAfter().run(),
  },
  {
    name: "删除这一行",
    sign: "M3 4h14v5H3zM7.500 14.500h5",
    run: (editor) => editor.chain().focus().deleteRow().run(),
  },
  { name: "删除这一列", sign: "M3 3h5v14H3zM12 10h5", run: (editor) => editor.chain().focus().deleteColumn().run() },
];
const linkSign =
  "M8.500 11.500a3 3 0 0 0 4.200 0l2.600-2.600a3 3 0 0 0-4.200-4.200L9.800 6M11.500 8.500a3 3 0 0 0-4.200 0l-2.600 2.600a3 3 0 0 0 4.200 4.200l1.300-1.300";

const Sign = ({ path }: { path: string }) => (
  <svg className="icon small-icon" viewBox="0 0 20 20" aria-hidden="true">
    <path d={path} />
  </svg>
);

/** The address that a link leads to; "" takes the link away. */
function LinkDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const t = useTranslate();
  const [href, setHref] = useState(String(editor.getAttributes("link").href ?? ""));
  const fits = href === "" || /^(https?:\/\/|mailto:|tel:|\/(?!\/)|#)/i.test(href.trim());
  return (
    <Dialog
      title={t("链接")}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t("取消")}</Button>
          <Button
            kind="primary"
            isDisabled={!fits}
            onPress={() => {
              const chain = editor.chain().focus().extendMarkRange("link");
              if (href.trim() === "") chain.unsetLink().run();
              else chain.setLink({ href: href.trim() }).run();
              onClose();
            }}
          >
            {t("确定")}
          </Button>
        </>
      }
    >
      <div className="form-field">
        <label htmlFor="link-address">{t("地址")}</label>
        <input
          className="input"
          id="link-address"
          value={href}
          maxLength={500}
          aria-invalid={!fits}
          aria-describedby="link-hint"
          onChange={(event) => setHref(event.target.value)}
        />
        <p className="f-hint" id="link-hint">
          {t("站内写 /news 这样的路径，站外写 https:// 开头的完整地址；留空去掉链接。")}
        </p>
      </div>
    </Dialog>
  );
}

/** A picture from the own device, or one that the other language shows. */
function PictureDialog({
  offered,
  onFiles,
  onOffered,
  onClose,
}: {
  offered: readonly OfferedPicture[];
  onFiles: (files: readonly File[]) => void;
  onOffered: (picture: OfferedPicture) => void;
  onClose: () => void;
}) {
  const t = useTranslate();
  return (
    <Dialog title={t("插入图片")} onClose={onClose} footer={<Button onPress={onClose}>{t("取消")}</Button>}>
      <p>
        <FileButton
          kind="primary"
          icon="upload"
          label={t("图片文件")}
          accept={pictureEndings}
          multiple
          onPick={(files) => {
            onFiles(files);
            onClose();
          }}
        >
          {t("从电脑选")}
        </FileButton>
      </p>
      <p className="f-hint">
        {t("jpg、png 或 bmp，每张最大 5 MB；也可以直接粘贴，或拖进正文。拍摄地点等信息会去掉。")}
      </p>
      {offered.length > 0 && (
        <>
          <h3>{t("另一种语言里的图片")}</h3>
          <ul className={styles.offered}>
            {offered.map((picture) => (
              <li key={picture.src}>
                <button
                  type="button"
                  onClick={() => {
                    onOffered(picture);
                    onClose();
                  }}
                >
                  <img
                    src={picture.src}
                    alt={picture.alt || t("没有替代文字的图片")}
                    width={picture.width}
                    height={picture.height}
                  />
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

const blockIcons: Readonly<Record<ArticleBlockKind, IconName>> = {
  scene: "map",
  curve: "chart",
  figures: "sheet",
  case: "people",
};
const pictureSign = "M3 4.500h14v11H3zM3 13l4-4 4 4 2.500-2.500L17 14M12.800 8h.01";

function Tools({
  editor,
  label,
  lang,
  offered,
  onFiles,
}: {
  editor: Editor;
  label: string;
  /** Language of the body. */
  lang: RichTextProps["lang"];
  offered: readonly OfferedPicture[] | undefined;
  onFiles: (files: readonly File[]) => void;
}) {
  const t = useTranslate();
  const [choosing, setChoosing] = useState(false);
  const [linking, setLinking] = useState(false);
  const active = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      names: tools.filter(({ isActive }) => isActive?.(now)).map(({ name }) => name),
      table: now.isActive("table"),
      link: now.isActive("link"),
    }),
  });
  const button = ({ name, sign, run }: Tool, pressed?: boolean) => (
    <button
      key={name}
      type="button"
      className={styles.tool}
      aria-label={t(name)}
      title={t(name)}
      aria-pressed={pressed}
      onClick={() => run(editor)}
    >
      <Sign path={sign} />
    </button>
  );
  return (
    <div className={styles.tools} role="toolbar" aria-label={label}>
      {tools.map((tool) => button(tool, active.names.includes(tool.name)))}
      <button
        type="button"
        className={styles.tool}
        aria-label={t("链接")}
        title={t("链接")}
        aria-pressed={active.link}
        onClick={() => setLinking(true)}
      >
        <Sign path={linkSign} />
      </button>
      {offered && (
        <button
          type="button"
          className={styles.tool}
          aria-label={t("图片")}
          title={t("图片")}
          onClick={() => setChoosing(true)}
        >
          <Sign path={pictureSign} />
        </button>
      )}
      <MenuButton
        button={
          <Button small icon="plus">
            {t("版块")}
          </Button>
        }
        label={t("插入版块")}
        actions={articleBlockKinds.map(([kind]) => ({
          id: kind,
          icon: blockIcons[kind],
          name: t(blockNames[kind]),
          onAction: () => insertBlock(editor, kind, lang),
        }))}
      />
      {active.table && inTable.map((tool) => button(tool))}
      {linking && <LinkDialog editor={editor} onClose={() => setLinking(false)} />}
      {choosing && offered && (
        <PictureDialog
          offered={offered}
          onFiles={onFiles}
          // Its words are those of the other language.
          onOffered={(picture) =>
            editor
              .chain()
              .focus()
              .insertContent({ type: PictureNode.name, attrs: { ...picture, alt: "", upload: "" } })
              .run()
          }
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  );
}

/** Puts an uploaded picture in its place, or takes the place away. It is no step that a person could undo. */
function settle(editor: Editor, key: string, picture: PictureAttributes | undefined): void {
  if (editor.isDestroyed) return;
  const { state, view } = editor;
  let place = -1;
  state.doc.descendants((node, at) => {
    if (node.type.name === PictureNode.name && node.attrs.upload === key) place = at;
    return place < 0;
  });
  if (place < 0) return;
  const change = picture ? state.tr.setNodeMarkup(place, undefined, picture) : state.tr.delete(place, place + 1);
  view.dispatch(change.setMeta("addToHistory", false));
}

/** A body in one language. What it writes is what the server's allow-list knows. */
export function RichText({
  id,
  label,
  lang,
  initial,
  readOnly,
  problem,
  linkProblems,
  otherPictures,
  onReady,
  onChange,
  onPasted,
  onUploading,
  onRefused,
}: RichTextProps) {
  const t = useTranslate();
  const clipboard = useRef(nothing);
  const made = useRef<Editor>(undefined);
  const underWay = useRef(0);
  const takesPictures = otherPictures !== undefined;

  const count = (change: number): void => {
    underWay.current += change;
    onUploading?.(underWay.current);
  };
  const upload = async ({ key, file, alt }: PastedPicture): Promise<void> => {
    if (file === undefined) return;
    count(1);
    try {
      const picture = await uploadFile<{ src: string; width: number; height: number }>(articlePictureUpload.path, file);
      if (made.current) settle(made.current, key, { ...picture, alt, upload: "" });
    } catch (reason) {
      if (made.current) settle(made.current, key, undefined);
      onRefused?.(asApiError(reason));
    }
    count(-1);
  };
  const insert = (files: readonly File[], at?: number): void => {
    const editor = made.current;
    if (editor === undefined) return;
    if (!takesPictures) {
      onPasted({ html: "", looks: 0, empty: 0, comments: 0, pictures: 0, lost: files.length });
      return;
    }
    const pictures = files.map((file): PastedPicture => ({ key: newPictureKey(), file, alt: "" }));
    const nodes = pictures.map(({ key }) => ({ type: PictureNode.name, attrs: { upload: key } }));
    editor
      .chain()
      .focus()
      .insertContentAt(at ?? editor.state.selection.from, nodes)
      .run();
    for (const picture of pictures) void upload(picture);
  };

  const editor = useEditor({
    extensions: [
      BodyNode,
      StarterKit.configure({
        document: false,
        heading: { levels: [2, 3] },
        link: { openOnClick: false, autolink: false, HTMLAttributes: { target: null, rel: null } },
      }),
      TableKit.configure({ table: { resizable: false } }),
      ...(takesPictures ? [PictureNode] : []),
      CaptionNode,
      BlockNode,
      ...scriptMarks,
      linkProblemMarks(styles.deadLink ?? ""),
    ],
    content: withoutUploads(initial),
    editable: !readOnly,
    immediatelyRender: true,
    editorProps: {
      attributes: {
        id,
        lang,
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": label,
        ...(problem !== undefined && { "aria-invalid": "true", "aria-describedby": `${id}-problem` }),
        class: styles.prose ?? "",
      },
      handleDOMEvents: {
        paste(_view, { clipboardData }) {
          clipboard.current = {
            html: clipboardData?.getData("text/html") ?? "",
            rtf: clipboardData?.getData("text/rtf") ?? "",
            files: picturesAmong(clipboardData?.files),
          };
          return false;
        },
      },
      transformPastedHTML(html) {
        const taken = takePictures({ ...clipboard.current, html });
        clipboard.current = nothing;
        const pasted = cleanPasted(taken.html);
        const body: PastedBody = takesPictures
          ? { ...pasted, pictures: taken.pictures.length, lost: taken.lost }
          : { ...pasted, pictures: 0, lost: taken.lost + (taken.html.match(/<img\b/gi)?.length ?? 0) };
        if (body.looks + body.empty + body.comments + body.pictures + body.lost > 0) onPasted(body);
        if (takesPictures) for (const picture of taken.pictures) void upload(picture);
        return pasted.html;
      },
      handlePaste() {
        const { html, files } = clipboard.current;
        if (html !== "" || files.length === 0) return false;
        clipboard.current = nothing;
        insert(files);
        return true;
      },
      handleDrop(view, event, _slice, moved) {
        const files = moved ? [] : picturesAmong(event.dataTransfer?.files);
        if (files.length === 0) return false;
        insert(files, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos);
        return true;
      },
    },
    onCreate: ({ editor: created }) => {
      made.current = created;
      onReady?.(created.getHTML());
    },
    // A line that the editor adds at the end, after something that changes no words, is nobody's writing.
    onUpdate: ({ editor: changed, transaction }) => (transaction.docChanged ? onChange : onReady)?.(changed.getHTML()),
  });
  useEffect(() => {
    if (!editor.isDestroyed) editor.view.dispatch(tellLinkProblems(editor.state, linkProblems));
  }, [editor, linkProblems]);
  return (
    <>
      {!readOnly && (
        <Tools
          editor={editor}
          label={t("{name}的格式", { name: label })}
          lang={lang}
          offered={otherPictures}
          onFiles={insert}
        />
      )}
      <EditorContent editor={editor} />
    </>
  );
}
