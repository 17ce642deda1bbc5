import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2023',
    // The content security policy allows no `data:` address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: ['test/{contract,service,bff,host}/**/*.test.ts', 'test/*.test.ts'],
        },
      },
    ],
  },
});
