/** A text as every database keeps it: PostgreSQL refuses NUL, and halves of surrogate pairs are lost on the way to any. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');
