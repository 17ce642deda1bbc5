import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const root = new URL('../../../', import.meta.url);

/** Adds an entry that does not wait for the others: a module that is only imported runs when all of them are there. */
export function earlyEntry(entry: string): Plugin {
  return {
    name: 'early-entry',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: fileURLToPath(new URL(entry, root)) });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const file = Object.values(bundle).find(
          (output) => output.type === 'chunk' && output.moduleIds.some((id) => id.endsWith(entry)),
        );
        if (!file) throw new Error(`${entry} is not in the bundle.`);
        const attrs = { type: 'module', async: true, crossorigin: true, src: `/${file.fileName}` };
        return [{ tag: 'script', attrs, injectTo: 'head' }];
      },
    },
  };
}
