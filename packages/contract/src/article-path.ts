import type { ArticleChannel } from "./articles.ts";

/**
 * Path of the page on which visitors read an article: a solution that is no page of the list has an address of its own.
 * @returns "" for a legal text without its page, which nobody can read
 */
export function articlePath({ id, channel, page }: { id: string; channel: ArticleChannel; page: string }): string {
  switch (channel) {
    case "information":
      return `/informationDetails?id=${id}`;
    case "news":
      return `/news/detail?id=${id}`;
    case "notice":
      return `/service/noticeDetails?id=${id}`;
    case "solution":
      return `/solution/${page || id}`;
    case "legal":
      return page === "" ? "" : `/legal/${page}`;
  }
}
