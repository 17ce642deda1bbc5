import { useEffect, useState, type Ref } from 'react';
import { useApp } from './app-context.ts';
import { Button } from './button.tsx';

/** The sentences after copying; `name` as in `CopyButton`. */
export const copyOutcomes = {
  copied: (name: string) => `The ${name} is on the clipboard.`,
  failed: (name: string) => `Your browser blocked copying. Copy the ${name} yourself.`,
};

/** A text to copy, or how to get it: null if that failed, which it says itself. */
type Source = string | (() => Promise<string | null>);

/** The last copy that somebody asked for; there is one clipboard. */
let latest = Symbol();

/**
 * Copies a text to the clipboard, unless something else was copied before it was there: the token of the subscriber before
 * would be pasted for the next one.
 *
 * @returns null if there was no text to copy
 */
export async function copyText(source: Source): Promise<'copied' | 'failed' | null> {
  const own = (latest = Symbol());
  const text =
    typeof source === 'string' ? source : source().then((found) => (own === latest ? found : null));
  try {
    await (typeof text === 'string' ? navigator.clipboard.writeText(text) : writeLater(text));
    return 'copied';
  } catch {
    return (await text) === null ? null : 'failed';
  }
}

/** Begins to copy before the text is there: Safari allows it only at the click itself. */
async function writeLater(text: Promise<string | null>): Promise<void> {
  const found = text.then((whole) => whole ?? Promise.reject(new Error('There is no text.')));
  if (typeof ClipboardItem !== 'function') return navigator.clipboard.writeText(await found);
  const blob = found.then((whole) => new Blob([whole], { type: 'text/plain' }));
  // A browser that refuses at once leaves it unread.
  blob.catch(() => undefined);
  return navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
}

/** A function that copies a text and says so in a toast, for commands. It returns whether the text was copied. */
export function useCopy() {
  const { toasts } = useApp();
  return async (text: Source, name: string): Promise<boolean> => {
    const outcome = await copyText(text);
    if (outcome) toasts.show(outcome === 'copied' ? 'ok' : 'bad', copyOutcomes[outcome](name));
    return outcome === 'copied';
  };
}

/**
 * Copies a text to the clipboard and confirms it on the button.
 *
 * @param props.name what the text is: "token" or "password"
 * @param props.shown the text of the button, unless it is “Copy”, with the name where it is not small
 * @param props.onCopied called once it is on the clipboard
 */
export function CopyButton(props: {
  text: Source;
  name: string;
  small: boolean;
  shown?: string;
  onCopied?: () => void;
  ref?: Ref<HTMLButtonElement>;
}) {
  const { text, name, small, shown = small ? 'Copy' : `Copy ${name}`, onCopied, ref } = props;
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), 2500);
    return () => clearTimeout(timer);
  }, [outcome]);

  async function copy(): Promise<void> {
    const done = await copyText(text);
    setOutcome(done);
    if (done === 'copied') onCopied?.();
  }

  // The name of the button holds what it shows.
  const verb = outcome === 'copied' ? 'Copied' : 'Copy';
  return (
    <>
      <Button
        variant={small ? 'quiet' : 'plain'}
        small={small}
        ref={ref}
        aria-label={`${verb} ${name}`}
        onClick={() => void copy()}
      >
        {outcome === 'copied' ? verb : shown}
      </Button>
      <span role="status" className={outcome === 'failed' ? undefined : 'visually-hidden'}>
        {outcome && copyOutcomes[outcome](name)}
      </span>
    </>
  );
}
