/** Longest side of a picture's small version, in pixels. */
export const smallPicturePx = 320;
/** Address or name of the small version of an uploaded picture, for lists. */
export const smallPictureOf = (name: string): string => name.replace(/\.(jpg|png)$/, `-${smallPicturePx}.$1`);

/** Widths in which a picture of a page is kept, in pixels, as far as it is wider. */
const pictureWidths = [480, 960];
const widestPicture = 1600;
/** Widths in which a picture of this width is kept for pages, the widest last. */
export const pagePictureWidths = (width: number): number[] => [
  ...pictureWidths.filter((one) => one < width),
  Math.min(width, widestPicture),
];
