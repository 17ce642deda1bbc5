/**
 * Small stand-ins for what jsdom has not: modal dialogs, popovers and scrolling. They do what the standard says as
 * far as the dashboard relies on it. Not imitated: that a modal dialog makes the rest of the page inert.
 */
const origins = new WeakMap<HTMLDialogElement, Element | null>();
const focusable = 'button, [href], input:not([hidden]), select, textarea, [tabindex]:not([tabindex="-1"])';

HTMLDialogElement.prototype.showModal = function showModal() {
  if (this.open) throw new DOMException('The dialog is open already.', 'InvalidStateError');
  origins.set(this, document.activeElement);
  this.open = true;
  this.querySelector<HTMLElement>(focusable)?.focus();
};

HTMLDialogElement.prototype.close = function close() {
  if (!this.open) return;
  this.open = false;
  const origin = origins.get(this);
  if (origin instanceof HTMLElement) origin.focus();
  this.dispatchEvent(new Event('close'));
};

const openPopovers = new Set<HTMLElement>();

HTMLElement.prototype.showPopover = function showPopover() {
  openPopovers.add(this);
  // jsdom's own style sheet hides whatever is not `:popover-open`, which it never finds to be so.
  this.style.display = 'block';
  this.toggleAttribute('data-popover-open', true);
};

HTMLElement.prototype.hidePopover = function hidePopover() {
  openPopovers.delete(this);
  this.style.display = '';
  this.removeAttribute('data-popover-open');
  // The browser returns the focus to the button that opened it.
  if (this.contains(document.activeElement))
    document.querySelector<HTMLElement>(`[popovertarget="${this.id}"]`)?.focus();
};

/** The button of a popover opens and closes it. */
document.addEventListener('click', ({ target }) => {
  const opener = target instanceof Element ? target.closest('[popovertarget]') : null;
  const popover = document.getElementById(opener?.getAttribute('popovertarget') ?? '');
  if (popover && openPopovers.has(popover)) popover.hidePopover();
  else popover?.showPopover();
});

/** Escape closes what is on top; a dialog asks its page first. Listens last, so that the page can keep the key. */
window.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.defaultPrevented) return;
  const dialog = [...document.querySelectorAll('dialog')].findLast(({ open }) => open);
  if (dialog?.dispatchEvent(new Event('cancel', { cancelable: true }))) dialog.close();
  if (!dialog) for (const popover of openPopovers) popover.hidePopover();
});

const find = document.querySelector.bind(document);
document.querySelector = (selectors: string) =>
  find(selectors.replaceAll(':popover-open', '[data-popover-open]'));

window.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;

/** There is no layout, so everything is in sight, as on a screen that is large enough. */
globalThis.IntersectionObserver = class implements IntersectionObserver {
  readonly root = null;
  readonly rootMargin = '';
  readonly scrollMargin = '';
  readonly thresholds = [];
  readonly #callback: IntersectionObserverCallback;

  constructor(callback: IntersectionObserverCallback) {
    this.#callback = callback;
  }

  observe(target: Element): void {
    const box = target.getBoundingClientRect();
    const entry = { target, isIntersecting: true, intersectionRatio: 1, time: 0, rootBounds: null };
    queueMicrotask(() =>
      this.#callback([{ ...entry, boundingClientRect: box, intersectionRect: box }], this),
    );
  }

  unobserve(): void {}
  disconnect(): void {}
  takeRecords(): IntersectionObserverEntry[] {
    return [];
  }
};

/** `<search>` is an element like any other; to jsdom it is an unknown one, of which React warns. */
const createElement = document.createElement.bind(document);
document.createElement = (name: string, options?: ElementCreationOptions) => {
  const element = createElement(name, options);
  if (name === 'search') Object.defineProperty(element, Symbol.toStringTag, { value: 'HTMLElement' });
  return element;
};
