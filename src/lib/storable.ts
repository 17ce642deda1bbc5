/**
 * A text as every database keeps it: PostgreSQL refuses NUL, and halves of surrogate pairs are lost on the way to any. NULs are
 * replaced by `split`, because `replaceAll` takes four times as long: 46 ms for a text of nothing else in 5 MB of JSON.
 */
export const storable = (text: string): string => text.toWellFormed().split('\0').join('\uFFFD');
