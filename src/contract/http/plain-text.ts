// Rules of texts without schemas, because the first view needs some of them.

/** The sentence for too many of something, such as `114 entries, limit 100: remove 14.` */
export const tooMany = (count: number, most: number, things: 'characters' | 'entries') =>
  `${count} ${things}, limit ${most}: remove ${count - most}.`;

/** True for at most `most` characters, counted as code points as JSON Schema does: "é" and an emoji are one each. */
export const isWithin = (text: string, most: number): boolean =>
  text.length <= most || [...text].length <= most;

/** True if text is well-formed and has no control characters (C0, DEL, C1). No name, address or token has any. */
export function isPlainText(value: string): boolean {
  return value.isWellFormed() && !/\p{Cc}/u.test(value);
}

/** A whole number as it is written in paths and queries. */
export const integerPattern = /^(0|-?[1-9]\d{0,15})$/;
