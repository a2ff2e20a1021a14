import { documentProducts } from "@herdwise/contract";

/** Name of what a document or a video is about, in Chinese. */
export const productName = (product: string): string =>
  documentProducts.find(([known]) => known === product)?.[1] ?? product;
