import type { ArticleState } from "@herdwise/contract";
import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { Link, useNavigate } from "react-router";
import { Mark } from "../icons/mark.tsx";
import { useTranslate } from "../language/use-language.ts";
import type { Cells } from "../resource/cells.ts";
import type { Row } from "../resource/form-values.ts";
import { ResourceScreen } from "../resource/resource-screen.tsx";
import { articleStateMarks } from "./article-states.ts";

const editorPath = (id: string): string => `/content/article/editor?id=${id}`;

const cells: Cells = {
  state: function State({ value }) {
    const t = useTranslate();
    const state = articleStateMarks[value as ArticleState];
    if (!state) return null;
    return (
      <span className={`state ${state.tone}`}>
        <Mark name={state.mark} />
        {t(state.word)}
      </span>
    );
  },
};

/** The way from a row's drawer to its text. */
function ToEditor({ row }: { row: Row }) {
  const t = useTranslate();
  return (
    <p>
      <Link className="btn" to={editorPath(row.id)}>
        {t("编辑正文与发布")}
      </Link>
    </p>
  );
}

/** The list of articles, with the way from each to its text; a new one is written there at once. */
export function ArticleScreen({ of }: { of: ResourceDeclaration }) {
  const t = useTranslate();
  const navigate = useNavigate();
  return (
    <ResourceScreen
      of={of}
      cells={cells}
      detail={ToEditor}
      onAdded={({ id }) => void navigate(editorPath(id))}
      actions={({ id }) => [
        { id: "write", icon: "edit", name: t("编辑正文与发布"), onAction: () => void navigate(editorPath(id)) },
      ]}
    />
  );
}
