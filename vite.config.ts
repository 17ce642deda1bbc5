import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { msw } from 'msw/vite';
import { defineConfig, type Plugin } from 'vite';

export default defineConfig(({ mode }) => ({
  // The demo's desk stands only when its code has run.
  plugins: [react(), mode === 'demo' ? msw({ mode: 'worker-only' }) : askEarly('src/app/early.ts')],
  build: {
    target: 'es2023',
    // The content security policy allows no `data:` address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // All styles are smaller than the requests that parts of them would take.
    cssCodeSplit: false,
    rolldownOptions: {
      preserveEntrySignatures: false,
      output: {
        codeSplitting: {
          groups: [
            { name: 'early', test: /src\/app\/early\.ts$/, priority: 1 },
            // One file for all that the first screen needs: shared pieces of it are not worth a request each.
            { name: 'first-view', tags: ['$initial'] },
          ],
        },
      },
    },
  },
}));

/** Adds an entry that does not wait for the others: a module that is only imported runs when all of them are there. */
function askEarly(entry: string): Plugin {
  return {
    name: 'ask-early',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: join(import.meta.dirname, entry) });
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
