import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";
import { openWithLibrary } from "./library-book.ts";
import { type RawBook, sheetLimits } from "./sheet-limits.ts";
import { type Archive, bytesOf } from "./xlsx-book.ts";

/**
 * Opens an archive that the library reads, an xlsb or ods. The library unpacks whatever an entry grows to, so it gets a copy whose
 * entries are unpacked here, within the limits.
 * @throws {SheetProblem}
 */
export async function openLibraryArchive({ zip, entries }: Archive): Promise<RawBook> {
  const copy = new ZipFile();
  let left: number = sheetLimits.maxLibraryBytes;
  for (const [name, entry] of entries) {
    if (name.endsWith("/") || /\.(png|jpe?g|gif|emf|wmf)$/i.test(name)) continue;
    const bytes = await bytesOf(zip, entry, left);
    left -= bytes.length;
    copy.addBuffer(bytes, name, { compress: false });
  }
  copy.end();
  return openWithLibrary(await buffer(copy.outputStream));
}
