/** Longest side of a picture's small version, in pixels. */
export const smallPicturePx = 320;
/** Address or name of the small version of an uploaded picture, for lists. */
export const smallPictureOf = (name: string): string => name.replace(/\.(jpg|png)$/, `-${smallPicturePx}.$1`);

/** Widths in pixels in which a picture for pages is stored, as far as the original is wider. */
const pictureWidths = [480, 960];
const widestPicture = 1600;
/** Widths in which a picture of this original width is stored for pages, the widest last. */
export const pagePictureWidths = (width: number): number[] => [
  ...pictureWidths.filter((one) => one < width),
  Math.min(width, widestPicture),
];
