import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { packedEndings } from '../http/static-files.ts';

const packedAlready = new Set(['.png', '.ico', '.woff2', ...Object.values(packedEndings)]);

const packBrotli = promisify(brotliCompress);
const packGzip = promisify(gzip);

/** Writes a packed copy beside every file of a folder, at the best level, unless the copy is not smaller. */
export async function packFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) => entry.isFile() && !entry.name.startsWith('.') && !packedAlready.has(extname(entry.name)),
  );
  await Promise.all(files.map(({ parentPath, name }) => packFile(join(parentPath, name))));
}

async function packFile(path: string): Promise<void> {
  const content = await readFile(path);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const [br, gz] = await Promise.all([packBrotli(content, { params }), packGzip(content, { level: 9 })]);
  if (br.length < content.length) await writeFile(`${path}${packedEndings.br}`, br);
  if (gz.length < content.length) await writeFile(`${path}${packedEndings.gzip}`, gz);
}
