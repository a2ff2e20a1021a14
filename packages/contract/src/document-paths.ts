/** Address of a published document's file. */
export const documentFilePath = (id: string): string => `/documents/${id}/document.pdf`;
/** Address of a page of it as a picture. @param page from 1 */
export const documentPagePath = (id: string, page: number): string => `/documents/${id}/page-${page}.png`;
