import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { Link, useNavigate } from "react-router";
import { useTranslate } from "../language/use-language.ts";
import type { Row } from "../resource/form-values.ts";
import { ResourceScreen } from "../resource/resource-screen.tsx";

const editorPath = (id: string): string => `/customer/contractTemplate/editor?id=${id}`;

/** The way from a row's drawer to its words. */
function ToEditor({ row }: { row: Row }) {
  const t = useTranslate();
  return (
    <p>
      <Link className="btn" to={editorPath(row.id)}>
        {t("编辑正文")}
      </Link>
    </p>
  );
}

/** The list of contract templates, with the way from each to its words; those of a new one are written at once. */
export function ContractTemplateScreen({ of }: { of: ResourceDeclaration }) {
  const t = useTranslate();
  const navigate = useNavigate();
  return (
    <ResourceScreen
      of={of}
      detail={ToEditor}
      onAdded={({ id }) => void navigate(editorPath(id))}
      actions={({ id }) => [
        { id: "write", icon: "edit", name: t("编辑正文"), onAction: () => void navigate(editorPath(id)) },
      ]}
    />
  );
}
