import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { Link, useNavigate } from "react-router";
import { useTranslate } from "../language/use-language.ts";
import type { Cells } from "../resource/cells.ts";
import type { Row } from "../resource/form-values.ts";
import { ResourceScreen } from "../resource/resource-screen.tsx";
import { stateCell } from "../resource/state-cell.tsx";
import { articleStateMarks } from "./article-states.ts";

const editorPath = (id: string): string => `/content/article/editor?id=${id}`;

const cells: Cells = { state: stateCell(articleStateMarks) };

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
