import react from '@vitejs/plugin-react';
import { msw } from 'msw/vite';
import { defineConfig } from 'vite';

export default defineConfig(({ mode }) => ({
  plugins: [react(), mode === 'demo' && msw({ mode: 'worker-only' })],
  build: {
    target: 'es2023',
    // The content security policy allows no `data:` address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // All styles are smaller than the requests that parts of them would take.
    cssCodeSplit: false,
    rolldownOptions: {
      preserveEntrySignatures: false,
      // One file for all that the first screen needs: shared pieces of it are not worth a request each.
      output: { codeSplitting: { groups: [{ name: 'first-view', tags: ['$initial'] }] } },
    },
  },
}));
