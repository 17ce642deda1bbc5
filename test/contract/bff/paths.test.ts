import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { returnPath } from '../../../src/contract/bff/paths.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';

const origin = 'https://app.example';
const read = (path: string | undefined) => returnPath(path, origin);

describe('the return path', () => {
  it('is the path that was requested, on this site', () => {
    const own = [
      '/',
      '/subscribers',
      '/subscribers/7/edit?page=2&username=a+b',
      '/subscribers#list',
      '/a//b',
    ];
    expect(own.map(read)).toEqual(own);
  });

  it('is the start page for any other address', async () => {
    await expectOutcomes(
      {
        '/': [
          undefined,
          '',
          'subscribers',
          '/.//evil.example',
          '\\\\evil.example',
          '\t//evil.example',
          ' //evil.example',
          'https://evil.example',
          'https:evil.example',
          'https:/evil.example',
          'https://app.example@evil.example',
          'https://app.example.evil.example',
          '@evil.example',
          'javascript:alert(1)',
          'java\nscript:alert(1)',
          'data:text/html,hello',
          'blob:https://app.example/1',
        ],
      },
      read,
    );
  });

  it('stays on this site for any text', () => {
    const signs = ['/', '\\', '.', '..', '\t', '\n', '@', ':', '?', '#', '%2f', '%5c', '%2e'];
    const piece = fc.oneof(fc.constantFrom(...signs, 'https:', 'evil.example'), fc.string({ maxLength: 3 }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const path = read(`/${pieces.join('')}`);
        expect(path.startsWith('/')).toBe(true);
        expect(new URL(path, origin).origin).toBe(origin);
      }),
      { seed: 20_260_606, numRuns: 5000 },
    );
  });
});
