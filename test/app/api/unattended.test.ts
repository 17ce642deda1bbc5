import { expect, test } from 'vitest';
import { createApi } from '../../../src/app/api/api.ts';
import { unattendedHeader } from '../../../src/contract/bff/paths.ts';

test('requests say that the page is unattended once nobody has used it for a minute', async () => {
  let now = 0;
  const sent: (string | null)[] = [];
  const { service } = createApi(
    async (request) => {
      sent.push(request.headers.get(unattendedHeader.name));
      return Response.json([], { headers: { 'X-Request-Id': 'r1' } });
    },
    { now: () => now },
  );
  const pressKey = () => dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }));
  // Screen readers and voice control neither point nor press keys.
  const click = () => dispatchEvent(new MouseEvent('click'));
  const dictate = () => dispatchEvent(new InputEvent('input'));
  for (const [passed, act] of [
    [0, () => undefined],
    [59_000, () => undefined],
    [1_000, () => undefined],
    [60_000, pressKey],
    [60_000, () => undefined],
    [60_000, click],
    [60_000, dictate],
  ] as const) {
    now += passed;
    act();
    await service.listStatuses({});
  }
  expect(sent).toEqual([null, null, '1', null, '1', null, null]);
});
