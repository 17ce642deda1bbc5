import * as z from 'zod/mini';
import { exportCountHeader, exportEnd } from '../../contract/bff/export-query.ts';
import { ApiError } from '../../contract/http/client.ts';

/**
 * Reads an answer of JSON lines, of which the last one is their number.
 *
 * @param onProgress called with how many were read, and of how many, as far as is known
 * @throws {ApiError} if it was cut off before its end
 */
export async function readLines<T>(
  answer: Response,
  schema: z.ZodMiniType<T>,
  onProgress: (done: number, all: number | null) => void = () => undefined,
): Promise<T[]> {
  const count = answer.headers.get(exportCountHeader);
  const rows: T[] = [];
  let carry = '';
  const decoder = new TextDecoder();
  const reader = answer.body?.getReader();
  try {
    for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
      const lines = (carry + decoder.decode(read.value, { stream: true })).split('\n');
      carry = lines.pop() ?? '';
      for (const line of lines) {
        const end = exportEnd.read(`${line}\n`);
        if (end?.rows === rows.length) return rows;
        rows.push(z.parse(schema, JSON.parse(line)));
      }
      onProgress(rows.length, count === null ? null : Number(count));
    }
  } catch (cause) {
    if (Object(cause).name === 'AbortError') throw cause;
    throw cutOff(cause);
  }
  throw cutOff();
}

const cutOff = (cause?: unknown) =>
  new ApiError('unreachable', 'The file was cut off before its end. Try again.', { cause });
