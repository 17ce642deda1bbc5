import { readIfMatch } from '../../contract/http/change-headers.ts';

/** The strong validator of a record: its id and version, such as `"12-3"` (RFC 9110 §8.8.3). */
export function etagOf(id: number, version: number): string {
  return `"${id}-${version}"`;
}

/**
 * Which versions of a record an `If-Match` allows to be written.
 *
 * @returns null for any: without the header, and for `*` (RFC 9110 §13.1.1)
 */
export function versionsAllowed(ifMatch: string | null, id: number): number[] | null {
  const tags = readIfMatch(ifMatch);
  if (tags === null) return null;
  return tags.flatMap((tag) => {
    const version = Number(/^"\d+-(\d{1,15})"$/.exec(tag)?.[1]);
    return tag === etagOf(id, version) ? [version] : [];
  });
}
