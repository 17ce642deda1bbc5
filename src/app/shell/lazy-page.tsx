import type { AnyRouter } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { expectServer, loadFile } from '../components/use-lazy-module.ts';

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
export async function openAgain(router: AnyRouter, cause: unknown): Promise<null> {
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
