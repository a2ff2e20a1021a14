import optimizeLocales from "@react-aria/optimize-locales-plugin";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { contractOutlinePlugin } from "./build-plugins/contract-outline.ts";

const sharedByMost =
  /[\\/]app[\\/](shared[\\/](?!address|audit|articles|offline|sheets|forms|captcha|drawings|chart|lists|users|kit|resource|query|roles|imports|real-name|prices|work-orders|contracts|difference|cancellation|process|trade|api[\\/](live-stream|sse-parser|upload-file|download-file)|mall[\\/](mall|use-mall)|session[\\/](menu|unread|use-unsaved|use-confirmed|log-out|kept-pages|access-context|job-begun)|states[\\/](confirm|age|section-wait|screen-wait|waiting)|preferences[\\/]account-appearance|language[\\/](use-names|use-join))|screens\.ts)|herdwise-contract\/(index|identity|accounts|envelope|languages|settings|mall|access)|[\\/]packages[\\/]contract[\\/]src[\\/](account-rules|plain-text)\.ts/;
/** What only screens behind the log-in use, so that the log-in page need not load it. */
const ofCentrePages =
  /[\\/]app[\\/]shared[\\/](address|api[\\/](live-stream|sse-parser|upload-file|download-file)|mall[\\/](mall|use-mall)|session[\\/](menu|unread|use-unsaved|log-out|kept-pages|access-context|job-begun)|states[\\/](confirm|age|section-wait|waiting)|lists[\\/](use-last|crumbs)|resource[\\/]count-text|preferences[\\/]account-appearance|language[\\/](use-names|use-join))|herdwise-contract\/messages/;
/** What the first screen and the overviews draw values with; what else pages of devices share brings parts that those need not wait for. */
const ofOverviews =
  /[\\/]app[\\/]centre[\\/](kind[\\/](judge|kind-view|kind-page|load-kind|use-live-readings|use-overview|overview-summary|first-values|connection|state-mark|verdict-mark|words|board|unit-tile|figure-limit|change-key|kind\.css)|environment[\\/](climate|climate-summary|view)\.|devices[\\/]device-(status|words)\.)|[\\/]packages[\\/]device-kinds[\\/]src[\\/](verdict|changed-rules|climate|conditions|units|own-rules|declare|shared-parts|gears|generated[\\/]kind-loader)\.ts/;
/** What pages of devices share: one file instead of a dozen of a kilobyte each. */
const ofDevicePages =
  /[\\/]app[\\/]centre[\\/](kind|environment|devices)[\\/](?!.*\.route\.tsx)|[\\/]packages[\\/]device-kinds[\\/]src[\\/](?!kinds|guides|generated[\\/](device-kinds|kind-loader))/;
/** Buttons and boxes of most screens, which would else go with the pages of devices, as these use them, too. */
const ofControls = /[\\/]app[\\/]shared[\\/]kit[\\/](button|check-box)\./;
/** What the first screen shares with parts of it that come later. */
const ofConsole = /[\\/]app[\\/]centre[\\/]home[\\/](cards|waiting-card|arrangement|arrange\.module)/;
/** Calls of screens behind the log-in, and what keeps their answers. */
const ofCentreCalls =
  /herdwise-contract\/(?!resource|archives|trade)|[\\/]node_modules[\\/]@tanstack[\\/](react-)?query|[\\/]app[\\/]shared[\\/]query[\\/]use-preference/;
const ofAccountPages =
  /[\\/]app[\\/](account[\\/](?!.*\.route\.tsx|phone-step|done|log-in-steps|sms-form|qr-panel|use-qr|renew-password|tenant-list)|shared[\\/](forms[\\/](?!date-fields|sms-code|new-password|form-dialog|submit-form|own-password)|captcha[\\/](?!captcha-dialog)))/;

export default defineConfig({
  // React Aria brings its words in 30 languages; the app has two.
  plugins: [contractOutlinePlugin(), optimizeLocales.vite({ locales: ["zh-CN", "en-US"] }), reactRouter()],
  // The site's script is bundled like a worker: by itself, under an address of its own.
  worker: { format: "es", plugins: () => [contractOutlinePlugin()] },
  build: { target: "es2022", cssTarget: ["chrome123", "safari17.5", "firefox120"], assetsInlineLimit: 0 },
  // In one file of the server's build: as a thousand files of their own they took a quarter of a server's start.
  ssr: {
    noExternal: [
      /^react-aria/,
      /^react-stately/,
      /^@react-(aria|stately|types)\//,
      /^@internationalized\//,
      /^@tanstack\//,
    ],
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // The log-in page carries the names of all files; names of their sources would say nothing to a browser.
            entryFileNames: "assets/[hash].js",
            chunkFileNames: "assets/[hash].js",
            assetFileNames: "assets/[hash][extname]",
            // A phone fetches six files at a time and pays a round trip for each next one: a few chunks that go together.
            codeSplitting: {
              groups: [
                {
                  name: "framework",
                  // With what loads parts of pages: it would else go with the pages that happen to come first.
                  test: /[\\/]node_modules[\\/](react|react-dom|react-router|scheduler|cookie)[\\/]|vite[\\/]preload-helper/,
                },
                // What most screens use; the rest of app/shared stays with the few that do.
                { name: "shared", test: sharedByMost, minShareCount: 2 },
                { name: "account", test: ofAccountPages },
                { name: "centre", test: ofCentrePages, minShareCount: 2 },
                { name: "calls", test: ofCentreCalls, minShareCount: 4 },
                { name: "console", test: ofConsole },
                { name: "overviews", test: ofOverviews },
                { name: "controls", test: ofControls, minShareCount: 4 },
                { name: "devices", test: ofDevicePages, minShareCount: 4 },
              ],
            },
          },
        },
      },
    },
  },
});
