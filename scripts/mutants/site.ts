import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const forms = "apps/server/src/modules/site-forms";
const documents = "apps/server/src/modules/product-documents";
/** Without those of its pages, which need the web app as it is built. */
const ofForms: Tests = { files: ["tests/api/site-forms.test.ts"], names: "^(what a visitor sends|the desk)" };
const ofDocuments: Tests = { files: ["tests/api/product-documents.test.ts"] };

export const siteMutants: Mutant[] = [
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
    ["documents: drafts are found", "sql`d.state = 'published'`,", "sql`true`,"],
  ]),
  ...faultsIn(`${documents}/document.service.ts`, ofDocuments, [
    ["documents: any file is published", 'if (published && !held.hasFile) throw refuse("document.no_file");', ""],
    [
      "documents: pages beyond those that are shown are drawn",
      "if (page < 1 || page > Math.min(pages, documentPreviewPages))",
      "if (page < 0)",
    ],
  ]),
];
