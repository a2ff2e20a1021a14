import { traceContacts } from "@herdwise/contract";
import { Link } from "react-router";
import { Icon } from "../../shared/icons/icon.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useAccess } from "../../shared/session/access-context.ts";

/** The way from a unit to who and what met it, for those who may look. */
export function TraceLink({ unitId }: { unitId: string }) {
  const t = useTranslate();
  const { permissions } = useAccess();
  const { access } = traceContacts;
  if (access.level !== "permission" || !permissions.has(access.code)) return null;
  return (
    <Link className="btn" to={`/selfCenter/biosafety/trace?unit=${unitId}`}>
      <Icon name="map" small />
      {t("接触追溯")}
    </Link>
  );
}
