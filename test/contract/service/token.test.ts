import * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { scopes, TokenAnswer, TokenRequest } from '../../../src/contract/service/token.ts';

test('a token request may have no field, for OAuth has errors of its own, an answer only token and type', () => {
  expect(z.decode(TokenRequest, {})).toEqual({});
  const least = { access_token: 't', token_type: 'Bearer' };
  expect(z.decode(TokenAnswer, least)).toEqual(least);
  for (const wrong of [{ token_type: 'Bearer' }, { ...least, expires_in: '3600' }])
    expect(TokenAnswer.safeParse(wrong).success).toBe(false);
});

test('the scopes are those that the rows of the table need', () => {
  const needed = Object.values(api).flatMap(({ access }) => (access === 'public' ? [] : access));
  expect(new Set(needed)).toEqual(new Set(scopes));
});
