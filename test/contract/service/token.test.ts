import * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { scopes, TokenAnswer, TokenRequest } from '../../../src/contract/service/token.ts';

test('a token request without any field is read: OAuth has errors of its own for it', () => {
  expect(z.decode(TokenRequest, {})).toEqual({});
});

test('an answer needs no more than the token and its type', () => {
  const least = { access_token: 't', token_type: 'Bearer' };
  expect(z.decode(TokenAnswer, least)).toEqual(least);
  expect(z.safeDecode(TokenAnswer, { token_type: 'Bearer' } as never).success).toBe(false);
  expect(z.safeDecode(TokenAnswer, { ...least, expires_in: '3600' } as never).success).toBe(false);
});

test('the scopes are those that the rows of the table ask for', () => {
  const asked = Object.values(api).flatMap(({ access }) => (access === 'public' ? [] : access));
  expect(new Set(asked)).toEqual(new Set(scopes));
});
