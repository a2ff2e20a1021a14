import { driverPhotoPx } from "@herdwise/contract";

/** Share of the full quality of a JPEG: text on a certificate stays readable. */
const quality = 0.85;

/**
 * A photo as it is sent: a JPEG whose longest side fits, upright, without what the camera wrote beside it.
 * @throws where the file is no picture that this browser reads
 */
export async function scaled(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  const scale = Math.min(1, driverPhotoPx / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/jpeg", quality),
  );
}
