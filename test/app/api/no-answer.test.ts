import { expect, test, vi } from 'vitest';
import { createApi } from '../../../src/app/api/api.ts';
import { createKeeper } from '../../../src/app/subscriber/drafts.ts';
import { bffApi } from '../../../src/contract/bff/api.ts';
import { createClient } from '../../../src/contract/http/client.ts';

/** A connection that is dead without anybody saying so: it never answers. */
const answerNever = ({ signal }: Request) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

test('a change that is never answered counts as one whose answer is lost after a while, so that its dialog can be closed', async () => {
  const { bffOptions } = createApi(answerNever, { patience: 1 });
  const adding = createClient(bffApi, bffOptions).addStaff({ body: { name: 'Eva', role: 'support' } });
  await expect(adding).rejects.toMatchObject({ name: 'ApiError', code: 'unreachable' });
});

test('a draft that is never stored waits for the next one, and holds up no sign-out', async () => {
  vi.stubGlobal('fetch', answerNever);
  const api = createApi(answerNever, { patience: 1 });
  const keeper = createKeeper(api, 'note-7');
  keeper.note({ line: 'Called.' });
  await keeper.flush();
  expect([...api.unfinished.unsavedDrafts]).toEqual([['note-7', { line: 'Called.' }]]);
});
