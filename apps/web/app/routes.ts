import { index, layout, type RouteConfig, route } from "@react-router/dev/routes";
import { fileOf } from "./screen-files.ts";
import { importPaths, screens } from "./screens.ts";

/** Fixed pages, then one route per registered screen. Which screens a person sees is the server's menu to say. */
export default [
  index("site/root-redirect.route.tsx"),
  layout("site/frame.route.tsx", [
    route("index", "site/home.route.tsx"),
    // One file for what comes from content: its loader tells the pages apart by their paths.
    ...[
      "information",
      "informationDetails",
      "news",
      "news/detail",
      "partner",
      "solution/:page",
      "legal/:page",
      "service/productService",
      "service/productServiceList",
      "service/productApply",
      "service/productInfo",
      "service/fileShow",
      "service/videos",
      "service/videoShow",
      "productFileShow",
      "service/notice",
      "service/noticeDetails",
      "service/workOrder",
      "service/feedback",
      "service/feedbackDetails",
      "search",
      "preview",
    ].map((path) => route(path, "site/content.route.tsx", { id: `site ${path}` })),
    route("market", "site/market.route.tsx"),
    route("service/network", "site/network.route.tsx"),
    route("contract/verify", "site/verify.route.tsx"),
    route("passport/:code", "site/passport.route.tsx"),
    route("404", "site/not-found.route.tsx", { id: "not-found" }),
    route("*", "site/not-found.route.tsx", { id: "unmatched" }),
  ]),
  route("passport/:code/signed.json", "site/passport-file.route.tsx"),
  route("login", "account/login.route.tsx"),
  route("register", "account/register.route.tsx"),
  route("findPass", "account/find-pass.route.tsx"),
  route("findAcc", "account/find-account.route.tsx"),
  route("phoneBack", "account/phone-back.route.tsx"),
  route("scan", "account/scan.route.tsx"),
  route("authorize", "account/authorize.route.tsx"),
  route("barn", "centre/barn/barn.route.tsx"),
  route("driver", "driver/driver.route.tsx"),
  route("endSession", "account/end-session.route.tsx"),
  // layoutNew: pathless, its children carry full paths (product.md 2).
  layout("centre/frame.route.tsx", { id: "layoutNew" }, [
    ...screens.map((screen) => route(screen.path, fileOf(screen), { id: screen.menuCode })),
    route("selfCenter/404", "centre/not-found.route.tsx", { id: "not-found-inside" }),
    ...importPaths.map((path) =>
      route(
        path,
        /^\/(system\/user|selfCenter\/members)\//.test(path)
          ? "centre/members/user-import.route.tsx"
          : "centre/resources/import.route.tsx",
        { id: `import ${path}` },
      ),
    ),
  ]),
] satisfies RouteConfig;
