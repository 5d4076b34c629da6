import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesIn } from '../../scripts/packages/archive';

// What is in a package, by which its size is printed and its contents are held.

const folder = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-archive-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A path with more characters than the field of a name has in a tarball. */
const DEEP = `package/${'deep/'.repeat(25)}file.js`;

test('the files of a tarball, with folders around them that are long', () => {
  const deep = join(folder, DEEP);
  mkdirSync(join(deep, '..'), { recursive: true });
  writeFileSync(deep, 'x'.repeat(513));
  writeFileSync(join(folder, 'package', 'empty'), '');
  const tarball = join(folder, 'some.tgz');
  execFileSync('tar', ['--create', '--gzip', '--format=ustar', `--file=${tarball}`, '--directory', folder, 'package']);
  expect(filesIn(tarball).sort((one, other) => one.bytes - other.bytes)).toEqual([
    { name: 'package/empty', bytes: 0 },
    { name: DEEP, bytes: 513 },
  ]);
});

/** An entry of the directory at the end of a zip file, of a file that takes so many bytes unpacked. */
function entry(name: string, bytes: number): Buffer {
  const fields = Buffer.alloc(46);
  fields.writeUInt32LE(0x02014b50, 0);
  fields.writeUInt32LE(bytes, 24);
  fields.writeUInt16LE(Buffer.byteLength(name), 28);
  fields.writeUInt16LE(4, 30);
  return Buffer.concat([fields, Buffer.from(name), Buffer.alloc(4)]);
}

function end(at: number): Buffer {
  const fields = Buffer.alloc(22);
  fields.writeUInt32LE(0x06054b50, 0);
  fields.writeUInt32LE(at, 16);
  return fields;
}

test('the files of a zip file, without its folders', () => {
  const jar = join(folder, 'some.jar');
  const packed = Buffer.from('what is packed');
  writeFileSync(
    jar,
    Buffer.concat([packed, entry('META-INF/', 0), entry('META-INF/MANIFEST.MF', 70), entry('ä.class', 900), end(14)]),
  );
  expect(filesIn(jar)).toEqual([
    { name: 'META-INF/MANIFEST.MF', bytes: 70 },
    { name: 'ä.class', bytes: 900 },
  ]);
});

test('what is no zip file is an error', () => {
  const wheel = join(folder, 'some.whl');
  writeFileSync(wheel, 'no zip file');
  expect(() => filesIn(wheel)).toThrow('some.whl is not a zip file');
});
