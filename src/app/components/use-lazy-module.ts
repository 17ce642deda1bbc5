import { useEffect, useEffectEvent, useState } from 'react';
import { ApiError } from '../../contract/http/client.ts';
import { useApp } from './app-context.ts';

/** Loads a file of the dashboard. @throws {ApiError} `unreachable`, whose sentence says what to do */
export const loadFile = <File>(load: () => Promise<File>): Promise<File> =>
  load().catch(async (cause: unknown) => {
    const advice = await expectServer().then(
      () => 'Reload the page',
      () => 'Check your connection',
    );
    throw new ApiError('unreachable', `Couldn’t load this part of the page. ${advice} and try again.`, {
      cause,
    });
  });

/**
 * Tells a server that no longer has a file, since its release is a newer one, from a server that does not answer.
 *
 * @throws {ApiError} `unreachable` if reloading the document would fail now
 */
export async function expectServer(): Promise<void> {
  const answer = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (!answer || answer.status >= 500) throw new ApiError('unreachable', '');
}

/** Pause before a part that could not be loaded is tried again, in ms. */
const retryInterval = 15_000;

/**
 * Loads a part of the page when it is first needed; null until it is loaded. If that fails, a toast says so, and it is tried
 * again as long as the part is needed.
 *
 * @param onFailure called then as well
 */
export function useLazyModule<Part>(
  load: () => Promise<Part>,
  isNeeded: boolean,
  onFailure?: () => void,
): Part | null {
  const { toasts } = useApp();
  const [part, setPart] = useState<{ loaded: Part } | null>(null);
  const fail = useEffectEvent((sentence: string) => {
    toasts.show('bad', sentence);
    onFailure?.();
  });
  const get = useEffectEvent(load);
  useEffect(() => {
    if (!isNeeded) return;
    let isShown = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    function attempt(): void {
      loadFile(get).then(
        (loaded) => isShown && setPart({ loaded }),
        (error: unknown) => {
          if (!isShown) return;
          // Once: the next one would say the same.
          if (timer === undefined) fail(String(Object(error).message));
          timer = setTimeout(attempt, retryInterval);
        },
      );
    }
    attempt();
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, [isNeeded]);
  return part && part.loaded;
}
