import { useEffect, useState } from 'react';
import { Button } from './button.tsx';

/** What to say after copying; `name` as in `CopyButton`. */
export const copyOutcomes = {
  copied: (name: string) => `The ${name} is on the clipboard.`,
  failed: (name: string) => `Your browser blocked copying. Copy the ${name} yourself.`,
};

/**
 * Copies a text to the clipboard and confirms it on the button.
 *
 * @param props.name what the text is: "token" or "password"
 * @param props.onCopied called once it is on the clipboard
 */
export function CopyButton(props: { text: string; name: string; small: boolean; onCopied?: () => void }) {
  const { text, name, small, onCopied } = props;
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), 2500);
    return () => clearTimeout(timer);
  }, [outcome]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
      onCopied?.();
    } catch {
      setOutcome('failed');
    }
  }

  return (
    <>
      <Button
        look={small ? 'quiet' : 'plain'}
        small={small}
        aria-label={`Copy ${name}`}
        onClick={() => void copy()}
      >
        {outcome === 'copied' ? 'Copied' : small ? 'Copy' : `Copy ${name}`}
      </Button>
      <span role="status" className={outcome === 'failed' ? undefined : 'visually-hidden'}>
        {outcome && copyOutcomes[outcome](name)}
      </span>
    </>
  );
}
