import { type ReactNode, useEffect } from "react";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useMatches,
  useRouteError,
} from "react-router";
import "./shared/design/tokens.css";
import "./shared/design/kit.css";
import { firstFiguresScript } from "./centre/kind/first-figures-script.ts";
import { firstValuesScript } from "./centre/kind/first-values-script.ts";
import { dictionaryPartOf, screenAt } from "./screens.ts";
import { dictionaryPath } from "./shared/language/dictionary.ts";
import { useLanguage } from "./shared/language/use-language.ts";
import { brandColours } from "./shared/preferences/brand-colours.ts";
import { usePreferences } from "./shared/preferences/preferences.tsx";
import { themeScript } from "./shared/preferences/theme-script.ts";
import { askAheadScript } from "./shared/session/ask-ahead-script.ts";
import { ConfirmationHost } from "./shared/session/confirmation-host.tsx";
import { beginVisit, watchVisits } from "./shared/session/visits.ts";
import { ExceptionView } from "./shared/states/exception-view.tsx";
import { ToastHost } from "./shared/states/toast-host.tsx";

/** Whether a route says that its pages are complete as the server sends them: then no framework is loaded. */
const isPlain = (handle: unknown): boolean => typeof handle === "object" && handle !== null && "plain" in handle;

/** Of the page by day and by night, for the browser's own bar; as `--page` in tokens.css. */
const pageColours = { light: "#f5f3ee", dark: "#0b1411" } as const;

/** What browsers and phones show of the portal outside of its pages. */
function BrowserMarks() {
  const { language, theme, brand } = usePreferences();
  return (
    <>
      {brand.logos.icon === "" ? (
        <>
          <link rel="icon" href="/favicon.ico" sizes="32x32" />
          <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        </>
      ) : (
        <link rel="icon" href={brand.logos.icon} type="image/png" />
      )}
      <link rel="apple-touch-icon" href={brand.logos.icon || "/apple-touch-icon.png"} />
      <link rel="manifest" href={language === "en" ? "/manifest-en.webmanifest" : "/manifest.webmanifest"} />
      {theme !== "dark" && (
        <meta
          name="theme-color"
          content={pageColours.light}
          media={theme === "system" ? "(prefers-color-scheme: light)" : undefined}
        />
      )}
      {theme !== "light" && (
        <meta
          name="theme-color"
          content={pageColours.dark}
          media={theme === "system" ? "(prefers-color-scheme: dark)" : undefined}
        />
      )}
    </>
  );
}

/** The document around every page; language, theme, accent and density come from the request's cookies. */
export function Layout({ children }: { children: ReactNode }) {
  const { language, theme, accent, density, side, appName, brand, nonce } = usePreferences();
  const { pathname } = useLocation();
  const part = dictionaryPartOf(pathname);
  const plain = useMatches().some(({ handle }) => isPlain(handle));
  return (
    <html
      lang={language === "zh" ? "zh-CN" : "en"}
      data-theme={theme === "system" ? undefined : theme}
      data-accent={accent}
      data-density={density}
      data-side={side}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover" />
        {/* Where the browser's side learns it. */}
        <meta name="application-name" content={appName} />
        <meta name="brand" content={JSON.stringify(brand)} />
        {/* Once, by the server: the browser's side need not know how colours are mixed. */}
        <style
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? brandColours(brand) : "" }}
        />
        {/* Nothing of it changes in the browser, which leaves alone what it finds here. */}
        {import.meta.env.SSR && <BrowserMarks />}
        {/* Decides the system theme before the first paint; without JavaScript the color-scheme of tokens.css does. */}
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: themeScript }} />
        {(part === "whole" || part === "overviews") && (
          <script
            nonce={nonce}
            suppressHydrationWarning
            dangerouslySetInnerHTML={{
              __html: import.meta.env.SSR
                ? `${askAheadScript(pathname)};${firstValuesScript(pathname)}${firstFiguresScript(pathname)}`
                : "",
            }}
          />
        )}
        {!plain && language === "en" && (
          <link
            rel="preload"
            href={dictionaryPath("en", part)}
            as="fetch"
            crossOrigin="anonymous"
            fetchPriority="low"
          />
        )}
        <Meta />
        <Links nonce={nonce} />
      </head>
      <body>
        {children}
        {!plain && (
          <>
            <ToastHost />
            <ConfirmationHost />
            <ScrollRestoration nonce={nonce} />
            <Scripts nonce={nonce} />
          </>
        )}
      </body>
    </html>
  );
}

export default function Root() {
  const { pathname } = useLocation();
  const language = useLanguage();
  useEffect(watchVisits, []);
  useEffect(() => {
    beginVisit(screenAt(pathname)?.menuCode ?? pathname.slice(1), pathname, language);
  }, [pathname, language]);
  return <Outlet />;
}

/** Shows what a route threw. A Response keeps its status; anything else is a 500 of ours. */
export function ErrorBoundary() {
  const error = useRouteError();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  return (
    <main className="page-state">
      <ExceptionView type={status === 404 ? "404" : status === 403 ? "403" : "500"} homeLink wholePage />
    </main>
  );
}
