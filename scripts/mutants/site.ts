import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const forms = "apps/server/src/modules/site-forms";
const documents = "apps/server/src/modules/product-documents";
/** Without those of its pages, which need the web app as it is built. */
const ofForms: Tests = { files: ["tests/api/site-forms.test.ts"], names: "^(what a visitor sends|the desk)" };
const ofDocuments: Tests = { files: ["tests/api/product-documents.test.ts"] };

const content = "apps/server/src/modules/content";
const ofContent: Tests = { files: ["tests/api/content.test.ts"] };

/** What follows a machine's words until a person has read them. */
const ofTranslations: Tests = { files: ["tests/api/content.test.ts"], names: "machine's translation" };
/** Without those of its page, which need the web app as it is built. */
const ofHomeTranslations: Tests = { files: ["tests/api/home-page.test.ts"], names: "translation of the home page" };
const ofMarks: Tests = { files: ["apps/web/app/site/machine-words.test.ts"] };
const videos = "apps/server/src/modules/videos";
/** Without those of its pages, which need the web app as it is built. */
const ofVideos: Tests = { files: ["tests/api/videos.test.ts"], names: "^(a video|T29)" };
const ofWebm: Tests = { files: ["apps/server/src/modules/files/webm.test.ts"] };
const ofKeptPages: Tests = { files: ["apps/server/src/http/kept-pages.test.ts"] };
const trigger = "apps/server/src/database/migrations/0196_unreviewed_translations.sql";

export const siteMutants: Mutant[] = [
  ...faultsIn("apps/server/src/http/kept-pages.ts", ofKeptPages, [
    ["kept pages: scripts that are not ours may run, too", '<script[^>]* nonce="${mark}"[^>]*>', "<script[^>]*>"],
    ["kept pages: one that failed is kept", "if (status !== 200) forget();", "void status;"],
    [
      "kept pages: a page is shown after its time",
      "if (found !== undefined && found.until > now()) return found.page;",
      "if (found !== undefined) return found.page;",
    ],
    ["kept pages: a reader who refuses brotli gets it", " && !/q=0(\\.0*)?$/.test(offer)", ""],
    ["kept pages: a page is packed for each reader", "  packed.set(encoding, made);\n", ""],
  ]),
  ...faultsIn(`${content}/article.repository.ts`, ofTranslations, [
    [
      "translations: a proposal replaces words that came past the editor",
      "where id = ${id} and (${column} = '' or ${field} = any(unreviewed))`.execute(db);",
      "where id = ${id}`.execute(db);",
    ],
    [
      "translations: a proposal that nobody has read is not proposed anew",
      "(${column} = '' or ${field} = any(unreviewed))",
      "${column} = ''",
    ],
    [
      "translations: a proposal carries no mark",
      "set unreviewed = array_append(array_remove(unreviewed, ${field}), ${field}) where",
      "set unreviewed = array_remove(unreviewed, ${field}) where",
    ],
  ]),
  ...faultsIn(`${content}/article.service.ts`, ofTranslations, [
    [
      "translations: a machine is paid for words that may not be written",
      'if (row[field] !== "" && !row.unreviewed.includes(field))',
      'if (row.id === "")',
    ],
    [
      "translations: the site map and the feeds name what nobody has read",
      '(english ? (["zh", "en"] as const) : (["zh"] as const)).filter((language) => !isUnreviewed(row, language));',
      '(english ? (["zh", "en"] as const) : (["zh"] as const)).filter(() => row.unreviewed !== undefined);',
    ],
    [
      "translations: a page does not know that nobody has read it",
      '...(isUnreviewed(row, wanted === "en" && english ? "en" : "zh") && { unreviewed: true }),',
      "",
    ],
    [
      "translations: a restored version forgets whose words it has",
      "await to.articles.setUnreviewed(id, old.unreviewed, scope.accountId);",
      "await to.articles.setUnreviewed(id, [], scope.accountId);",
    ],
  ]),
  ...faultsIn("apps/server/src/modules/languages/text-translation.ts", ofTranslations, [
    [
      "translations: half a translation is kept",
      'if (untranslated || answered.length !== group.length) throw refuse("translation.none", { field });',
      "void untranslated;",
    ],
  ]),
  ...faultsIn("apps/server/src/modules/home-page/home-page.service.ts", ofHomeTranslations, [
    [
      "home page: a proposal replaces a person's words",
      'if (stored[language] !== "" && stored.unreviewed !== language)',
      'if (stored.name === "")',
    ],
    [
      "home page: a machine is paid for words that may not be written",
      "const asked = await inTransaction(async (to) => proposable(await held(to, scope, version)));",
      `const asked = await inTransaction(async (to) => {
        const { sections } = await held(to, scope, version);
        const section = sections.find((one) => one.id === id);
        return (section && writtenWords(section, word.name)) ?? { name: word.name, zh: "", en: "" };
      });`,
    ],
    [
      "home page: a proposal replaces what was saved while the machine worked",
      "const row = await held(to, scope, version);\n        // What came",
      "const row = await held(to, scope);\n        // What came",
    ],
    [
      "home page: a proposal replaces words that came past the editor",
      "if (proposable(row)[language] !== asked[language])",
      "if (row === undefined)",
    ],
    [
      "home page: a proposal carries no mark",
      "const proposed = { ...asked, [language]: text, unreviewed: language };",
      "const proposed = { ...asked, [language]: text };",
    ],
    [
      "home page: words that a person changed keep the mark of a machine",
      "        words[language] === old?.[language] &&\n",
      "",
    ],
    [
      "home page: what a person has read keeps the mark of a machine",
      "        !reviewed.includes(homeTextField(section.id, name, language));",
      "        reviewed !== undefined;",
    ],
    [
      "home page: any save takes the mark of a machine away",
      "return isProposal ? { ...words, unreviewed: language } : words;",
      "return isProposal && reviewed.length > 9 ? { ...words, unreviewed: language } : words;",
    ],
    [
      "home page: a machine reads its own words as a source",
      'if (asked[other] === "" || asked.unreviewed === other)',
      'if (asked[other] === "")',
    ],
    ["home page: visitors are not told that nobody has read it", "...(unreviewed.length > 0 && { unreviewed }),", ""],
  ]),
  ...faultsIn("apps/web/app/site/home.route.tsx", ofMarks, [
    [
      "home page: search engines take a language that nobody has read",
      "hidden={!languages.includes(language)}",
      "hidden={false}",
    ],
    ["home page: the other language is named though nobody has read it", "      languages={languages}\n", ""],
    [
      "home page: a section does not say that a machine wrote it",
      "<MachineNote of={{ language, unreviewed: true }} section />",
      "",
    ],
  ]),
  ...faultsIn(`${content}/site-files.ts`, ofHomeTranslations, [
    [
      "home page: the site map names a language that nobody has read",
      'addresses("/index", home.includes("en"))',
      'addresses("/index", true)',
    ],
  ]),
  ...faultsIn(`${content}/site-files.ts`, ofTranslations, [
    [
      "translations: the feed tells what nobody has read",
      'languagesOf({ unreviewed }, titleEn !== "").includes(language),',
      'languagesOf({ unreviewed: [] }, titleEn !== "").includes(language) && unreviewed !== undefined,',
    ],
    [
      "translations: the site map names Chinese that nobody has read",
      'return path === "" || !languages.includes("zh") ? [] :',
      'return path === "" ? [] :',
    ],
    [
      "translations: the site map names English that nobody has read",
      'addresses(path, languages.includes("en"), row.savedAt);',
      'addresses(path, row.titleEn !== "", row.savedAt);',
    ],
  ]),
  ...faultsIn(
    trigger,
    ofTranslations,
    (
      [
        ["summary", "summary"],
        ["body", "body"],
        ["title_en", "titleEn"],
        ["summary_en", "summaryEn"],
        ["body_en", "bodyEn"],
      ] as const
    ).map(([column, field]): [string, string, string] => [
      `translations: words of ${field} that change keep the mark of a machine`,
      `if new.${column} is distinct from old.${column} then new.unreviewed := array_remove(new.unreviewed, '${field}'); end if;`,
      "",
    ]),
  ),
  ...faultsIn("apps/web/app/site/article-page.tsx", ofMarks, [
    [
      "translations: search engines take an article that nobody has read",
      'hidden={kind === "preview" || article.unreviewed === true}',
      'hidden={kind === "preview"}',
    ],
    ["translations: an article does not say that a machine wrote it", "<MachineNote of={article} />", ""],
  ]),
  ...faultsIn("apps/web/app/site/solution-page.tsx", ofMarks, [
    [
      "translations: search engines take a solution that nobody has read",
      "hidden={article.unreviewed === true}",
      "hidden={false}",
    ],
    ["translations: a solution does not say that a machine wrote it", "<MachineNote of={article} />", ""],
  ]),
  ...faultsIn(`${videos}/video.repository.ts`, ofVideos, [
    [
      "videos: drafts are found",
      "const published = sql<SqlBool>`v.state = 'published'`;",
      "const published = sql<SqlBool>`true`;",
    ],
    [
      "videos: what waits is published before its time",
      "where state = 'scheduled' and publish_at <= ${at}",
      "where state = 'scheduled' and ${at}::timestamptz is not null",
    ],
  ]),
  ...faultsIn(`${videos}/video.service.ts`, ofVideos, [
    [
      "videos: an address of one opens another",
      "previews.read(preview)?.id === id",
      "previews.read(preview) !== undefined",
    ],
    ["videos: any file is shown", 'if (!held.hasFilm) throw refuse("video.no_film");', ""],
    ["videos: no picture is asked for", 'if (!held.hasPoster) throw refuse("video.no_poster");', ""],
    [
      "videos: a film is found under the ending of another",
      "return name?.endsWith(`.${ending}`) ? siteFiles.find(name) : undefined;",
      "return name !== undefined && ending ? siteFiles.find(name) : undefined;",
    ],
    [
      "videos: what visitors see is removed",
      'if (rows.some(({ state }) => state !== "draft")) throw refuse("video.still_published");',
      "void rows;",
    ],
    ["videos: other servers do not hear of what is due", "if (due > 0) changed();", ""],
  ]),
  ...faultsIn(`${videos}/video.routes.ts`, ofVideos, [
    [
      "videos: a part goes with a film that was replaced",
      "isFilm && (ifRange === undefined || ifRange === tag) ? request.headers.range : undefined",
      "isFilm ? request.headers.range : undefined",
    ],
  ]),
  ...faultsIn(`${videos}/captions.ts`, ofVideos, [
    [
      "videos: captions keep what is no cue",
      'return words.length === 0 ? [] : [[lines[at], ...words].join("\\n")];',
      'return [at < 0 ? block : [lines[at], ...words].join("\\n")];',
    ],
  ]),
  ...faultsIn("apps/server/src/modules/files/site-file.repository.ts", ofVideos, [
    [
      "videos: films are swept while a video names them",
      "and not exists (select from video_files v where v.file_name = f.name)",
      "",
    ],
  ]),
  ...faultsIn("apps/server/src/modules/files/video.ts", ofVideos, [
    [
      "videos: QuickTime is taken for visitors",
      'if (head.toString("latin1", 8, 12) === "qt  ") throw refuse("upload.film_unreadable");',
      "",
    ],
  ]),
  ...faultsIn("apps/server/src/modules/files/webm.ts", ofWebm, [
    [
      "webm: other kinds of Matroska are taken",
      'headBytes.toString("latin1", docType.from, docType.to) !== "webm"',
      "headBytes.length === 0",
    ],
    [
      "webm: something stands behind a film",
      "if (segment.id !== ids.segment || (segment.to ?? size) !== size) throw unreadable();",
      "if (segment.id !== ids.segment) throw unreadable();",
    ],
    ["webm: a page stands inside of a film", "if (!ofSegment.has(one.id)) throw unreadable();", ""],
    ["webm: any codec is taken", '!codecs.test(bytes.toString("latin1", codec.from, codec.to)) ||', ""],
    ["webm: tags stay", "else if (emptied.has(one.id)) await writeFiller(file, one.at, to);", ""],
    ["webm: title and date stay", "if (!keptOfInfo.has(one.id)) empty(bytes, one);", ""],
    ["webm: sound alone is a film", "if (films === 0 || clusters === 0) throw unreadable();", ""],
  ]),
  ...faultsIn("apps/server/src/article-html.ts", ofContent, [
    [
      "articles: pictures of any address are kept",
      'if (id === "" || size === undefined || size.width === 0 || size.height === 0) return {};',
      "if (size === undefined) return { src, alt };",
    ],
    ["articles: a picture's size is what a body says", "known === undefined ?", "known !== undefined ?"],
  ]),
  ...faultsIn(`${content}/article.service.ts`, ofContent, [
    [
      "articles: a picture without words is published",
      'if (hasPictureWithoutWords(row[body])) throw refuse("article.picture_without_words", { field: body });',
      "void hasPictureWithoutWords;",
    ],
    [
      "articles: pictures of earlier versions are swept",
      "await to.articles.usePictures(id, picturesOf(`${bodies.body}${bodies.bodyEn}`));",
      "",
    ],
    ["articles: the search goes on with what was published before", "used = await makeFound(to, id, number);", ""],
  ]),
  ...faultsIn(`${content}/article.repository.ts`, ofContent, [
    [
      "articles: what was taken off the site is found",
      "await sql`delete from article_search where article_id = ${id}`.execute(db);",
      "",
    ],
  ]),
  ...faultsIn(`${content}/picture.repository.ts`, ofContent, [
    [
      "articles: pictures are removed while an article shows them",
      "and not exists (select from article_picture_uses u where u.picture_id = p.id) returning",
      "returning",
    ],
  ]),
  ...faultsIn(`${content}/link-check.ts`, { files: [`${content}/link-check.test.ts`] }, [
    [
      "articles: links into networks are taken",
      'if (!isPublicHost(address.hostname)) return "inside";',
      "void isPublicHost;",
    ],
  ]),
  ...faultsIn(
    "apps/server/src/modules/files/site-file.repository.ts",
    { files: ["tests/api/product-documents.test.ts"] },
    [
      [
        "documents: pages that were drawn twice stay for good",
        "or (not exists (select from product_documents d where d.file_name = f.name)",
        "or (f.content_type = 'application/pdf' and not exists (select from product_documents d where d.file_name = f.name)",
      ],
    ],
  ),
  ...faultsIn(`${forms}/site-form.routes.ts`, ofForms, [
    ["site forms: no captcha is asked for", "if (call.body.check !== true)", 'if (call.body.kind === ("" as string))'],
  ]),
  ...faultsIn(`${forms}/site-form.service.ts`, ofForms, [
    [
      "site forms: extensions make phones of one",
      "cipher.index(countedPhone(String(values.contactPhone)))",
      "cipher.index(String(values.contactPhone))",
    ],
    ["site forms: what is only looked at is kept", 'if (check) return { number: "" };', "void check;"],
  ]),
  ...faultsIn(`${documents}/document.repository.ts`, ofDocuments, [
    ["documents: drafts are found", "draft ? sql`true` : sql`d.state = 'published'`,", "sql`true`,"],
  ]),
  ...faultsIn(`${documents}/document.service.ts`, ofDocuments, [
    [
      "documents: an address of one opens another",
      "previews.read(preview)?.id === id",
      "previews.read(preview) !== undefined",
    ],
    ["documents: any file is published", 'if (published && !held.hasFile) throw refuse("document.no_file");', ""],
    [
      "documents: pages beyond those that are shown are drawn",
      "if (page < 1 || page > Math.min(pages, documentPreviewPages))",
      "if (page < 0)",
    ],
  ]),
];
