/** Text and HTML into each other, as plain functions for the server and the browser. */

const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&nbsp;": " ",
  "&amp;": "&",
};

/** A text as it stands in HTML, between tags and in attributes. */
export const htmlOfText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** The words of HTML that an allow-list or the editor wrote, without its tags and trimmed. */
export const textOfHtml = (html: string): string =>
  html
    .replace(/<[^>]*>/g, "")
    .replace(/&(?:lt|gt|quot|nbsp|amp);/g, (entity) => entities[entity] ?? entity)
    .trim();
