import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/server/config/config.ts';

const read = (env: Record<string, string>, files: Record<string, string> = {}) =>
  readConfig(env, (path) => {
    const text = files[path];
    if (text === undefined) throw new Error('ENOENT');
    return text;
  });

function errorsOf(env: Record<string, string>, files?: Record<string, string>): string[] {
  try {
    read(env, files);
  } catch (error) {
    return error instanceof Error ? error.message.split('\n') : [];
  }
  return [];
}

const provider = {
  OIDC_ISSUER: 'https://id.example.com/realms/staff',
  OIDC_CLIENT_ID: 'subscriber-desk',
  OIDC_CLIENT_SECRET: 'a secret of the provider',
};

describe('single sign-on', () => {
  test('is named by issuer, id and secret; the role stands in the claim "roles" unless another is named', () => {
    const openId = {
      issuer: 'https://id.example.com/realms/staff',
      clientId: 'subscriber-desk',
      clientSecret: 'a secret of the provider',
      roleClaim: 'roles',
    };
    expect(read(provider).openId).toEqual(openId);
    expect(read({ ...provider, OIDC_ROLE_CLAIM: 'realm_access.roles' }).openId?.roleClaim).toBe(
      'realm_access.roles',
    );
  });

  test('asks for what is set, and for the usual where nothing is', () => {
    expect(read({ ...provider, OIDC_SCOPE: 'groups openid' }).openId?.scope).toBe('groups openid');
    expect(read(provider).openId).not.toHaveProperty('scope');
  });

  test('may have its secret in a file', () => {
    const { OIDC_CLIENT_SECRET: secret, ...others } = provider;
    expect(read({ ...others, OIDC_CLIENT_SECRET_FILE: 'f' }, { f: `${secret}\n` }).openId?.clientSecret).toBe(
      secret,
    );
  });

  test.each(Object.keys(provider))('is not half named: %s alone, or all but it', (name) => {
    const { [name]: value = '', ...others } = provider as Record<string, string>;
    expect(errorsOf(others)).toEqual([expect.stringMatching(new RegExp(`^Set ${name} too: `))]);
    expect(errorsOf({ [name]: value })).toHaveLength(2);
  });

  test('needs more than a claim or a scope', () => {
    expect(errorsOf({ OIDC_ROLE_CLAIM: 'roles' })).toHaveLength(3);
    expect(errorsOf({ OIDC_SCOPE: 'openid' })).toHaveLength(3);
  });

  test.each([
    'https://id.example.com',
    'http://localhost:9000',
    'http://127.0.0.1:9000/x',
    'http://[::1]:9000',
  ])('takes the issuer %s', (issuer) => {
    expect(read({ ...provider, OIDC_ISSUER: issuer }).openId?.issuer).toBe(issuer);
  });

  test.each([
    [
      'OIDC_ISSUER',
      [
        '',
        'id.example.com',
        'http://id.example.com',
        'http://localhost.example.com',
        'ftp://localhost',
        'https://me@id.example.com',
        'https://id.example.com?x',
        'https://id.example.com/a#b',
        'https://id.example.com/a/../b',
      ],
    ],
    ['OIDC_CLIENT_ID', ['', ' ', 'a\nb']],
    ['OIDC_CLIENT_SECRET', ['', ' ', 'a\nb']],
    ['OIDC_ROLE_CLAIM', ['', ' ']],
    [
      'OIDC_SCOPE',
      ['', 'profile', 'OpenID', 'openid  email', 'openid,email', ' openid', 'openid\n', 'openid "x"'],
    ],
  ])('says what is wrong with %s', (name, texts) => {
    for (const text of texts)
      expect(errorsOf({ ...provider, [name]: text }), JSON.stringify(text)).toEqual([
        expect.stringMatching(new RegExp(`^Set ${name} to .*\\.$`)),
      ]);
  });
});
