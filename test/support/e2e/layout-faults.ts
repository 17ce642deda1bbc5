import type { Page } from 'playwright-core';
import { vi } from 'vitest';

/**
 * Elements that are too narrow, cut off, overlapping or outside the window, as sentences.
 *
 * @param widths of the window in pixels, which the page takes without being loaded again
 */
export async function layoutFaultsAt(page: Page, widths: readonly number[]): Promise<string[]> {
  const found: string[] = [];
  const debug = await page.context().newCDPSession(page);
  for (const width of widths) {
    // As telephones are: buttons and texts in fields are larger for a finger.
    await debug.send('Emulation.setTouchEmulationEnabled', { enabled: width < 720 });
    await page.setViewportSize({ width, height: width < 720 ? 844 : 900 });
    let faults: string[] = [];
    const look = async () => (faults = await page.evaluate(findLayoutFaults));
    // What the page itself lays out anew, such as a chart, comes after the resize.
    await vi.waitUntil(async () => (await look()).length === 0, { timeout: 10_000 }).catch(() => undefined);
    found.push(...faults.map((fault) => `${width} pixels: ${fault}`));
  }
  await debug.detach();
  return found;
}

type Box = Record<'left' | 'right' | 'top' | 'bottom', number>;

interface Surroundings {
  /** The box that holds the element: it must not stick out of it. */
  holder: Box;
  /** The visible part of the content without scrolling parts of the page. */
  seen: Box;
  /** The layer above the rest of the page, where it may cover what is below. */
  layer: Element;
}

/** An element that must not lie over another of its kind in the same layer. */
type Thing = Pick<Surroundings, 'layer'> & { element: Element; boxes: Box[] };

/** Runs in the page, so it may use nothing from outside itself. */
function findLayoutFaults(): string[] {
  /** A word in plain language is never broken; other texts only into pieces that can still be read. */
  const longestWord = 24;
  const leastPiece = 8;
  /** Fractions of pixels, and outlines of letters that are higher than their line. */
  const [slack, slackOfLetters, blank] = [1.5, 5, 6];

  const faults = new Set<string>();
  const everywhere: Box = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity };
  const words = (text: string | null | undefined) => (text ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 50);
  const named = (element: Element) =>
    `<${element.localName}> “${words(element.getAttribute('aria-label') ?? element.textContent)}”`;
  const meet = (one: Box, other: Box): Box => ({
    left: Math.max(one.left, other.left),
    right: Math.min(one.right, other.right),
    top: Math.max(one.top, other.top),
    bottom: Math.min(one.bottom, other.bottom),
  });
  const hasArea = (box: Box) => box.right - box.left > slack && box.bottom - box.top > slack;
  /** By how many pixels the inner box is outside the outer one, at the worst edge. */
  const beyond = (inner: Box, outer: Box, slackAbove: number) =>
    Math.max(
      outer.left - inner.left - slack,
      inner.right - outer.right - slack,
      outer.top - inner.top - slackAbove,
      inner.bottom - outer.bottom - slackAbove,
    );
  const pixels = (value: number) => `by ${Math.ceil(value)} pixels`;

  const controls: Thing[] = [];
  const labels: Thing[] = [];

  function visit(element: Element, around: Surroundings): void {
    const style = getComputedStyle(element);
    if (style.clipPath === 'inset(50%)') return;
    const hasBox = style.display !== 'contents';
    // What has no box is not visible itself; its content may be.
    if (hasBox && !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return;
    const box = element.getBoundingClientRect();
    const isOnTop = element.matches(':modal, :popover-open') || style.position === 'fixed';
    const isApart = isOnTop || style.position === 'absolute';
    const insets = [style.top, style.bottom, style.left, style.right];
    const isStuck = style.position === 'sticky' && insets.some((inset) => inset !== 'auto');
    const isInline = style.display === 'inline';
    const layer = isApart || isStuck ? element : around.layer;
    const seen = isOnTop ? everywhere : around.seen;
    if (hasBox && hasArea(meet(box, seen))) {
      // What waits above the window comes when it has the focus.
      if (isOnTop && box.bottom <= 0) return;
      const inWindow = { ...everywhere, left: 0, right: innerWidth };
      const external = beyond(
        meet(box, seen),
        isOnTop ? { ...inWindow, top: 0, bottom: innerHeight } : inWindow,
        slack,
      );
      if (external > 0) faults.add(`outside the window ${pixels(external)}: ${named(element)}`);
      if (!isApart && !isInline && element.localName !== 'tr') {
        const out = beyond(withMargins(box, style), around.holder, slack);
        if (out > 0) faults.add(`sticks out of what holds it ${pixels(out)}: ${named(element)}`);
      }
    }
    if (element.matches('a[href], button, input, select, textarea, summary'))
      controls.push({
        element,
        layer,
        boxes: [...element.getClientRects()].map((part) => meet(part, seen)).filter(hasArea),
      });
    // The list of shortcuts names them for a keyboard that somebody may have beside the telephone.
    if (element.localName === 'kbd' && innerWidth <= 480 && !element.closest('dl'))
      faults.add(`shows a key on a telephone: ${named(element)}`);
    if (element.localName === 'text') labels.push({ element, layer, boxes: [box] });
    checkNative(element, style);
    if (element.matches('svg, select, input, textarea')) {
      // Only the texts of a chart.
      for (const text of element.querySelectorAll('text')) visit(text, { holder: everywhere, seen, layer });
      return;
    }
    const inner = contentOf(element, style, box, { holder: around.holder, seen, layer });
    checkTexts(element, style, inner);
    for (const child of element.children) visit(child, inner);
  }

  /** A negative margin lets an element stick out on purpose. */
  function withMargins(box: Box, style: CSSStyleDeclaration): Box {
    const by = (margin: string) => Math.min(0, Number.parseFloat(margin) || 0);
    return {
      left: box.left - by(style.marginLeft),
      right: box.right + by(style.marginRight),
      top: box.top - by(style.marginTop),
      bottom: box.bottom + by(style.marginBottom),
    };
  }

  /** The part of an element that holds its content. */
  function contentOf(
    element: Element,
    style: CSSStyleDeclaration,
    box: Box,
    around: Surroundings,
  ): Surroundings {
    if (style.display === 'inline' || style.display === 'contents') return around;
    const clips = style.overflowX !== 'visible' || style.overflowY !== 'visible';
    if (!clips || element === document.body) return { ...around, holder: box };
    const isScrolled = (overflow: string) => overflow === 'auto' || overflow === 'scroll';
    const endsInDots = style.textOverflow === 'ellipsis';
    const isClamped = style.webkitLineClamp !== 'none';
    const aside = isScrolled(style.overflowX) || endsInDots || isClamped ? everywhere : box;
    const below = isScrolled(style.overflowY) || isClamped ? everywhere : box;
    const allowed = { left: aside.left, right: aside.right, top: below.top, bottom: below.bottom };
    return { ...around, holder: allowed, seen: meet(around.seen, box) };
  }

  function checkTexts(element: Element, style: CSSStyleDeclaration, { holder }: Surroundings): void {
    for (const node of element.childNodes) {
      if (!(node instanceof Text) || node.data.trim() === '') continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const lines = [...range.getClientRects()].filter(hasArea);
      // A blank that is kept may hang over the end of a line.
      const hanging = style.whiteSpaceCollapse === 'preserve' ? blank : 0;
      for (const { left, right, top, bottom } of lines) {
        const out = beyond({ left, right: right - hanging, top, bottom }, holder, slackOfLetters);
        if (out > 0) faults.add(`a text is cut off or sticks out ${pixels(out)}: ${named(element)}`);
      }
      const tops = new Set(lines.map(({ top }) => Math.round(top)));
      if (tops.size > 1) {
        checkWords(node, element);
        checkRoom(element, style);
      }
    }
  }

  /** Checks that no words are broken that would need more room. */
  function checkWords(node: Text, element: Element): void {
    // After these a line may always end.
    for (const { 0: word, index } of node.data.matchAll(/[^\s\-–—/?|…]+/g)) {
      const pieces = piecesOf(node, index, word.length);
      if (pieces.length < 2) continue;
      // Its first piece may only be the end of a line that began with something else.
      const isAtStart = index === 0 ? beginsLine(node, element) : piecesOf(node, index - 1, 2).length === 2;
      const whole = pieces.slice(isAtStart ? 0 : 1, -1);
      const isPlain = /^\p{L}+\P{L}?$/u.test(word) && word.length <= longestWord;
      if (isPlain || whole.some((length) => length < leastPiece))
        faults.add(`“${words(word)}” is broken into ${pieces.join(' + ')} characters: ${named(element)}`);
    }
  }

  /** True if nothing is before a text on its line. */
  function beginsLine(node: Text, element: Element): boolean {
    let block = element;
    while (block.parentElement && getComputedStyle(block).display === 'inline') block = block.parentElement;
    const range = document.createRange();
    range.selectNode(node);
    const start = block.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(block).paddingLeft);
    return (range.getClientRects()[0]?.left ?? 0) - start < blank;
  }

  /** Number of characters of a word on each line. */
  function piecesOf(node: Text, start: number, length: number): number[] {
    const range = document.createRange();
    const pieces: number[] = [];
    let line = Number.NaN;
    for (let at = start; at < start + length; at += 1) {
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const top = Math.round(range.getBoundingClientRect().top);
      if (top === line) pieces[pieces.length - 1] = (pieces.at(-1) ?? 0) + 1;
      else pieces.push(1);
      line = top;
    }
    return pieces;
  }

  /** Checks that no text needs several lines although there is room beside it that nothing uses. */
  function checkRoom(element: Element, style: CSSStyleDeclaration): void {
    const parent = element.parentElement;
    if (!parent || style.display === 'inline' || style.maxWidth !== 'none' || style.position === 'absolute')
      return;
    const own = element.getBoundingClientRect();
    const around = parent.getBoundingClientRect();
    const { paddingLeft, paddingRight } = getComputedStyle(parent);
    const room = around.width - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    if (own.width >= room * 0.75) return;
    const isBeside = (other: Element) => {
      const { top, bottom, width } = other.getBoundingClientRect();
      return (
        other !== element && width > slack && Math.min(bottom, own.bottom) - Math.max(top, own.top) > slack
      );
    };
    if (![...parent.children].some(isBeside))
      faults.add(
        `has ${Math.floor(own.width)} of ${Math.floor(room)} pixels and several lines: ${named(element)}`,
      );
  }

  /** Checks native controls: what the browser draws itself cannot be measured by ranges. */
  function checkNative(element: Element, style: CSSStyleDeclaration): void {
    const shown =
      element instanceof HTMLSelectElement
        ? element.selectedOptions[0]?.text
        : element instanceof HTMLInputElement && element.value === ''
          ? element.placeholder
          : '';
    // Several words may end in dots, and so may what is no word.
    const isWord = !shown?.includes(' ') && (shown?.length ?? 0) <= longestWord;
    if (!shown || (style.textOverflow === 'ellipsis' && !isWord)) return;
    const pen = document.createElement('canvas').getContext('2d');
    if (!pen) return;
    // The shorthand is empty where figures have one width.
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const arrow = element instanceof HTMLSelectElement ? 20 : 0;
    const room =
      element.clientWidth -
      Number.parseFloat(style.paddingLeft) -
      Number.parseFloat(style.paddingRight) -
      arrow;
    const out = pen.measureText(shown).width - room;
    if (out > slack) faults.add(`cuts “${words(shown)}” off ${pixels(out)}: ${named(element)}`);
  }

  function checkOverlaps(things: readonly Thing[], what: string): void {
    for (const [index, one] of things.entries())
      for (const other of things.slice(index + 1)) {
        if (one.layer !== other.layer || one.element.contains(other.element)) continue;
        if (one.boxes.some((box) => other.boxes.some((another) => hasArea(meet(box, another)))))
          faults.add(`${what} overlap: ${named(one.element)} and ${named(other.element)}`);
      }
  }

  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) faults.add(`the page is ${scrollWidth} pixels wide`);
  // A modal dialog is all that people can reach. The page below it is looked at without it.
  const modal = document.querySelectorAll(':modal');
  for (const part of modal.length > 0 ? modal : [document.body])
    visit(part, { holder: everywhere, seen: everywhere, layer: part });
  checkOverlaps(controls, 'controls');
  checkOverlaps(labels, 'labels of a chart');
  return [...faults];
}
