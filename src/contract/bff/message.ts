import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { idOf } from '../http/shapes.ts';
import { characters, visibleName } from '../http/text.ts';
import { tokenInText } from './access-token.ts';

/** Most messages, and most characters of a name and of a text. */
export const messageLimits = { messages: 100, name: 64, text: 1000 } as const;

/** The action that a message is about, or nothing in particular. */
export const occasions = ['created', 'extended', 'regenerated', 'general'] as const;
export type Occasion = (typeof occasions)[number];

/** Names that a text can have in braces, such as `{username}`. */
export const placeholders = ['username', 'expires', 'bundles', 'token', 'playlistUrl'] as const;
type Placeholder = (typeof placeholders)[number];

/** The languages of messages: BCP 47 tags without a region, for each of which dates can be written. */
export const messageLanguages: readonly string[] =
  'ar bg ca cs da de el en es et fa fi fr he hi hr hu id is it ja ko lt lv mk nb nl nn pl pt ro ru sk sl sq sr sv ta th tr uk ur vi zh'.split(
    ' ',
  );

const placeholder = /\{(\w+)\}/g;

const isPlaceholder = (name: string): name is Placeholder => placeholders.some((known) => known === name);

/** The placeholders in a text, without repetitions. */
export function placeholdersIn(text: string): Placeholder[] {
  const names = [...text.matchAll(placeholder)].map(([, name = '']) => name);
  return [...new Set(names)].filter(isPlaceholder);
}

/** A text with its placeholders replaced. In one pass: a username may itself look like a placeholder. */
export function fillMessage(text: string, values: Readonly<Record<Placeholder, string>>): string {
  return text.replace(placeholder, (whole, name: string) => (isPlaceholder(name) ? values[name] : whole));
}

/** Finds braces on one line without a placeholder, or a brace on its own; null if there is none. */
function strangeBraces(text: string): string | null {
  const rest = text.replace(placeholder, (whole, name: string) => (isPlaceholder(name) ? '\n' : whole));
  return /\{[^{}\n]*\}|[{}]/.exec(rest)?.[0] ?? null;
}

const text = z.string('Enter a text.').check(
  z.overwrite((typed) => typed.replaceAll(/\r\n?/g, '\n').trim()),
  z.minLength(1, 'Enter a text.'),
  characters(messageLimits.text),
  z.refine(
    (typed) => typed.isWellFormed() && !/[^\P{Cc}\n]/u.test(typed),
    'Remove control characters, such as tabs.',
  ),
  z.refine((typed) => strangeBraces(typed) === null, {
    error: ({ input }) =>
      `${strangeBraces(String(input))} is not a placeholder. Use one of: ${placeholders.map((name) => `{${name}}`).join(', ')}.`,
  }),
  z.refine(
    (typed) => tokenInText(typed) === null,
    'This contains an access token, which is secret. Use {token} or {playlistUrl} instead.',
  ),
);

const content = {
  occasion: z.enum(occasions, 'Choose when it is used.'),
  language: z.string().check(z.refine((tag) => messageLanguages.includes(tag), 'Choose a language.')),
  name: visibleName('Enter a name.', messageLimits.name),
  text,
};

/** A text for staff to copy and send to a subscriber, with placeholders. */
export const Message = z.object({
  ...content,
  id: z.string(),
  text: z.string(),
  /** Counts its changes: a change names the version that was on the screen. */
  version: z.int(),
});
export type Message = z.infer<typeof Message>;

export const MessageId = z.object({ id: idOf('a message') });

export const AddMessageBody = z.strictObject(content);
export type AddMessageBody = z.input<typeof AddMessageBody>;

/** The whole message as it is to be, and the version that it replaces. */
export const ChangeMessageBody = z.strictObject({
  ...content,
  version: z.int('Send the version that you changed.'),
});
export type ChangeMessageBody = z.input<typeof ChangeMessageBody>;
