import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { useNavigate } from "react-router";
import { useTranslate } from "../language/use-language.ts";
import { ResourceScreen } from "../resource/resource-screen.tsx";

/** The list of roles, with the way from each to what it grants. */
export function RoleScreen({ of }: { of: ResourceDeclaration }) {
  const t = useTranslate();
  const navigate = useNavigate();
  return (
    <ResourceScreen
      of={of}
      actions={({ id }) => [
        {
          id: "grants",
          icon: "key",
          name: t("角色授权"),
          onAction: () => void navigate(`${location.pathname.replace(/\/+$/, "")}/grants?id=${id}`),
        },
      ]}
    />
  );
}
