import { Type } from "typebox";
import { type Endpoint, permission } from "./endpoint.ts";
import { Empty } from "./scalars.ts";

/** Pages on which a logo is shown. */
export const logoThemes = ["light", "dark"] as const;
export type LogoTheme = (typeof logoThemes)[number];
export const logoMaxBytes = 2 * 1024 * 1024;
/** A logo is scaled down to fit, in pixels. */
export const logoSize = { width: 480, height: 96, icon: 96 } as const;
/** Least width and height of what is uploaded, in pixels. */
export const logoLeastPx = 32;

const common = {
  method: "POST",
  access: permission("setting_edit"),
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Type.Object({ theme: Type.Enum(logoThemes) }),
  body: Empty,
} as const;

export const logoUpload = {
  ...common,
  path: "/api/muyuan-system/logo/upload",
  summary:
    "Takes the brand's logo for light or dark pages: jpg, png or bmp up to 2 MB and at least 32 pixels high and wide. It is encoded anew and holds on every server at once.",
  upload: true,
  reply: Type.Object({
    src: Type.String({ description: "path of the image" }),
    width: Type.Integer(),
    height: Type.Integer(),
  }),
} satisfies Endpoint;

export const logoRemove = {
  ...common,
  path: "/api/muyuan-system/logo/remove",
  summary:
    "Removes the brand's logo for light or dark pages: the other one, or the portal's own mark, is shown instead.",
  reply: Empty,
} satisfies Endpoint;
