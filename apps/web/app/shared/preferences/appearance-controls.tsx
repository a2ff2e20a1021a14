import { useSyncExternalStore } from "react";
import { Icon } from "../icons/icon.tsx";
import { useTranslate } from "../language/use-language.ts";
import { usePreferences } from "./preferences.tsx";

const never = (): (() => void) => () => undefined;

/** False on the server and during hydration: controls that need scripts stay invisible without them. */
const useHasScripts = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

/** Switches between light and dark. Shows the sun or the moon by CSS, because the server can't know the system's theme. */
export function ThemeButton() {
  const t = useTranslate();
  const { setTheme } = usePreferences();
  const works = useHasScripts();
  return (
    <button
      type="button"
      className={works ? "icon-button theme" : "icon-button theme await-scripts"}
      aria-label={t("切换深浅主题")}
      title={t("切换深浅主题")}
      onClick={() => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark")}
    >
      <span className="sun">
        <Icon name="sun" />
      </span>
      <span className="moon">
        <Icon name="moon" />
      </span>
    </button>
  );
}
