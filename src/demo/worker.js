// The demo's service worker: MSW's, which hands requests to the page, and what a static host cannot do by itself.
// A host has no file for an address inside the dashboard, so after the first visit this leads to the page that has.

const { scope } = self.registration;
const cacheName = `subscriber-desk-demo:${scope}`;

// MSW removes its worker with the last tab, and a reload closes the last tab.
self.registration.unregister = () => Promise.resolve(false);

// Before MSW's listener, which would answer in its own way.
self.addEventListener('fetch', (event) => {
  const { mode, method, url } = event.request;
  if (method !== 'GET' || !url.startsWith(scope)) return;
  if (mode !== 'navigate' && !url.startsWith(`${scope}assets/`)) return;
  event.stopImmediatePropagation();
  event.respondWith(mode === 'navigate' ? openPage(event) : loadAsset(event));
});

/** Always asks the host first, so that no page of an older build is shown. */
async function openPage({ request }) {
  const { pathname, search } = new URL(request.url);
  const isPage = pathname === new URL(scope).pathname;
  const [answer, isTrusted] = await Promise.all([
    fetch(request).catch(() => null),
    isPage || knowsItsPages(),
  ]);
  if (isPage) return (await keepPage(answer)) ?? (await caches.match(scope)) ?? answer ?? Response.error();
  const isFile = /\.[^/]+$/.test(pathname);
  if (answer !== null && answer.status !== 404 && (isTrusted || isFile)) return answer;
  const at = `/${pathname.slice(new URL(scope).pathname.length)}${search}`;
  return Response.redirect(`${scope}?${new URLSearchParams({ 'demo-at': at })}`);
}

/** Whether the host says that it has no page where it has none: many show a page of their own, as if that were it. */
async function knowsItsPages() {
  const answer = await fetch(`${scope}there-is-no-such-page`).catch(() => null);
  return answer?.status === 404;
}

/** Keeps the page for when the host does not answer. A page of another build drops the files of the one before. */
async function keepPage(answer) {
  if (!answer?.ok) return answer?.status === 404 ? null : answer;
  const kept = await caches.match(scope);
  const isNew = (await kept?.text()) !== (await answer.clone().text());
  if (isNew) await caches.delete(cacheName);
  await (await caches.open(cacheName)).put(scope, answer.clone());
  return answer;
}

/** The name of an asset contains the hash of its content, so a kept one is never old. */
async function loadAsset({ request }) {
  const kept = await caches.match(request.url);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(cacheName)).put(request.url, answer.clone());
  return answer;
}

importScripts('mockServiceWorker.js');
