import { smallPicturePx } from "@herdwise/contract";

/** Address or name of the small version of an uploaded picture, as `smallPictureOf` of the contract makes it on the server. */
export const smallPicture = (name: string): string => name.replace(/\.(jpg|png)$/, `-${smallPicturePx}.$1`);
