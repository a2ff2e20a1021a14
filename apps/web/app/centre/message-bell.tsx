import { Link } from "react-router";
import { screens } from "../screens.ts";
import { Icon } from "../shared/icons/icon.tsx";
import { useTranslate } from "../shared/language/use-language.ts";
import { nodeOfScreen } from "../shared/session/access.ts";
import { useAccess } from "../shared/session/access-context.ts";
import { useUnread } from "../shared/session/unread.ts";

const mostShown = 99;

/** The way to the messages, with how many are unread. */
export function MessageBell() {
  const t = useTranslate();
  const { menu } = useAccess();
  const unread = useUnread();
  const screen = screens.find(({ menuCode }) => menuCode === "self_news");
  if (!screen || !nodeOfScreen(menu, screen)) return null;
  const shown = unread > mostShown ? `${mostShown}+` : String(unread);
  return (
    <Link
      className="icon-button bell"
      to={screen.path}
      // A name holds the text that is seen: who says "99+" to a computer finds the button.
      aria-label={unread > 0 ? t("消息，{count} 条未读", { count: shown }) : t("消息")}
    >
      <Icon name="bell" />
      {unread > 0 && (
        <span className="count-badge num" aria-hidden="true">
          {shown}
        </span>
      )}
    </Link>
  );
}
