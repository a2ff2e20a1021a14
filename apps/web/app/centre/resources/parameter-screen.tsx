import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { useNavigate } from "react-router";
import { useTranslate } from "../../shared/language/use-language.ts";
import { ResourceScreen } from "../../shared/resource/resource-screen.tsx";

/** Parameters, with where they are set more comfortably. */
export function ParameterScreen({ of }: { of: ResourceDeclaration }) {
  const t = useTranslate();
  const navigate = useNavigate();
  return (
    <ResourceScreen
      of={of}
      actionsOnAll={[
        {
          id: "settings",
          icon: "sliders",
          name: t("在平台设置里改"),
          onAction: () => void navigate("/system/setting"),
        },
      ]}
    />
  );
}
