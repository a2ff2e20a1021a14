import { Link } from "react-router";
import { Icon } from "../../shared/icons/icon.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useKind } from "./kind-view.ts";

/** The way to the comparison of a device's values with those of others. */
export function CompareLink({ deviceId }: { deviceId: string }) {
  const t = useTranslate();
  const { kind } = useKind();
  return (
    <Link className="btn" to={`/selfCenter/vet/dataAnalysis?kind=${kind.kind}&of=${deviceId}`}>
      <Icon name="chart" small />
      {t("对比")}
    </Link>
  );
}
