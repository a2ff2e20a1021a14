import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { useNavigate } from "react-router";
import { useTranslate } from "../../shared/language/use-language.ts";
import type { Cells } from "../../shared/resource/cells.ts";
import { ResourceScreen } from "../../shared/resource/resource-screen.tsx";

/** What a number counts, by the end of its parameter's key; keys of the translations. */
const units = [
  [/Days$/, "天"],
  [/Minutes$/, "分钟"],
  [/Count$/, "次"],
] as const;

const cells: Cells = {
  paramValue: function Value({ row, value }) {
    const t = useTranslate();
    const text = String(value);
    const unit = units.find(([end]) => end.test(String(row.paramKey)))?.[1];
    return (
      <span className="num">
        {text}
        {unit !== undefined && <span className="mut"> {t(unit, { count: text })}</span>}
      </span>
    );
  },
};

/** Parameters, with where they are set more comfortably. */
export function ParameterScreen({ of }: { of: ResourceDeclaration }) {
  const t = useTranslate();
  const navigate = useNavigate();
  return (
    <ResourceScreen
      of={of}
      cells={cells}
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
