/** Looks for a QR code in a picture. @returns its text; undefined where there is none */
export type QrReader = (picture: ImageBitmapSource & CanvasImageSource) => Promise<string | undefined>;

interface Detector {
  detect(picture: ImageBitmapSource): Promise<{ rawValue: string }[]>;
}
type DetectorMaker = {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
};

/** Longest side of a picture that is searched, in pixels: more makes the search slow and finds nothing new. */
const mostPixels = 1200;

const sizeOf = (picture: CanvasImageSource): { width: number; height: number } =>
  picture instanceof HTMLVideoElement
    ? { width: picture.videoWidth, height: picture.videoHeight }
    : (picture as ImageBitmap);

/** The browser's own reader where it has one, else a library that is fetched now. */
export async function createQrReader(): Promise<QrReader> {
  const Native = (globalThis as { BarcodeDetector?: DetectorMaker }).BarcodeDetector;
  if (Native && (await Native.getSupportedFormats().catch(() => [] as string[])).includes("qr_code")) {
    const detector = new Native({ formats: ["qr_code"] });
    return async (picture) => (await detector.detect(picture))[0]?.rawValue;
  }
  const { default: decodeQR } = await import("qr/decode.js");
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d", { willReadFrequently: true });
  return async (picture) => {
    const { width, height } = sizeOf(picture);
    if (!context || width === 0 || height === 0) return undefined;
    const scale = Math.min(1, mostPixels / Math.max(width, height));
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    try {
      return decodeQR(context.getImageData(0, 0, canvas.width, canvas.height));
    } catch {
      // It throws where it finds no code.
      return undefined;
    }
  };
}
