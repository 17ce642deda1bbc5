import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Puts a `404.html` beside the demo: static hosts show it for the pages that the dashboard makes up itself. */
export function notFoundPage(): Plugin {
  const source = new URL('404.html', import.meta.url);
  return {
    name: 'demo-404',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: '404.html', source: readFileSync(source, 'utf8') });
    },
  };
}
