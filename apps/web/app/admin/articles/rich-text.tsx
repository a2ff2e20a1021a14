import { TableKit } from "@tiptap/extension-table";
import { type Editor, EditorContent, useEditor, useEditorState } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { useState } from "react";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import styles from "./editor.module.css";
import { cleanPasted, type Pasted } from "./paste.ts";

interface RichTextProps {
  id: string;
  /** In the chosen language. */
  label: string;
  lang: "zh-CN" | "en";
  /** What it begins with; later values are its own. */
  initial: string;
  readOnly: boolean;
  problem: string | undefined;
  /** Tells how it writes what it began with, so that only a person's change counts as one. */
  onReady: (html: string) => void;
  onChange: (html: string) => void;
  onPasted: (pasted: Pasted) => void;
}

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

function Tools({ editor, label }: { editor: Editor; label: string }) {
  const t = useTranslate();
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
      {active.table && inTable.map((tool) => button(tool))}
      {linking && <LinkDialog editor={editor} onClose={() => setLinking(false)} />}
    </div>
  );
}

/** A body in one language. What it writes is what the server's allow-list knows. */
export function RichText({ id, label, lang, initial, readOnly, problem, onReady, onChange, onPasted }: RichTextProps) {
  const t = useTranslate();
  const editor = useEditor({
    extensions: [
      StarterKit.configure({
        heading: { levels: [2, 3] },
        link: { openOnClick: false, autolink: false, HTMLAttributes: { target: null, rel: null } },
      }),
      TableKit.configure({ table: { resizable: false } }),
    ],
    content: initial,
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
      transformPastedHTML(html) {
        const pasted = cleanPasted(html);
        if (pasted.looks + pasted.empty + pasted.comments > 0) onPasted(pasted);
        return pasted.html;
      },
    },
    onCreate: ({ editor: created }) => onReady(created.getHTML()),
    onUpdate: ({ editor: changed }) => onChange(changed.getHTML()),
  });
  return (
    <>
      {!readOnly && <Tools editor={editor} label={t("{name}的格式", { name: label })} />}
      <EditorContent editor={editor} />
    </>
  );
}
