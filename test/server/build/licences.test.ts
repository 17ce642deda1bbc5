import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { collectLicences, licencesFile } from '../../../src/server/build/licences.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

/** A project with files, and a build that noted what is in it. */
function arrange(noted: readonly object[], files: Readonly<Record<string, string>> = {}) {
  const root = temporaryFolder();
  writeFileSync(join(root, licencesFile), JSON.stringify(noted));
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, 'node_modules', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return (copied: string[] = []) => collectLicences(root, [root], copied);
}

const mit = { version: '1.0.0', identifier: 'MIT' };

test('a package that several builds contain is listed once, in the order of the names', async () => {
  const noted = [
    { name: 'two', ...mit, text: 'The text of two.' },
    { name: 'one', ...mit, text: 'The text of one.' },
  ];
  const collect = arrange([...noted, ...noted]);
  expect((await collect()).match(/^.* \(MIT\)$|^The text .*$/gm)).toEqual([
    'one 1.0.0 (MIT)',
    'The text of one.',
    'two 1.0.0 (MIT)',
    'The text of two.',
  ]);
});

test('a licence that is in the README alone is taken from there', async () => {
  const readme = '# It\n\nWhat it does.\n\n## License\n\nCopyright (c) 2020 Kari\n';
  expect(await arrange([{ name: 'it', ...mit }], { 'it/README.md': readme })()).toMatch(
    /it 1\.0\.0 \(MIT\)\n\nCopyright \(c\) 2020 Kari\n$/,
  );
});

test('a package that only names its licence is listed with the name', async () => {
  for (const files of [{}, { 'it/README.md': '# It' }])
    expect(await arrange([{ name: 'it', ...mit }], files)()).toContain('it 1.0.0 (MIT)\n\nIts authors name');
});

test('a copied package is listed with all that it says of its licence', async () => {
  const files = {
    'it/package.json': JSON.stringify({ version: '2.0.0', license: 'Apache-2.0' }),
    'it/LICENSE': 'Apache License',
    'it/NOTICE': 'Copyright 2020 Kari',
  };
  expect(await arrange([], files)(['it'])).toMatch(
    /it 2\.0\.0 \(Apache-2\.0\)\n\nApache License\nCopyright 2020 Kari\n$/,
  );
});

test('a package without a licence stops the release', async () => {
  await expect(arrange([{ name: 'it', version: '1.0.0' }])()).rejects.toThrow(/^it 1\.0\.0 has no licence\./);
});
