/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { LOCALES, type Locale } from '@sangam/contract/locale.ts';
import { ROLES, type Role } from '@sangam/contract/roles.ts';
import { mayOpen, SCREENS, type Screen } from '@sangam/contract/screens.ts';
import { accessibilityFaults } from './inspect/accessible.ts';
import { layoutFaults } from './inspect/layout.ts';
import { Shell } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demo } from './world/demo.ts';

interface Texts {
  readonly titles: Readonly<Record<string, string>>;
  readonly areas: Readonly<Record<string, string>>;
}
const textsOf = (locale: Locale) =>
  JSON.parse(
    readFileSync(new URL(`../../console/src/locales/${locale}.json`, import.meta.url), 'utf8'),
  ) as Texts;
const TEXTS = Object.fromEntries(LOCALES.map((locale) => [locale, textsOf(locale)])) as Record<Locale, Texts>;
const titleOf = ({ path, area }: Pick<Screen, 'path' | 'area'>, locale: Locale) =>
  TEXTS[locale].titles[path] ?? TEXTS[locale].areas[area]!;

/**
 * Each role opens a screen in one language, another one for each role; the first role of a screen checks it fully, at the narrowest
 * width and at one of the wider ones. A closed address is tried with some roles only, because one function closes all. This saves
 * minutes; EVERYTHING=1 does all of it.
 */
const EVERYTHING = process.env['EVERYTHING'] === '1';
const CLOSED_TRIED = EVERYTHING ? 1 : 7;

const NARROWEST = 390;
const WIDTHS = [1440, 1024, NARROWEST] as const;
const HEIGHT = 900;

type Theme = 'light' | 'dark';

const inside = SCREENS.filter(({ roles, path }) => roles !== 'public' && path !== '/error_401');

test.describe.configure({ mode: 'parallel', timeout: 480_000 });

/**
 * Each screen is checked fully once, with its first role. What customer service and maintenance see of an area is its main screen
 * with fewer parts, so that is only opened.
 */
const looksOver = (role: Role, screen: Screen) =>
  ROLES.find((each) => mayOpen(each, screen)) === role &&
  !['customerService', 'readonly'].includes(screen.variant);

/**
 * Starts without animations, so that nothing moves during a check; without the scroll bar that floats over a list's last row and
 * changes its colours; and without stored tabs.
 */
async function start(page: Page): Promise<void> {
  await page.addInitScript(() => {
    for (const key of Object.keys(localStorage)) if (key.endsWith('.tabs')) localStorage.removeItem(key);
    const still = new CSSStyleSheet();
    still.replaceSync(
      '*, ::before, ::after { transition-duration: 1ms !important; animation-duration: 1ms !important; animation-iteration-count: 1 !important } .ant-table-sticky-scroll { display: none !important }',
    );
    document.adoptedStyleSheets = [still];
  });
  await page.goto('/home');
  await expect(new Shell(page).heading).toBeVisible();
}

/**
 * Waits until everything requested has arrived and is drawn, and menu groups have closed. Runs in the page, because it is called
 * often.
 */
async function settled(page: Page, path: string): Promise<void> {
  const isSettled = await page.evaluate(async () => {
    const busy = '[role=status][aria-label], .ant-spin-spinning, [aria-busy=true], .ant-motion-collapse';
    for (let frames = 0; frames < 1_000; frames += 1) {
      for (let drawn = 0; drawn < 2; drawn += 1) await new Promise(requestAnimationFrame);
      const isBusy = [...document.querySelectorAll(busy)].some((each) =>
        each.checkVisibility({ visibilityProperty: true }),
      );
      if (!isBusy) return true;
    }
    return false;
  });
  expect(isSettled, path).toBe(true);
}

/**
 * Changes the language as from another window, and waits until the window's title shows it. The current language is not chosen
 * again, because that would redraw the whole console for nothing.
 */
async function speak(page: Page, locale: Locale, title: string): Promise<void> {
  await page.evaluate(
    async ([language, end]) => {
      if (document.documentElement.lang !== language) {
        localStorage.setItem('sangam.language', language);
        dispatchEvent(new StorageEvent('storage', { key: 'sangam.language' }));
      }
      for (let frames = 0; !document.title.endsWith(end) && frames < 300; frames++)
        await new Promise(requestAnimationFrame);
    },
    [locale, `${title} · Sangam`] as const,
  );
  await expect(page.locator('html')).toHaveAttribute('lang', locale);
  await expect(page).toHaveTitle(new RegExp(`${title} · Sangam$`));
}

/**
 * Checks the screen at these widths, and the colours of both themes, which depend on neither language nor width. axe checks `part`
 * of the page: the frame around the screens is always the same. Returns the theme that the page then has.
 */
async function lookOver(
  page: Page,
  path: string,
  {
    locale,
    isFirst,
    part,
    widths,
  }: {
    readonly locale: Locale;
    readonly isFirst: boolean;
    readonly part: 'html' | 'main';
    readonly widths: readonly number[];
  },
  theme: Theme,
): Promise<Theme> {
  const faults: string[] = [];
  const look = async (how: string, faultsNow: () => Promise<readonly string[]>) => {
    // On a stalled machine, something that fades in is pale for a moment. A real fault is still there a second later.
    if ((await faultsNow()).length === 0) return;
    await page.waitForTimeout(1_000);
    await settled(page, path);
    faults.push(...(await faultsNow()).map((fault) => `${path} ${locale} ${how} ${fault}`));
  };
  let last = theme;
  if (isFirst) await look(theme, () => accessibilityFaults(page, { part }));
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT });
    await settled(page, path);
    await look(`${width} ${theme}`, () => layoutFaults(page));
  }
  if (isFirst) {
    // On a narrow screen a table scrolls; in a wide window it does not.
    await look(`${NARROWEST}`, () =>
      accessibilityFaults(page, { part, only: 'scrollable-region-focusable' }),
    );
    last = theme === 'light' ? 'dark' : 'light';
    await page.emulateMedia({ colorScheme: last });
    await page.setViewportSize({ width: widths[0]!, height: HEIGHT });
    await settled(page, path);
    await look(last, () => accessibilityFaults(page, { part, only: 'color-contrast' }));
  }
  expect.soft(faults, path).toEqual([]);
  return last;
}

/** Opens the closed addresses one after the other within the page. Returns where each ended and what was shown there. */
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

/** Full checks take many minutes, so two workers share them. */
const partsOf = (role: Role) =>
  role === 'superAdmin' ? 4 : inside.some((screen) => looksOver(role, screen)) ? 2 : 1;

for (const role of ROLES)
  for (let part = 0, parts = partsOf(role); part < parts; part += 1)
    test(`${role} opens its own screens and no others, and they stand well (${part + 1} of ${parts})`, async ({
      as,
    }) => {
      const isMine = (_: unknown, index: number) => index % parts === part;
      const isTried = (screen: Screen) => (inside.indexOf(screen) + ROLES.indexOf(role)) % CLOSED_TRIED === 0;
      // Each language gets a third of the screens, and other ones for each role.
      const ownOf = (screen: Screen) =>
        LOCALES[(inside.indexOf(screen) + ROLES.indexOf(role)) % LOCALES.length]!;
      // By language, because every change of it redraws the whole console.
      const open = inside
        .filter((screen) => mayOpen(role, screen))
        .filter(isMine)
        .toSorted((a, b) => LOCALES.indexOf(ownOf(a)) - LOCALES.indexOf(ownOf(b)));
      const closed = inside.filter((screen) => !mayOpen(role, screen) && isTried(screen)).filter(isMine);
      const { account } = demo().users.find((user) => user.role === role)!;
      let theme: Theme = 'light';
      const page = await as(account, {
        viewport: { width: WIDTHS[0], height: HEIGHT },
        colorScheme: theme,
      });
      const shell = new Shell(page);
      await start(page);
      for (const screen of open) {
        await shell.visit(`${screen.path}?n=20`);
        await expect(shell.heading, screen.path).toBeVisible();
        await shell.closeHiddenTabs();
        await settled(page, screen.path);
        await expect(page.getByRole('alert'), screen.path).toBeHidden();
        const own = ownOf(screen);
        const isLookedOver = looksOver(role, screen);
        for (const locale of EVERYTHING ? LOCALES : [own]) {
          await speak(page, locale, titleOf(screen, locale));
          if (isLookedOver && (locale === own || EVERYTHING))
            theme = await lookOver(
              page,
              screen.path,
              {
                locale,
                isFirst: locale === own,
                part: screen === open[0] ? 'html' : 'main',
                widths: EVERYTHING ? WIDTHS : [WIDTHS[inside.indexOf(screen) % 2]!, NARROWEST],
              },
              theme,
            );
        }
        expect(new URL(page.url()).pathname).toBe(screen.path);
      }
      // The page of a closed address is always the same: one language tries every address, and the others only check that the page
      // exists.
      const noAccess = (locale: Locale) => TEXTS[locale].titles['/error_401']!;
      const said = LOCALES[part % LOCALES.length]!;
      await speak(page, said, titleOf(open.at(-1)!, said));
      const ends = await tryAll(
        page,
        closed.map(({ path }) => path),
      );
      const heading = noAccess(said);
      expect(ends).toEqual(closed.map(({ path }) => ({ path, end: '/error_401', heading })));
      for (const locale of LOCALES) {
        await speak(page, locale, noAccess(locale));
        await expect(shell.heading).toHaveText(noAccess(locale));
      }
    });
