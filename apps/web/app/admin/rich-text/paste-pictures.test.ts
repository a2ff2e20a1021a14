import { expect, test } from "vitest";
import { picturesOfRtf, takePictures } from "./paste-pictures.ts";

const png = "89504e470d0a1a0a";
const jpeg = "ffd8ffe000104a46";
/** As Word writes it: the picture, its old twin, properties in groups, bytes in lines. */
const rtf = `{\\rtf1\\ansi text \\{ not a group {\\*\\shppict{\\pict{\\*\\picprop\\shplid1025{\\sp{\\sn wzName}{\\sv a1}}}\\picscalex100\\picw1000\\pngblip\\bliptag-12{\\*\\blipuid 0011aabb}
${png.slice(0, 8)}
${png.slice(8)}}}{\\nonshppict{\\pict\\picw1000\\wmetafile8\\bliptag1 010009}}
{\\*\\shppict{\\pict\\jpegblip ${jpeg}}}{\\*\\shppict{\\pict\\emfblip 0100}}}`;
const hexOf = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString("hex");

test("pictures of a document are read out of its RTF, in order, without their twins", () => {
  expect(picturesOfRtf(rtf).map(hexOf)).toEqual([png, jpeg, undefined]);
  expect(picturesOfRtf("{\\rtf1 words}")).toEqual([]);
  // Broken off in the middle.
  expect(picturesOfRtf(`{\\rtf1{\\pict\\pngblip ${png}`).map(hexOf)).toEqual([png]);
});

test("each picture of a paste gets its bytes; those in a format that no browser shows are told as lost", async () => {
  const html = `<!--[if gte vml 1]><v:shape><img src="file:///C:/twin.png"></v:shape><![endif]--><p>前</p>
<img width=554 src="file:///C:/Temp/image001.png" alt="风机 &amp; 湿帘"><img src='file:///C:/Temp/image002.jpg' alt="图片包含 室内&#10;描述已自动生成"><img src="file:///C:/Temp/image003.emz">`;
  const { html: kept, pictures, lost } = takePictures({ html, rtf, files: [] });
  expect(lost).toBe(1);
  expect(pictures.map(({ alt, file }) => [alt, file?.type])).toEqual([
    ["风机 & 湿帘", "image/png"],
    ["", "image/jpeg"],
  ]);
  expect(hexOf(new Uint8Array((await pictures[1]?.file?.arrayBuffer()) ?? new ArrayBuffer()))).toBe(jpeg);
  expect([...kept.matchAll(/<img data-upload="([^"]+)">/g)].map(([, key]) => key)).toEqual(
    pictures.map(({ key }) => key),
  );
  expect(kept.replace(/<!--[\s\S]*?-->/g, "")).not.toMatch(/file:|twin/);
});

test("where it is not known which bytes are whose, none is shown in another's place", () => {
  const { pictures, lost } = takePictures({ html: '<img src="file:///a.png">', rtf, files: [] });
  expect([pictures.length, lost]).toEqual([0, 1]);
});

test("bytes in the address are taken, addresses of other sites are not, ours stay", () => {
  const data = `data:image/png;base64,${Buffer.from(png, "hex").toString("base64")}`;
  const own = '<img src="/pictures/00000000-0000-4000-8000-000000000000/960.webp" alt="x" width="960" height="540">';
  const { html, pictures, lost } = takePictures({
    html: `<img src="${data}"><img src="https://elsewhere.example/x.png"><img src="data:image/svg+xml;base64,PHN2Zz4=">${own}`,
    rtf: "",
    files: [],
  });
  expect([pictures.length, lost]).toEqual([1, 2]);
  expect(html).toContain(own);
  expect(html).not.toContain("elsewhere");
});

test("a picture that was copied on a page comes as a file beside its markup", () => {
  const file = new File(["x"], "image.png", { type: "image/png" });
  const { pictures } = takePictures({ html: '<img src="https://elsewhere.example/x.png">', rtf: "", files: [file] });
  expect(pictures.map((picture) => picture.file)).toEqual([file]);
});
