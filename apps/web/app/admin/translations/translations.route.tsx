import type { Translation } from "@herdwise/contract";
import { translationList } from "@herdwise/contract/lists";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Mark } from "../../shared/icons/mark.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import type { Cells } from "../../shared/resource/cells.ts";
import { ListScreen } from "../../shared/resource/list-screen.tsx";
import { keysOf } from "../../shared/resource/resource-api.ts";
import { useList } from "../../shared/resource/use-list.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { CorrectionForm } from "./correction-form.tsx";
import styles from "./translations.module.css";

const empty: Translation = {
  source: "",
  language: "en",
  translation: "",
  machine: false,
  provider: "",
  updateTime: "",
};

/** Texts stand as they are: neither is translated for the reader. */
const cells: Cells = {
  source: ({ row, value }) => (
    <span className={styles.text} lang={row.language === "en" ? "zh-CN" : "en"}>
      {String(value)}
    </span>
  ),
  translation: ({ row, value }) => (
    <span className={styles.text} lang={row.language === "en" ? "en" : "zh-CN"} title={String(value)}>
      {String(value)}
    </span>
  ),
  machine: function Machine({ value }) {
    const t = useTranslate();
    const mark = value === true ? "minor" : "ok";
    return (
      <span className={`state ${mark}`}>
        <Mark name={mark} />
        {value === true ? t("机器翻译") : t("人工校对")}
      </span>
    );
  },
};

/** Texts that come as data, as they were translated; an editor's words go before those of a machine. */
export default function Translations() {
  const t = useTranslate();
  const client = useQueryClient();
  const mayEdit = useAccess().permissions.has("translation_edit");
  const [edited, setEdited] = useState<Translation>();
  return (
    <>
      <ListScreen
        list={useList(translationList)}
        cells={cells}
        onOpen={mayEdit ? (row) => setEdited(row as unknown as Translation) : undefined}
        nothing="页面用英文打开时，场区、设备等名称会翻译并保存在这里。"
        main={mayEdit && { icon: "plus", name: t("新增译文"), onAction: () => setEdited(empty) }}
      />
      {edited && (
        <CorrectionForm
          row={edited}
          onDone={() => {
            setEdited(undefined);
            void client.invalidateQueries({ queryKey: keysOf(translationList) });
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}
