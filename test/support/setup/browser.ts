import { afterAll } from 'vitest';
import { closePages } from '../e2e/browser.ts';
import { stopProducts } from '../e2e/product.ts';

// A page that stays open would go on asking a server that has ended.
afterAll(async () => {
  await closePages();
  await stopProducts();
});
