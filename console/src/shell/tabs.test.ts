import { describe, expect, it } from 'vitest';
import { isTabs, MAX_TABS, NO_TABS, pathsToClose, reduceTabs, tabAfterClosing, type Tab } from './tabs.ts';

const tab = (path: string, search = ''): Tab => ({ path, search });
const paths = (tabs: readonly Tab[]) => tabs.map(({ path }) => path);
const open = (...names: string[]) =>
  names.reduce((tabs, path) => reduceTabs(tabs, { type: 'visit', path, search: '' }), NO_TABS);

describe('visiting', () => {
  it('opens new tabs at the end and home first', () => {
    expect(paths(open('/a', '/b', '/a'))).toEqual(['/home', '/a', '/b']);
    expect(paths(open('/home'))).toEqual(['/home']);
  });

  it('keeps one tab a path, with its newest query', () => {
    const tabs = reduceTabs(open('/a', '/b'), { type: 'visit', path: '/a', search: '?p=2' });
    expect(tabs).toEqual([tab('/home'), tab('/a', '?p=2'), tab('/b')]);
  });

  it('returns the same list when nothing changed', () => {
    const tabs = open('/a');
    expect(reduceTabs(tabs, { type: 'visit', path: '/a', search: '' })).toBe(tabs);
  });

  it('closes the oldest when there are too many, never home', () => {
    const tabs = open(...Array.from({ length: MAX_TABS }, (_, index) => `/${index}`));
    expect(tabs).toHaveLength(MAX_TABS);
    expect(paths(tabs).slice(0, 2)).toEqual(['/home', '/1']);
  });
});

describe('closing', () => {
  const tabs = open('/a', '/b', '/c');

  it('acts on the tab that was clicked, not the one shown', () => {
    expect(pathsToClose(tabs, '/b', 'this')).toEqual(['/b']);
    expect(pathsToClose(tabs, '/b', 'others')).toEqual(['/a', '/c']);
    expect(pathsToClose(tabs, '/b', 'right')).toEqual(['/c']);
    expect(pathsToClose(tabs, '/b', 'all')).toEqual(['/a', '/b', '/c']);
    expect(pathsToClose(tabs, '/home', 'this')).toEqual([]);
    expect(pathsToClose(tabs, '/home', 'others')).toEqual(['/a', '/b', '/c']);
  });

  it('removes them and keeps home', () => {
    expect(paths(reduceTabs(tabs, { type: 'close', paths: ['/home', '/b'] }))).toEqual(['/home', '/a', '/c']);
  });

  it('stays, or goes to the right neighbour, or the left one, or home', () => {
    expect(tabAfterClosing(tabs, '/b', ['/a']).path).toBe('/b');
    expect(tabAfterClosing(tabs, '/b', ['/b']).path).toBe('/c');
    expect(tabAfterClosing(tabs, '/c', ['/c']).path).toBe('/b');
    expect(tabAfterClosing(tabs, '/c', ['/b', '/c']).path).toBe('/a');
    expect(tabAfterClosing(tabs, '/c', ['/a', '/b', '/c']).path).toBe('/home');
  });
});

it('restores stored tabs behind home', () => {
  expect(reduceTabs(NO_TABS, { type: 'restore', tabs: [tab('/a', '?x=1'), tab('/home')] })).toEqual([
    tab('/home'),
    tab('/a', '?x=1'),
  ]);
});

it('refuses an invalid stored value', () => {
  expect(isTabs([tab('/a')])).toBe(true);
  for (const nonsense of [undefined, null, 'x', {}, [1], [{ path: '/a' }], [{ path: 1, search: '' }]]) {
    expect(isTabs(nonsense)).toBe(false);
  }
});
