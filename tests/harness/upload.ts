import type { UploadedFile } from "@herdwise/contract";
import sharp from "sharp";
import type { Answer, TestApp } from "./app.ts";
import { basic } from "./session.ts";

const uploadPath = "/api/muyuan-resource/oss/endpoint/put-file-attach";

/** A multipart body with one file, and its content type. */
export async function multipartOf(content: Buffer, name: string, field = "file") {
  const form = new FormData();
  form.append(field, new File([new Uint8Array(content)], name));
  const request = new Request("http://localhost", { method: "POST", body: form });
  return { body: Buffer.from(await request.arrayBuffer()), type: request.headers.get("content-type") ?? "" };
}

export async function upload(
  app: TestApp,
  token: string,
  content: Buffer,
  name: string,
  {
    query = {},
    path = uploadPath,
    field = "file",
  }: { query?: Record<string, string>; path?: string; field?: string } = {},
): Promise<Answer<UploadedFile>> {
  const { body, type } = await multipartOf(content, name, field);
  const answer = await app.http.inject({
    method: "POST",
    url: path,
    query,
    headers: { authorization: basic, "muyuan-auth": `bearer ${token}`, "content-type": type },
    payload: body,
  });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
}

/** A picture of one colour and a gradient, so that it does not compress to nothing. */
export function picture(format: "png" | "jpeg", width = 640, height = 400): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at += 3) {
    pixels[at] = (at / 3) % 256;
    pixels[at + 1] = (at / 7) % 256;
    pixels[at + 2] = 90;
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .toFormat(format)
    .toBuffer();
}

/** A BMP of one colour, (255, 200, 100), with as many bits a pixel; up to 8 of them are a place in a palette. */
export function plainBmp(bits: number, width: number, height: number): Buffer {
  const paletteBytes = bits <= 8 ? 4 * 2 ** bits : 0;
  const rowBytes = Math.ceil((width * bits) / 32) * 4;
  const offset = 54 + paletteBytes;
  const bytes = Buffer.alloc(offset + rowBytes * height);
  bytes.write("BM");
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(offset, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(bits, 28);
  const blueGreenRed = [100, 200, 255, 0];
  if (bits <= 8) bytes.set(blueGreenRed, 54);
  else {
    for (let row = 0; row < height; row += 1) {
      for (let column = 0; column < width; column += 1) {
        bytes.set(blueGreenRed.slice(0, bits / 8), offset + row * rowBytes + (column * bits) / 8);
      }
    }
  }
  return bytes;
}
