import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';
import { compileHint } from '../../../src/server/build/compile-hint.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

test('what a page starts with is compiled as it comes, and what is loaded later when it is called', async () => {
  const root = temporaryFolder();
  const files = {
    'index.html': '<script type="module" src="/main.js"></script>',
    // With two that share a third, the bundler writes a list of them above all else.
    'main.js': "void import('./later.js');\nvoid import('./last.js');",
    'later.js': "import { title } from './shared.js';\ntitle('Later');",
    'last.js': "import { title } from './shared.js';\ntitle('Last');",
    'shared.js': 'export const title = (text) => (document.title = text);',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [compileHint()],
    build: { write: false },
  });
  const { output } = built as Rolldown.RolldownOutput;
  const begins = output.flatMap((file) =>
    file.type === 'chunk' ? [[file.name, file.code.startsWith('//# allFunctionsCalledOnLoad\n')]] : [],
  );
  expect(Object.fromEntries(begins)).toEqual({ index: true, later: false, last: false, shared: false });
});
