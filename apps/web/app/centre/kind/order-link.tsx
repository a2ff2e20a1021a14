import { Link } from "react-router";
import { Icon } from "../../shared/icons/icon.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { typePaths } from "../../shared/work-orders/words.ts";

/** The way from a device to an order about it, which takes its last 24 hours along. */
export function OrderLink({ deviceId }: { deviceId: string }) {
  const t = useTranslate();
  const { permissions, user } = useAccess();
  if (user.tenant_type === "group" || !permissions.has("work_order_submit")) return null;
  return (
    <Link className="btn" to={`${typePaths.after_sales.add}?device=${deviceId}`}>
      <Icon name="wrench" small />
      {t("提交工单")}
    </Link>
  );
}
