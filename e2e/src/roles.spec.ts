/// <reference lib="dom" />
import type { Page } from '@playwright/test';
import { ROLES, type Role } from '@sangam/contract/roles.ts';
import { mayOpen, SCREENS, type Screen } from '@sangam/contract/screens.ts';
import { accessibilityFaults } from './inspect/accessible.ts';
import { layoutFaults } from './inspect/layout.ts';
import { Shell } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demo } from './world/demo.ts';

const LANGUAGES = [
  { locale: 'en-US', noAccess: 'No access' },
  { locale: 'zh-CN', noAccess: '无权访问' },
  { locale: 'zh-TW', noAccess: '無權存取' },
] as const;

const WIDTHS = [1440, 1024, 390] as const;
const HEIGHT = 900;

type Theme = 'light' | 'dark';

const built = SCREENS.filter(
  ({ built: isBuilt, roles, path }) => isBuilt && roles !== 'public' && path !== '/error_401',
);

// A superAdmin's third of the screens takes a minute, in six looks each.
test.describe.configure({ mode: 'parallel', timeout: 480_000 });

/**
 * Each screen is looked over once, with the first role it is there for. What customer service and maintenance see of an
 * area is its main screen with less in it: that is only opened.
 */
const looksOver = (role: Role, screen: Screen) =>
  ROLES.find((each) => mayOpen(each, screen)) === role &&
  !['customerService', 'readonly'].includes(screen.variant);

/**
 * Nothing moves, so that nothing is looked at while it does; the scroll bar that floats over a list's last row does not change
 * that row's colours; tabs of before are gone.
 */
async function start(page: Page, locale: string): Promise<void> {
  await page.addInitScript((language) => {
    localStorage.setItem('sangam.language', language);
    for (const key of Object.keys(localStorage)) if (key.endsWith('.tabs')) localStorage.removeItem(key);
    const still = new CSSStyleSheet();
    still.replaceSync(
      '*, ::before, ::after { transition-duration: 1ms !important; animation-duration: 1ms !important; animation-iteration-count: 1 !important } .ant-table-sticky-scroll { display: none !important }',
    );
    document.adoptedStyleSheets = [still];
  }, locale);
  await page.goto('/home');
  await expect(page.locator('html')).toHaveAttribute('lang', locale);
  await expect(new Shell(page).heading).toBeVisible();
}

/** Until what was asked for is there and drawn, and groups of the menu have closed. */
async function settled(page: Page, path: string): Promise<void> {
  const busy = page.locator(
    '[role=status][aria-label], .ant-spin-spinning, [aria-busy=true], .ant-motion-collapse',
  );
  await expect(busy.filter({ visible: true }), path).toHaveCount(0);
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
}

/** The screen at every width and in both themes; answers the theme it leaves the page in. */
async function lookOver(page: Page, path: string, theme: Theme): Promise<Theme> {
  const other = theme === 'light' ? 'dark' : 'light';
  const faults: string[] = [];
  const look = async (how: string, faultsNow: () => Promise<readonly string[]>) => {
    // What fades in on a machine that has stalled is pale for a moment; a fault is still there a second later.
    if ((await faultsNow()).length === 0) return;
    await page.waitForTimeout(1_000);
    await settled(page, path);
    faults.push(...(await faultsNow()).map((fault) => `${path} ${how} ${fault}`));
  };
  const layoutAt = async (width: number, colorScheme: Theme) => {
    await page.setViewportSize({ width, height: HEIGHT });
    await settled(page, path);
    await look(`${width} ${colorScheme}`, () => layoutFaults(page));
  };
  await look(theme, () => accessibilityFaults(page));
  for (const width of WIDTHS) await layoutAt(width, theme);
  await page.emulateMedia({ colorScheme: other });
  for (const width of WIDTHS.toReversed()) await layoutAt(width, other);
  await look(other, () => accessibilityFaults(page, { only: 'color-contrast' }));
  expect.soft(faults, path).toEqual([]);
  return other;
}

/** Goes from one closed address to the next within the page; answers where each ended and what stood there. */
const tryAll = (page: Page, paths: readonly string[]) =>
  page.evaluate(async (all) => {
    const frame = () => new Promise(requestAnimationFrame);
    const ends: { readonly path: string; readonly end: string; readonly heading: string }[] = [];
    for (const path of all) {
      history.pushState(null, '', path);
      dispatchEvent(new PopStateEvent('popstate', { state: null }));
      const headings = () => [...document.querySelectorAll('h1')].filter((each) => each.checkVisibility());
      for (let frames = 0; (location.pathname === path || headings().length === 0) && frames < 300; frames++)
        await frame();
      ends.push({
        path,
        end: location.pathname,
        heading: headings()
          .map((each) => each.innerText)
          .join(),
      });
    }
    return ends;
  }, paths);

for (const [turn, role] of ROLES.entries())
  for (const [part, { locale, noAccess }] of LANGUAGES.entries())
    test(`${role} opens its own screens and no others, and they stand well (${locale})`, async ({ as }) => {
      // Each language has a third of the screens, with each role another one.
      const isMine = (_: unknown, index: number) => (index + turn) % LANGUAGES.length === part;
      const open = built.filter((screen) => mayOpen(role, screen)).filter(isMine);
      const closed = built.filter((screen) => !mayOpen(role, screen)).filter(isMine);
      const { account } = demo().users.find((user) => user.role === role)!;
      let theme: Theme = 'light';
      const page = await as(account, {
        viewport: { width: WIDTHS[0], height: HEIGHT },
        colorScheme: theme,
      });
      const shell = new Shell(page);
      await start(page, locale);
      for (const screen of open) {
        await shell.visit(`${screen.path}?n=20`);
        await expect(shell.heading, screen.path).toBeVisible();
        await shell.closeHiddenTabs();
        await settled(page, screen.path);
        await expect(page.getByRole('alert'), screen.path).toBeHidden();
        expect(new URL(page.url()).pathname).toBe(screen.path);
        if (looksOver(role, screen)) theme = await lookOver(page, screen.path, theme);
      }
      const ends = await tryAll(
        page,
        closed.map(({ path }) => path),
      );
      expect(ends).toEqual(closed.map(({ path }) => ({ path, end: '/error_401', heading: noAccess })));
    });
