/** A shape of a drawing, in millimetres of the page's drawing field, from its upper left corner. */
export type PaperShape =
  | {
      readonly shape: "box";
      readonly at: readonly [number, number];
      readonly size: readonly [number, number];
      readonly filled?: true;
    }
  | {
      readonly shape: "line";
      readonly from: readonly [number, number];
      readonly to: readonly [number, number];
      readonly dashed?: true;
    }
  /** A size between two points, with its number. */
  | {
      readonly shape: "size";
      readonly from: readonly [number, number];
      readonly to: readonly [number, number];
      readonly text: string;
    }
  | { readonly shape: "label"; readonly at: readonly [number, number]; readonly text: string };

export type PaperBlock =
  | { readonly block: "text"; readonly text: string }
  | { readonly block: "points"; readonly points: readonly string[] }
  | { readonly block: "steps"; readonly steps: readonly string[] }
  /** The first row heads it. `widths` are shares. */
  | { readonly block: "table"; readonly widths: readonly number[]; readonly rows: readonly (readonly string[])[] }
  | { readonly block: "drawing"; readonly height: number; readonly shapes: readonly PaperShape[] };

/** A document about a product as it is written: Chinese, with titles in English beside it. */
export interface ProductPaper {
  readonly title: string;
  readonly titleEn: string;
  /** What it is and what it is about, such as 说明书 · 除臭. */
  readonly line: string;
  readonly version: string;
  /** Says that it is an example; "" for one that is none. */
  readonly example: string;
  readonly sections: readonly {
    readonly title: string;
    readonly titleEn: string;
    readonly blocks: readonly PaperBlock[];
  }[];
}
