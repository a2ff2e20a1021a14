import { usePreferences } from "../preferences/preferences.tsx";
import { pageTitle } from "../session/title.ts";

/** The document's title: what the page is, then the app's name. `title` is in the chosen language. */
export function PageTitle({ title, values = {} }: { title: string; values?: Readonly<Record<string, string>> }) {
  const { appName } = usePreferences();
  return <title>{pageTitle(title, values, appName)}</title>;
}
