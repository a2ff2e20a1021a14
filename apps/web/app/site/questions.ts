import { textOfHtml } from "@herdwise/contract/html-text";

/**
 * The questions that a body answers: a section of at least two headings of the third level, each with a paragraph right below it.
 * @param body HTML as the server cleaned it
 * @returns a FAQPage of schema.org; undefined without such a section
 */
export function questionsOf(body: string): Readonly<Record<string, unknown>> | undefined {
  for (const section of body.split(/(?=<h2[ >])/)) {
    const headings = section.match(/<h3[ >]/g)?.length ?? 0;
    const pairs = [...section.matchAll(/<h3[^>]*>(.*?)<\/h3>\s*<p[^>]*>(.*?)<\/p>/gs)];
    if (headings < 2 || pairs.length !== headings) continue;
    return {
      "@type": "FAQPage",
      mainEntity: pairs.map(([, question = "", answer = ""]) => ({
        "@type": "Question",
        name: textOfHtml(question),
        acceptedAnswer: { "@type": "Answer", text: textOfHtml(answer) },
      })),
    };
  }
  return undefined;
}
