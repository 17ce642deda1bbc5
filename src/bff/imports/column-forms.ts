import type { ImportColumn } from '../../contract/bff/import.ts';
import { fieldLabels, SubscriberInput } from '../../contract/service/subscriber-input.ts';

/** Notation of a column's cells by a spreadsheet in another language. */
export interface ColumnForm {
  /** A cell as an export has it; one of another form as it is. */
  translate: (cell: string) => string;
  /** The reading of them, in a sentence with cells of the column. */
  sentence: string;
}

/** Looks at the cells of a column one after the other. */
interface FormFinder {
  add: (cell: string) => void;
  /** Null where the cells need no translation, or do not agree. */
  find: () => ColumnForm | null;
}

/** @returns null for a column whose cells are the same in every language */
export function createFormFinder(column: ImportColumn | null): FormFinder | null {
  if (column === null || column === 'id' || column === 'version') return null;
  if (column === 'expiresAt') return createDateFinder();
  return SubscriberInput.shape[column].def.type === 'boolean' ? createWordFinder(column) : null;
}

/** True and false in German, Norwegian and French, in words and as spreadsheets write them. */
const wordPairs = ['ja nein', 'ja nei', 'oui non', 'wahr falsch', 'vrai faux', 'sann usann'].map((pair) =>
  pair.split(' '),
);
const english = ['true', 'false', 'yes', 'no', 'on', 'off', '1', '0'];
const knownWords = new Set([...wordPairs.flat(), ...english]);

function createWordFinder(column: keyof SubscriberInput): FormFinder {
  const seen = new Set<string>();
  return {
    add(cell) {
      const word = cell.trim().toLowerCase();
      if (knownWords.has(word)) seen.add(word);
    },
    find() {
      const pair = wordPairs.find((words) => [...seen].every((word) => words.includes(word)));
      if (!pair || seen.size === 0) return null;
      const translate = (cell: string) => {
        const index = pair.indexOf(cell.trim().toLowerCase());
        return index === -1 ? cell : String(index === 0);
      };
      return { translate, sentence: sentenceOf(column, [...seen], translate) };
    },
  };
}

/** The day first, or in American English the month. A point is never between a month and a day. */
const datePattern = /^\s*(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:,? {1,3}(\d{1,2}):(\d\d(?::\d\d)?))?\s*$/;

function createDateFinder(): FormFinder {
  /** A cell that can only be read with the day first, and one with the month first. */
  let [dayFirst, monthFirst]: (string | undefined)[] = [];
  return {
    add(cell) {
      const [, first, separator, second] = datePattern.exec(cell) ?? [];
      if (separator === '.' || Number(first) > 12) dayFirst ??= cell.trim();
      else if (Number(second) > 12) monthFirst ??= cell.trim();
    },
    find() {
      const example = dayFirst ?? monthFirst;
      if (example === undefined || (dayFirst !== undefined && monthFirst !== undefined)) return null;
      const translate = (cell: string) => {
        const [, first = '', , second = '', year, hours, rest] = datePattern.exec(cell) ?? [];
        if (year === undefined) return cell;
        const [day, month] = dayFirst === undefined ? [second, first] : [first, second];
        const time = hours === undefined ? '' : ` ${hours.padStart(2, '0')}:${rest}`;
        return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${time}`;
      };
      return { translate, sentence: sentenceOf('expiresAt', [example], translate) };
    },
  };
}

const sentenceOf = (
  column: keyof SubscriberInput,
  cells: readonly string[],
  translate: ColumnForm['translate'],
) => `${fieldLabels[column]}: ${cells.map((cell) => `“${cell}” is read as ${translate(cell)}`).join(', ')}.`;
