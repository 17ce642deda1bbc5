import { searchText } from '../../contract/service/search-text.ts';

/** A LIKE pattern, with `\` as its escape character, for texts that contain this one as it stands. */
export function containsPattern(text: string): string {
  return `%${searchText(text).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
