import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { useNavigate } from "react-router";
import { useTranslate } from "../language/use-language.ts";
import { ResourceScreen } from "../resource/resource-screen.tsx";

/** The list of packages, with the way from each to its menus and to the tenants that have it. */
export function PackageScreen({ of }: { of: ResourceDeclaration }) {
  const t = useTranslate();
  const navigate = useNavigate();
  return (
    <ResourceScreen
      of={of}
      actions={({ id }) => [
        {
          id: "menus",
          icon: "key",
          name: t("套餐内容"),
          onAction: () => void navigate(`/system/tenantpackage/menus?id=${id}`),
        },
        {
          id: "tenants",
          icon: "people",
          name: t("用这个套餐的租户"),
          onAction: () => void navigate(`/system/tenant?f.packageId=${id}`),
        },
      ]}
    />
  );
}
