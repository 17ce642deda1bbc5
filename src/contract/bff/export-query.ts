import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { idOf, wireBoolean, wireNames, wireText } from '../http/shapes.ts';
import { exportFields, exportFormats } from './export-format.ts';
import { isTimeZone } from './extension.ts';
import { ViewQuery } from './view.ts';

/**
 * Selects what to export. The filters and the order are those of the list. A parameter that does not exist is refused,
 * so that a misspelt filter does not export everybody.
 */
export const ExportQuery = z.strictObject({
  ...ViewQuery.shape,
  /** Instead of a filter: the subscribers that a job has changed, as they are now. */
  job: z.optional(idOf('a job')),
  /** All, if none is named. */
  columns: z.optional(wireNames(exportFields)),
  format: z.optional(z.enum(exportFormats, `Choose one of: ${exportFormats.join(', ')}.`)),
  /** The zone of all times; UTC unless given. */
  zone: z.optional(wireText(64).check(z.refine(isTimeZone, 'Use UTC or a time zone such as Europe/Oslo.'))),
  /** With the four lists, which takes a read of each subscriber. */
  lists: z.optional(wireBoolean),
  /** With the names of bundles that have one, instead of their numbers. */
  bundleNames: z.optional(wireBoolean),
  /** With the access tokens. That needs a reason in the header `X-Change-Reason`. */
  tokens: z.optional(wireBoolean),
  /** With a last line that `exportEnd` writes, for clients that cannot trust what is between to report a cut-off file. */
  counted: z.optional(wireBoolean),
});
export type ExportQuery = z.infer<typeof ExportQuery>;

/** The header with the number of subscribers that matched at the start; missing where the service cannot say. */
export const exportCountHeader = 'X-Total-Count';

/** The last line of a counted export; it is no part of the file. */
export const exportEnd = {
  write: (rows: number): string => `#rows ${rows}\n`,
  /** Reads the last bytes of an answer, one character each: the number of rows, and where the line begins. */
  read(text: string): { rows: number; at: number } | null {
    const found = /#rows (\d{1,15})\n$/.exec(text);
    return found && { rows: Number(found[1]), at: found.index };
  },
  /** In bytes. */
  longest: 22,
} as const;
