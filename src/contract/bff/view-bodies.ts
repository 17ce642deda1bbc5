import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { characters } from '../service/characters.ts';
import { isPlainText } from '../http/endpoint.ts';
import { holdsNoToken, viewLimits, ViewQuery } from './view.ts';

export const ViewId = z.object({
  id: z.string().check(z.regex(/^[\w-]{1,64}$/, 'No view has this id.')),
});

const name = z
  .string('Enter a name.')
  .check(
    z.trim(),
    z.minLength(1, 'Enter a name.'),
    characters(viewLimits.name),
    z.refine(isPlainText, 'Use no line breaks or control characters.'),
    holdsNoToken,
  );

export const AddViewBody = z.strictObject({ name, query: ViewQuery });
export type AddViewBody = z.input<typeof AddViewBody>;

/** What is left out stays as it is. `place` is the index in the list; past the end means the end. */
export const ChangeViewBody = z.partial(
  z.strictObject({
    name,
    place: z
      .int('Use a whole number.')
      .check(
        z.minimum(0, 'Use a whole number of at least 0.'),
        z.maximum(viewLimits.views, 'Use a smaller number.'),
      ),
  }),
);
export type ChangeViewBody = z.infer<typeof ChangeViewBody>;
