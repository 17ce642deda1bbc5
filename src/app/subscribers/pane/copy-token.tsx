import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';

/** Puts the token on the clipboard and says so in place. */
export function CopyToken({ accessToken, small = true }: { accessToken: string; small?: boolean }) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), 2500);
    return () => clearTimeout(timer);
  }, [outcome]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(accessToken);
      setOutcome('copied');
    } catch {
      setOutcome('failed');
    }
  }

  return (
    <>
      <Button
        look={small ? 'quiet' : 'plain'}
        small={small}
        aria-label="Copy token"
        onClick={() => void copy()}
      >
        {outcome === 'copied' ? 'Copied' : small ? 'Copy' : 'Copy token'}
      </Button>
      <span role="status" className={outcome === 'failed' ? undefined : 'visually-hidden'}>
        {outcome === 'copied' && 'The token is on the clipboard.'}
        {outcome === 'failed' && 'The browser did not allow copying. Show the token and copy it by hand.'}
      </span>
    </>
  );
}
