import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** A file in a package. */
export interface PackedFile {
  readonly name: string;
  readonly bytes: number;
}

/** The files of a package: a tarball of npm, or one of the kinds that are zip files, which are wheels, jars and those of NuGet. */
export function filesIn(archive: string): PackedFile[] {
  const content = readFileSync(archive);
  return /\.(tgz|tar\.gz)$/.test(archive) ? filesInTar(gunzipSync(content)) : filesInZip(content, archive);
}

const TAR_BLOCK = 512;

/** https://www.gnu.org/software/tar/manual/html_node/Standard.html */
function filesInTar(tar: Buffer): PackedFile[] {
  const text = (at: number, length: number) => tar.toString('utf8', at, at + length).replace(/\0.*$/s, '');
  const files: PackedFile[] = [];
  for (let at = 0; at < tar.length && tar[at] !== 0; ) {
    const [prefix, name] = [text(at + 345, 155), text(at, 100)];
    const bytes = Number.parseInt(text(at + 124, 12), 8);
    if (text(at + 156, 1).match(/^0?$/)) {
      files.push({ name: prefix === '' ? name : `${prefix}/${name}`, bytes });
    }
    at += TAR_BLOCK * (1 + Math.ceil(bytes / TAR_BLOCK));
  }
  return files;
}

const END_OF_DIRECTORY = 0x06054b50;
const ENTRY = 0x02014b50;

/** By its central directory: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
function filesInZip(zip: Buffer, archive: string): PackedFile[] {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || zip.readUInt32LE(end) !== END_OF_DIRECTORY) {
    throw new Error(`${archive} is not a zip file`);
  }
  const files: PackedFile[] = [];
  for (let at = zip.readUInt32LE(end + 16); at < end && zip.readUInt32LE(at) === ENTRY; ) {
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field));
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    if (!name.endsWith('/')) {
      files.push({ name, bytes: zip.readUInt32LE(at + 24) });
    }
    at += 46 + nameLength + extra + comment;
  }
  return files;
}
