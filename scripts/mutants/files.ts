import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const folder = "apps/server/src/modules/files";
const api: Tests = { files: ["tests/api/files.test.ts"] };
const uploads: Tests = { files: ["tests/threats/uploads.test.ts"], names: "T29|T30" };

const films: Tests = { files: [`${folder}/video.test.ts`] };

export const fileMutants: Mutant[] = [
  ...faultsIn(`${folder}/video.ts`, films, [
    [
      "films: the place is kept",
      "if (metadata.has(box.type)) empty(bytes, box);",
      "if (metadata.has(box.type)) continue;",
    ],
    ["films: tracks of places are kept", "else empty(bytes, box);", "else films += 0;"],
    ["films: pages are taken", "|| !topBoxes.has(type)) throw", ") throw"],
    ["films: any brand is taken", '!brands.test(brand.toString("latin1")) ||', ""],
  ]),
  ...faultsIn(`${folder}/file.service.ts`, api, [
    [
      "files: whoever is signed in opens them",
      "const owns = session?.accountId === row.accountId && session.tenantId === row.tenantId;",
      "const owns = session !== undefined;",
    ],
    ["files: private ones are everybody's", 'row.visibility === "shared" ||', "row.visibility !== undefined ||"],
    [
      "files: a ticket opens more than once",
      "const held = await store.take(ticketKey(ticket));",
      "const held = await store.get(ticketKey(ticket));",
    ],
    ["files: a ticket opens another file", "if (bound !== name || given.length", "if (given.length"],
    [
      "files: a ticket opens in any browser",
      "|| given.length !== expected.length || !timingSafeEqual(given, expected)) return false;",
      "|| expected.length === given.length + 999) return false;",
    ],
    [
      "files: a ticket outlives its session",
      "return (await dependencies.activeSessions([sessionId])).length > 0;",
      "return true;",
    ],
    [
      "files: a ticket is good for an hour",
      "JSON.stringify({ name: row.name, sessionId }), ticketLifetimeS);",
      "JSON.stringify({ name: row.name, sessionId }), 3600);",
    ],
    ["files: empty ones are kept", 'if (bytes === 0) throw refuse("upload.empty");\n', ""],
    [
      "files: what was received stays where it was received",
      "await rm(path, { force: true });\n    }\n  };",
      "}\n  };",
    ],
    [
      "files: a sender's path is a part of the name",
      'name.normalize("NFC").split(/[\\\\/]/).at(-1) ?? ""',
      'name.normalize("NFC")',
    ],
    ["files: any ending will do", 'throw refuse("upload.type");', 'return { kind: "sheet", extension: "xlsx" };'],
    [
      "files: one person may upload any number in a day",
      "if (!(await spend(store, `uploads:${owner.accountId}`, [{ max: uploadsPerDay, windowS: 86_400 }]))) {",
      "if (uploadsPerDay < 0) {",
    ],
    ["files: removed ones stay on the disk", "await disk.remove(name);\n      if", "if"],
    [
      "files: what the server made is everybody's",
      'await keep(owner, { ...file, visibility: "private" })',
      'await keep(owner, { ...file, visibility: "shared" })',
      { files: ["tests/resources/imports.test.ts"], names: "an export" },
    ],
  ]),
  {
    name: "files: any number of bytes is taken",
    edits: [
      { file: `${folder}/file.service.ts`, find: "if (bytes > maxBytes) done(", replace: "if (bytes < 0) done(" },
      { file: `${folder}/file.service.ts`, find: "if (file.truncated()) throw", replace: "if (bytes < 0) throw" },
    ],
    tests: api,
  },
  ...faultsIn(`${folder}/file.service.ts`, uploads, [
    ["files: any bytes are a sheet", "const form = await sheetFormOf(path);", 'const form: string = "text";'],
  ]),
  ...faultsIn(`${folder}/file.repository.ts`, api, [
    [
      "files: others' are found",
      'const rows = kept().where(ofMember(owner, "attachments"));\n      return ("id" in which',
      'const rows = kept();\n      return ("id" in which',
    ],
    ["files: others' are listed", 'let rows = kept().where(ofMember(owner, "attachments"));', "let rows = kept();"],
    [
      "files: others' are removed",
      '.where(ofMember(owner, "attachments"))\n        .where("state", "=", "kept");',
      '.where("state", "=", "kept");',
    ],
    ["files: those that expired stay", 'eb("expiresAt", "<", sql<Date>`now()`),', ""],
    [
      "files: those that are just being stored are swept",
      'eb("createdAt", "<", sql<Date>`now() - ${pendingForS} * interval \'1 s\'`),',
      "",
    ],
    ["files: pending ones are found", '.where("state", "=", "kept")\n      .select([', ".select(["],
  ]),
  ...faultsIn(`${folder}/file.routes.ts`, api, [
    [
      "files: sheets are shown instead of saved",
      'file.isPicture ? "inline" : dispositionOf(file.originalName)',
      '"inline"',
    ],
    [
      "files: they run what is in them",
      "\"default-src 'none'; sandbox; frame-ancestors 'none'\"",
      "\"default-src 'self'\"",
    ],
    [
      "files: private ones stay in caches",
      'file.visibility === "shared" ? `private, max-age=${dayS}` : "private, no-store"',
      "`private, max-age=${dayS}`",
    ],
  ]),
  ...faultsIn(`${folder}/picture-process.ts`, uploads, [
    [
      "files: pictures of any number of pixels are decoded",
      "if (width * height > maxBmpPixels) throw tooManyPixels();\n",
      "",
      api,
    ],
    ["files: other kinds of pictures are taken", '!["jpg", "png", "bmp"].includes(type.ext)', 'type.ext === "exe"'],
    ["files: half a picture is taken", 'failOn: "error",', 'failOn: "none",'],
  ]),
  ...faultsIn(`${folder}/picture-process.ts`, api, [
    [
      "files: pictures lie as the camera was held",
      ".timeout({ seconds: decodeLimitS }).autoOrient()",
      ".timeout({ seconds: decodeLimitS })",
    ],
    ["files: small versions are large", "width: smallPicturePx,", "width: smallPicturePx * 2,"],
  ]),
];
