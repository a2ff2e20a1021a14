import { Link } from "react-router";
import { screenAt } from "../../screens.ts";
import { useTranslate } from "../language/use-language.ts";
import { nodeOfScreen } from "../session/access.ts";
import { useAccess } from "../session/access-context.ts";

/** The way out of a refusal because nobody knows yet who the customer is; owners alone can go it. */
export function ToRealName() {
  const t = useTranslate();
  const { menu } = useAccess();
  const screen = screenAt("/selfCenter/realName");
  const node = screen && nodeOfScreen(menu, screen);
  return node ? (
    <Link className="link" to="/selfCenter/realName">
      {t("去实名认证")}
    </Link>
  ) : (
    <span>{t("请企业主先在“自助中心 / 实名认证”完成认证。")}</span>
  );
}
