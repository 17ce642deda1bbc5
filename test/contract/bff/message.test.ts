import * as z from 'zod/mini';
import { describe, expect, it, test } from 'vitest';
import { AddMessageBody, fillMessage, messageLanguages } from '../../../src/contract/bff/message.ts';
import { isPlaylistTemplate, playlistUrlOf } from '../../../src/contract/bff/access-token.ts';
import { sentencesOf } from '../../support/contract/faults.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';

const message = { occasion: 'extended', language: 'en', name: 'Extended', text: 'Until {expires}.' } as const;
const token = 'Aa1-'.repeat(10) + 'xyz';

describe('the text of a message', () => {
  it('is refused with what to do', async () => {
    const known = 'Use one of: {username}, {expires}, {bundles}, {token}, {playlistUrl}.';
    await expectOutcomes(
      {
        'text: Enter a text.': ['', ' \n '],
        'text: 1001 characters, limit 1000: remove 1.': ['x'.repeat(1001)],
        'text: Remove control characters, such as tabs.': ['Hello\tyou'],
        [`text: {name} is not a placeholder. ${known}`]: ['Hello {name}'],
        [`text: {Username} is not a placeholder. ${known}`]: ['Hello {Username}'],
        [`text: { is not a placeholder. ${known}`]: ['Hello {{username}}', 'Hello {username'],
        'text: This contains an access token, which is secret. Use {token} or {playlistUrl} instead.': [
          `Open ${token}`,
        ],
      },
      (text) => sentencesOf(AddMessageBody, { ...message, text }),
    );
  });

  it('has its lines, without spaces around it', () => {
    const { text } = z.decode(AddMessageBody, { ...message, text: ' Hello\r\n{username}\n' });
    expect(text).toBe('Hello\n{username}');
  });

  it('is filled in one pass, so that a username that looks like a placeholder stays as it is', () => {
    const values = {
      username: '{expires}',
      expires: '1 June',
      bundles: 'Sports',
      token: 'secret',
      playlistUrl: '$&',
    };
    expect(fillMessage('{username}: {expires}, {playlistUrl}, {token}, {other}', values)).toBe(
      '{expires}: 1 June, $&, secret, {other}',
    );
  });
});

test('the languages are those in which dates can be written here, and each is there once', () => {
  expect(Intl.DateTimeFormat.supportedLocalesOf(messageLanguages)).toEqual([...messageLanguages]);
  expect(new Set(messageLanguages).size).toBe(messageLanguages.length);
});

test('a playlist address has token and username as parts of an address, in one pass', () => {
  const template = 'https://tv.example/{username}/{token}.m3u8';
  expect(isPlaylistTemplate(template)).toBe(true);
  expect(playlistUrlOf(template, { accessToken: 'a/b?c', username: '{token}' })).toBe(
    'https://tv.example/%7Btoken%7D/a%2Fb%3Fc.m3u8',
  );
});
