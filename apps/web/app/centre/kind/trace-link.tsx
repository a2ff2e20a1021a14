import { Link } from "react-router";
import { Icon } from "../../shared/icons/icon.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useAccess } from "../../shared/session/access-context.ts";

/** The way from a unit to who and what met it, for those who may look. */
export function TraceLink({ unitId }: { unitId: string }) {
  const t = useTranslate();
  const { permissions } = useAccess();
  if (!permissions.has("trace_view")) return null;
  return (
    <Link className="btn" to={`/selfCenter/biosafety/trace?unit=${unitId}`}>
      <Icon name="map" small />
      {t("接触追溯")}
    </Link>
  );
}
