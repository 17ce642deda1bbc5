import { ApiError } from '../../contract/http/client.ts';

/** The text of a file: UTF-8, or UTF-16 with a byte order mark. @throws {ApiError} a sentence about a file that is neither */
export async function readTextFile(file: File): Promise<string> {
  const buffer = await file.arrayBuffer().catch((cause: unknown) => {
    const sentence = 'The file can’t be read. It may have been moved or changed. Choose it again.';
    throw new ApiError('other', sentence, { cause });
  });
  const bytes = new Uint8Array(buffer);
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch (cause) {
    const sentence =
      'This file isn’t in UTF-8 or UTF-16. Save your spreadsheet as “CSV UTF-8”, then choose that file.';
    throw new ApiError('other', sentence, { cause });
  }
}

function encodingOf([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | 'utf-8' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
