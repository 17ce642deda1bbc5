import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where each build notes the packages that are in it. No server serves a file that begins with a dot. */
export const licencesFile = '.licences.json';

/** A package whose code is in what we give away. */
interface Licence {
  name: string;
  version: string;
  /** Such as `MIT`. */
  identifier?: string;
  text?: string;
}

/**
 * The licences of all packages whose code is in the built folders, or of which files were copied, as one text.
 *
 * @param builds folders with a note of what is in them
 * @param copied names of packages
 * @throws if a package has no licence
 */
export async function collectLicences(
  root: string,
  builds: readonly string[],
  copied: readonly string[],
): Promise<string> {
  const noted = await Promise.all(
    builds.map(async (folder): Promise<Licence[]> =>
      JSON.parse(await readFile(join(folder, licencesFile), 'utf8')),
    ),
  );
  const installed = await Promise.all(copied.map((name) => readInstalled(root, name)));
  const unique = new Map(
    [...noted.flat(), ...installed].map((each) => [`${each.name} ${each.version}`, each]),
  );
  const sorted = [...unique].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const texts = await Promise.all(
    sorted.map(async ([title, { name, identifier, text }]) => {
      if (!identifier) throw new Error(`${title} has no licence. Replace it by a package that has one.`);
      const whole = text ?? (await licenceInReadme(join(root, 'node_modules', name)));
      return `${title} (${identifier})\n\n${whole?.trim() ?? 'Its authors name this licence without its text.'}\n`;
    }),
  );
  return `Subscriber Desk contains code of these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

async function readInstalled(root: string, name: string): Promise<Licence> {
  const folder = join(root, 'node_modules', name);
  const manifest: { version: string; license: string } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  );
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const text = texts.length > 0 ? { text: texts.join('\n') } : {};
  return { name, version: manifest.version, identifier: manifest.license, ...text };
}

/** Some packages have their licence only at the end of the README. */
async function licenceInReadme(folder: string): Promise<string | null> {
  const files = existsSync(folder) ? await readdir(folder) : [];
  const file = files.find((name) => /^readme/i.test(name));
  const text = file === undefined ? '' : await readFile(join(folder, file), 'utf8');
  return /^#+ *licen[cs]e\b[^\n]*\n([^]+)/im.exec(text)?.[1] ?? null;
}
