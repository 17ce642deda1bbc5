import * as z from 'zod/mini';
import { describe, expect, test } from 'vitest';
import { AddMessageBody, fillMessage, messageLanguages } from '../../../src/contract/bff/message.ts';
import { isPlaylistTemplate, playlistUrlOf } from '../../../src/contract/bff/playlist-url.ts';
import { faultsOf } from '../../support/contract/faults.ts';

const message = { occasion: 'extended', language: 'en', name: 'Extended', text: 'Until {expires}.' } as const;
const token = 'Aa1-'.repeat(10) + 'xyz';

describe('the text of a message', () => {
  test.each([
    ['', 'Enter a text.'],
    [' \n ', 'Enter a text.'],
    ['x'.repeat(1001), '1001 characters, limit 1000: remove 1.'],
    ['Hello\tyou', 'Remove control characters, such as tabs.'],
    ['Hello {name}', '{name} is not a placeholder. Use {username}, {expires} or {playlistUrl}.'],
    ['Hello {Username}', '{Username} is not a placeholder. Use {username}, {expires} or {playlistUrl}.'],
    ['Hello {{username}}', '{ is not a placeholder. Use {username}, {expires} or {playlistUrl}.'],
    ['Hello {username', '{ is not a placeholder. Use {username}, {expires} or {playlistUrl}.'],
    [`Open ${token}`, 'This contains an access token, which is secret. Use {playlistUrl} instead.'],
  ])('%j is refused with what to do', (text, sentence) => {
    expect(faultsOf(AddMessageBody, { ...message, text })).toEqual({ text: [sentence] });
  });

  test('has its lines, without spaces around it', () => {
    expect(z.decode(AddMessageBody, { ...message, text: ' Hello\r\n{username}\n' }).text).toBe(
      'Hello\n{username}',
    );
  });

  test('is filled in one pass, so that a username that looks like a placeholder stays as it is', () => {
    const values = { username: '{expires}', expires: '1 June', playlistUrl: '$&' };
    expect(fillMessage('{username}: {expires}, {playlistUrl}, {other}', values)).toBe(
      '{expires}: 1 June, $&, {other}',
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
