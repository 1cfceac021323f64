/// <reference lib="dom" />
import type { Page } from '@playwright/test';

/** Layout faults of the page, one line each; empty when there are none. */
export const layoutFaults = (page: Page): Promise<string[]> => page.evaluate(findFaults);

/**
 * Runs in the page. Faults are: content outside the window, or cut by a box without an ellipsis and a title; and overlapping texts
 * or controls, unless one of them floats over the page (sticky heads and feet, fixed columns).
 */
function findFaults(): string[] {
  /** Pixels of tolerance: edges of letters and borders lie between pixels. */
  const SLACK = 2;
  const CONTROLS =
    'a[href],button,input,select,textarea,summary,[role=button],[role=tab],[role=menuitem],[role=switch]';
  interface Box {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  }
  interface Thing {
    readonly element: Element;
    readonly box: Box;
    /** The nearest ancestor that floats over the page. */
    readonly floor: Element | null;
  }

  const styles = new Map<Element, CSSStyleDeclaration>();
  const styleOf = (element: Element) => {
    const known = styles.get(element);
    if (known) return known;
    const style = getComputedStyle(element);
    styles.set(element, style);
    return style;
  };
  const isFloating = (element: Element) =>
    ['sticky', 'fixed'].includes(styleOf(element).position) ||
    (styleOf(element).position === 'absolute' && styleOf(element).zIndex !== 'auto');
  const floorOf = (element: Element): Element | null => {
    for (let at: Element | null = element; at; at = at.parentElement) if (isFloating(at)) return at;
    return null;
  };
  /** For screen readers only, or drawn in one pixel. */
  const isUnseen = (box: Box) => box.right - box.left <= 1 || box.bottom - box.top <= 1;
  const common = (one: Box, other: Box): Box => ({
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  });
  const nameOf = (element: Element) => {
    const text = (element.getAttribute('aria-label') ?? element.textContent).trim().replaceAll(/\s+/g, ' ');
    const style = [...element.classList].slice(0, 2).join('.');
    return `${element.tagName.toLowerCase()}${style && `.${style}`} "${text.slice(0, 50)}"`;
  };
  const hasTitle = (element: Element) =>
    element.closest('[title]:not([title=""])') !== null ||
    element.querySelector('[title]:not([title=""])') !== null;

  const faults = new Set<string>();
  const width = document.documentElement.clientWidth;

  /** The part of `whole` that is visible or can be scrolled to; undefined when there is none. Reports what is cut off. */
  const visible = (element: Element, whole: Box): Box | undefined => {
    let box = whole;
    for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
      const style = styleOf(at);
      const inner = at.getBoundingClientRect();
      if (style.overflowX === 'visible' && style.overflowY === 'visible') {
        if (style.position === 'fixed') break;
        continue;
      }
      if (isUnseen(inner)) return undefined;
      const scrolls = /auto|scroll/;
      // A table's head scrolls sideways with its rows. Tabs without room are in a menu beside the others.
      const across =
        scrolls.test(style.overflowX) || at.matches('.ant-table-sticky-holder, .ant-tabs-nav-wrap');
      const down = scrolls.test(style.overflowY);
      const cut =
        (!across &&
          style.overflowX !== 'visible' &&
          (box.left < inner.left - SLACK || box.right > inner.right + SLACK)) ||
        (!down &&
          style.overflowY !== 'visible' &&
          (box.top < inner.top - SLACK || box.bottom > inner.bottom + SLACK));
      const isShortened = style.textOverflow === 'ellipsis' || !['', 'none'].includes(style.webkitLineClamp);
      if (cut && !(isShortened && hasTitle(at)) && at.tagName !== 'INPUT')
        faults.add(`cut off by ${nameOf(at)}: ${nameOf(element)}`);
      box = common(box, inner);
      // Scrolled away, or behind scrolled content.
      if (isUnseen(box)) return undefined;
    }
    if (box.left < -SLACK || box.right > width + SLACK)
      faults.add(`outside of the window: ${nameOf(element)}`);
    return box;
  };

  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    // antd draws a second, invisible head of a table to measure it.
    element.closest('[aria-hidden=true] table, table [aria-hidden=true], .ant-select-dropdown-hidden') ===
      null;

  const texts: Thing[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!element || !node.nodeValue?.trim() || !isShown(element)) continue;
    range.selectNodeContents(node);
    const whole = range.getBoundingClientRect();
    if (isUnseen(whole)) continue;
    const floor = floorOf(element);
    const seen = visible(element, whole);
    if (!seen) continue;
    // Line by line: the end of one text may be beside the beginning of the next.
    for (const line of range.getClientRects()) {
      const box = common(line, seen);
      if (!isUnseen(box)) texts.push({ element, box, floor });
    }
  }
  const controls: Thing[] = [];
  for (const element of document.querySelectorAll(CONTROLS)) {
    if (!isShown(element)) continue;
    const whole = element.getBoundingClientRect();
    if (isUnseen(whole)) continue;
    const box = visible(element, whole);
    if (box) controls.push({ element, box, floor: floorOf(element) });
  }

  const findOverlaps = (things: Thing[], kind: string, slack: number) => {
    things.sort((a, b) => a.box.top - b.box.top);
    things.forEach((one, index) => {
      for (const other of things.slice(index + 1)) {
        if (other.box.top >= one.box.bottom - slack) break;
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const down = Math.min(one.box.bottom, other.box.bottom) - other.box.top;
        if (across <= slack || down <= slack || one.floor !== other.floor) continue;
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
        faults.add(`${kind}: ${nameOf(one.element)} and ${nameOf(other.element)}`);
      }
    });
  };
  findOverlaps(texts, 'text upon text', 4);
  findOverlaps(controls, 'control upon control', SLACK);
  // Tables and cards may scroll sideways in their own boxes; the page itself may not.
  for (const page of [document.documentElement, ...document.querySelectorAll('[role=tabpanel]')])
    if (page.checkVisibility() && page.scrollWidth > page.clientWidth + SLACK)
      faults.add(`${nameOf(page)} scrolls sideways`);
  return [...faults].slice(0, 12);
}
