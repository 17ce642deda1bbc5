import { expect, test } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { openPage } from '../../support/e2e/browser.ts';
import { startProduct } from '../../support/e2e/product.ts';

const service = await startProduct('service', { SAMPLE_SUBSCRIBERS: '0' });

test('the reference of the service shows every operation, from this machine alone', async () => {
  const { page, complaints, refusals } = await openPage();
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith('data:') && !request.url().startsWith(service.url))
      elsewhere.push(request.url());
  });
  const answer = await page.goto(`${service.url}/docs`);
  expect(answer?.headers()['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
  for (const { summary } of Object.values(api)) await page.getByText(summary, { exact: true }).waitFor();
  await page.getByText(api.createSubscriber.summary, { exact: true }).click();
  await page.getByText('Request body').first().waitFor();
  expect(elsewhere).toEqual([]);
  expect(refusals()).toEqual([]);
  expect(complaints()).toEqual([]);
});
