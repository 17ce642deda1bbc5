import { type AnyRouter, useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useQuery } from '@tanstack/react-query';
import { expectServer, loadFile, useLazyModule } from '../components/use-lazy-module.ts';
import { describeError, isOutage } from '../api/errors.ts';
import { ReadFailure } from '../api/read-failure.tsx';
import { Failure } from '../components/failure.tsx';
import styles from './dead-ends.module.css';

/**
 * A page whose file is loaded when it is opened, or about to be: the router awaits `preload` and shows its error.
 *
 * @param name of the export that shows it
 */
export function lazyPage<Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
) {
  let Page: ComponentType | undefined;
  const preload = async () => {
    Page ??= (await loadFile(load))[name];
  };
  return Object.assign(() => Page && <Page />, { preload });
}

/**
 * Opens a page again whose file could not be loaded. If the server answers, but not with this file, its release is a newer one,
 * in which the file has another name: then the document is reloaded, unless that did not help a moment ago.
 *
 * @param cause why the file could not be loaded
 * @throws {ApiError} `unreachable`, or the cause
 */
async function openAgain(router: AnyRouter, cause: unknown): Promise<null> {
  await expectServer();
  reloadStyles();
  await router.invalidate();
  if (!router.state.matches.some(({ status }) => status === 'error')) return null;
  await expectServer();
  const key = 'reloaded';
  if (Date.now() - Number(sessionStorage.getItem(key)) < 60_000) throw cause;
  sessionStorage.setItem(key, String(Date.now()));
  location.reload();
  return null;
}

/** Loads the style sheets again that failed. The bundler's code asks for each of them only once. */
function reloadStyles(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('[rel=stylesheet]'))
    if (!hasRules(link)) link.replaceWith(link.cloneNode());
}

/** Browsers have no sheet for a link that failed, or one whose rules nobody may read. */
function hasRules({ sheet }: HTMLLinkElement): boolean {
  try {
    return Boolean(sheet?.cssRules);
  } catch {
    return false;
  }
}

const loadNotFound = () => import('./not-found.tsx');

/** Rarely needed, so it is not loaded with the first view. */
export function NotFound() {
  const page = useLazyModule(loadNotFound, true);
  return page && <page.NotFound />;
}

/** Shown when a page throws, with a button to try again, and while its file can't be loaded, which is tried again by itself. */
export function PageFailure({ error }: ErrorComponentProps) {
  const router = useRouter();
  const opening = useQuery({
    queryKey: ['page'],
    queryFn: () => openAgain(router, Object(error).cause),
    enabled: isOutage(error),
    retry: false,
    gcTime: 0,
    meta: { awaited: 'the page' },
  });
  return (
    <div className={`stack ${styles.page}`}>
      {isOutage(error) ? (
        <ReadFailure what="the page" read={opening} />
      ) : (
        <Failure
          what="Couldn’t show this page"
          error={error}
          reason={describeError(error)}
          onRetry={() => void router.invalidate()}
        />
      )}
    </div>
  );
}
