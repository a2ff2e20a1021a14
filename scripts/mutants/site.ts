import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const forms = "apps/server/src/modules/site-forms";
const documents = "apps/server/src/modules/product-documents";
/** Without those of its pages, which need the web app as it is built. */
const ofForms: Tests = { files: ["tests/api/site-forms.test.ts"], names: "^(what a visitor sends|the desk)" };
const ofDocuments: Tests = { files: ["tests/api/product-documents.test.ts"] };

const content = "apps/server/src/modules/content";
const ofContent: Tests = { files: ["tests/api/content.test.ts"] };

export const siteMutants: Mutant[] = [
  ...faultsIn(`${content}/article-html.ts`, ofContent, [
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
    ["site forms: a sender is shown without a password", "await requireConfirmed(session);", "void session;"],
    ["site forms: no captcha is asked for", "if (call.body.check !== true)", 'if (call.body.kind === ("" as string))'],
  ]),
  ...faultsIn(`${forms}/site-form.service.ts`, ofForms, [
    [
      "site forms: extensions make phones of one",
      "cipher.index(countedPhone(String(values.contactPhone)))",
      "cipher.index(String(values.contactPhone))",
    ],
    [
      "site forms: phones are kept as they were typed",
      "contactPhone: tidyPhone(form.contactPhone),",
      "contactPhone: form.contactPhone,",
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
