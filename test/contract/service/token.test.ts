import { expect, test } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { scopes } from '../../../src/contract/service/token.ts';

test('the scopes are those that the rows of the table need', () => {
  const needed = Object.values(api).flatMap(({ access }) => (access === 'public' ? [] : access));
  expect(new Set(needed)).toEqual(new Set(scopes));
});
