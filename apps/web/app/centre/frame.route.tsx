import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from "react";
import {
  Outlet,
  redirect,
  useLoaderData,
  useLocation,
  useMatches,
  useRevalidator,
  useSearchParams,
} from "react-router";
import { dictionaryPartOf, screenAt } from "../screens.ts";
import { ApiError } from "../shared/api/api-error.ts";
import { reach } from "../shared/api/reach.ts";
import { Brand } from "../shared/icons/brand.tsx";
import { isTyping } from "../shared/kit/is-typing.ts";
import { useTranslate } from "../shared/language/use-language.ts";
import { useAccountAppearance } from "../shared/preferences/account-appearance.ts";
import { usePreferences } from "../shared/preferences/preferences.tsx";
import { createQueryClient } from "../shared/query/query-client.ts";
import { forgetAccess, loadAccess } from "../shared/session/access.ts";
import { onAccessChange } from "../shared/session/access-changes.ts";
import { AccessContext } from "../shared/session/access-context.ts";
import { redirectQuery } from "../shared/session/redirect.ts";
import { keepSessionFresh } from "../shared/session/renew.ts";
import { readSession } from "../shared/session/storage.ts";
import { onLogInAgain } from "../shared/session/unsaved.ts";
import { ExceptionView } from "../shared/states/exception-view.tsx";
import { NeedsScripts } from "../shared/states/needs-scripts.tsx";
import { PageTitle } from "../shared/states/page-title.tsx";
import { Skeleton } from "../shared/states/skeleton.tsx";
import { showLogsInToasts } from "../shared/states/toast-store.ts";
import { fetchAhead } from "./fetch-ahead.ts";
import { LostConnection } from "./lost-connection.tsx";
import { PaletteOpener } from "./palette/opener.tsx";
import "./frame.css";
import "../shared/lists/lists.css";
import { groupsOf, standingOf } from "../shared/session/menu.ts";
import { Header } from "./header.tsx";
import { PreviewBanner } from "./preview-banner.tsx";
import { SideMenu, TabBar } from "./side-menu.tsx";

/** The route guard of product.md 2: no token leads to the log-in page, the first navigation loads who this is. */
export async function clientLoader({ request }: { request: Request }) {
  const { pathname, search } = new URL(request.url);
  const logIn = `/login?${new URLSearchParams({ redirect: redirectQuery(pathname, search) })}`;
  if (!readSession()) throw redirect(logIn);
  try {
    return await loadAccess();
  } catch (error) {
    // 412: a new password comes first. The log-in page asks for it, the server lets nobody past.
    if (error instanceof ApiError && error.code === 412) throw redirect(logIn);
    throw error;
  }
}
clientLoader.hydrate = true as const;

/** What a screen shows before its scripts are here, by its route's `handle`; without it a heading alone. */
interface ScreenHandle {
  /** Where the heading is not the screen's title. */
  heading?: ReactNode;
  waiting?: ReactNode;
}

/** The frame as the server draws it: who looks and what they may see is not known yet, which screen it is stands in the address. */
export function HydrateFallback() {
  const t = useTranslate();
  const title = screenAt(useLocation().pathname)?.title ?? "";
  const { heading, waiting } = (useMatches().at(-1)?.handle ?? {}) as ScreenHandle;
  return (
    <div className="app" aria-busy="true">
      <header className="top">
        <span className="brand">
          <Brand />
        </span>
      </header>
      <aside className="side" />
      <main className="main">
        {import.meta.env.SSR ? <NeedsScripts /> : <noscript />}
        <nav className="crumb" aria-hidden="true">
          <Skeleton width={8} />
        </nav>
        <div className="page-head">
          {/* Some titles name what the page will say only later. */}
          <h1>{heading ?? (title === "" || title.includes(":") ? <Skeleton width={8} /> : t(title))}</h1>
        </div>
        {waiting}
      </main>
    </div>
  );
}

/** Who this is could not be loaded: the session stays, the way on is to try again. */
export function ErrorBoundary() {
  const t = useTranslate();
  const { revalidate, state } = useRevalidator();
  const retry = useCallback(() => {
    forgetAccess();
    void revalidate();
  }, [revalidate]);
  useEffect(() => reach.subscribe(() => reach.lostAtMs() === undefined && retry()), [retry]);
  return (
    <main className="page-state">
      <PageTitle title={t("服务器出错了")} />
      <ExceptionView type="500" text={t("没有取到您的账户与菜单。登录仍然有效，请检查网络后重试。")}>
        <button type="button" className="btn primary" disabled={state === "loading"} onClick={retry}>
          {t("重试")}
        </button>
      </ExceptionView>
    </main>
  );
}

/** Another tab signed in as somebody else: this page shows that person's farms no longer. */
function useSameAccount(userId: string): void {
  useEffect(() => {
    const onStorage = (event: StorageEvent): void => {
      if (event.key === "user_info" && event.newValue && !event.newValue.includes(userId)) location.reload();
      if (event.key === "tenant_id" && event.newValue && event.oldValue && event.newValue !== event.oldValue)
        location.reload();
    };
    window.addEventListener("storage", onStorage);
    return () => window.removeEventListener("storage", onStorage);
  }, [userId]);
}

/** The page that was opened first brought no more than its own texts. @returns whether those of a screen are here */
function useTextsOf(pathname: string): boolean {
  const { dictionaryPart, loadWholeDictionary } = usePreferences();
  const whole = dictionaryPart === "whole";
  useEffect(() => {
    if (!whole) void loadWholeDictionary();
  }, [whole, loadWholeDictionary]);
  return whole || (dictionaryPart === "overviews" && dictionaryPartOf(pathname) === "overviews");
}

const NoAccess = lazy(async () => ({ default: (await import("./no-access.tsx")).NoAccess }));
const ShortcutsDialog = lazy(async () => ({ default: (await import("./shortcuts-dialog.tsx")).ShortcutsDialog }));
const LogInAgain = lazy(async () => ({ default: (await import("./log-in-again.tsx")).LogInAgain }));

function useShortcuts(onFind: () => void, onHelp: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const finds = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
      const helps = event.key === "?" && !isTyping(event.target);
      if (!finds && !helps) return;
      event.preventDefault();
      if (finds) onFind();
      else onHelp();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [onFind, onHelp]);
}

/** Header, menus and breadcrumb around the screens of the centre. */
export default function Frame() {
  const t = useTranslate();
  const access = useLoaderData<typeof clientLoader>();
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  const revalidation = useRevalidator();
  const { revalidate } = revalidation;
  const [finding, setFinding] = useState(false);
  const [ended, setEnded] = useState(false);
  const [queries] = useState(createQueryClient);
  const [openPalette] = useState(() => () => setFinding(true));
  const [helping, setHelping] = useState(false);
  const [openHelp] = useState(() => () => setHelping(true));
  const texts = useTextsOf(pathname);
  const screen = screenAt(pathname);
  const standing = standingOf(access.menu, screen);
  useSameAccount(access.user.user_id);
  useShortcuts(openPalette, openHelp);
  useAccountAppearance(access.user);
  useEffect(() => keepSessionFresh(), []);
  useEffect(() => showLogsInToasts(access.permissions.has("log_view")), [access]);
  useEffect(() => fetchAhead(), []);
  // Roles that changed meanwhile: menu, buttons and the screen itself follow without a reload.
  useEffect(
    () =>
      onAccessChange(() => {
        forgetAccess();
        void revalidate();
      }),
    [revalidate],
  );
  useEffect(() => onLogInAgain(() => setEnded(true)), []);
  const group = standing.group?.type;
  useEffect(() => {
    // The header group that the person works in; other clients of the family read it.
    if (group) localStorage.setItem("adminType", group);
  }, [group]);
  // The class belongs to the page that is left (product.md 2).
  useEffect(() => {
    document.body.className = "";
  }, [pathname]);

  if (!texts) return <HydrateFallback />;

  const title = t(screen?.title ?? "页面不存在");
  const noScreens = groupsOf(access.menu).length === 0;
  return (
    <QueryClientProvider client={queries}>
      <AccessContext value={access}>
        <PageTitle title={title} values={Object.fromEntries(search)} />
        <a className="skip" href="#main">
          {t("跳到正文")}
        </a>
        <div
          className={standing.node?.noMenu ? "app no-menu" : "app"}
          data-preview={access.user.preview !== undefined || undefined}
        >
          {access.user.preview && <PreviewBanner roleName={access.user.preview.roleName} />}
          <Header standing={standing} onFind={openPalette} />
          {!standing.node?.noMenu && <SideMenu standing={standing} />}
          <main className="main" id="main">
            <LostConnection />
            {screen === undefined || standing.node ? (
              <Outlet context={standing} />
            ) : (
              <Suspense>
                <PageTitle title={t("没有访问权限")} />
                <NoAccess
                  key={screen.menuCode}
                  screen={screen}
                  user={access.user}
                  noScreens={noScreens}
                  checking={revalidation.state === "loading"}
                  onCheck={() => {
                    forgetAccess();
                    void revalidation.revalidate();
                  }}
                />
              </Suspense>
            )}
          </main>
          <TabBar standing={standing} />
        </div>
        {finding && <PaletteOpener onClose={() => setFinding(false)} />}
        {helping && (
          <Suspense>
            <ShortcutsDialog onClose={() => setHelping(false)} />
          </Suspense>
        )}
        {ended && (
          <Suspense>
            <LogInAgain user={access.user} onDone={() => setEnded(false)} />
          </Suspense>
        )}
      </AccessContext>
    </QueryClientProvider>
  );
}
