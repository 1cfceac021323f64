import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** CHROMIUM_PATH, or the machine's own Chromium; undefined: the one that Playwright downloads. */
export function systemChromium(): string | undefined {
  return process.env['CHROMIUM_PATH'] || find(NAMES);
}

/**
 * The browser of most tests: Chromium's headless shell if it is installed beside the whole Chromium, as Playwright does with its
 * own downloads. Without a window frame a page opens in two thirds of the time. It has no notifications.
 */
export function headlessChromium(): string | undefined {
  const whole = systemChromium();
  return whole && !process.env['CHROMIUM_PATH'] ? (find(['chromium-headless-shell']) ?? whole) : whole;
}

function find(names: readonly string[]): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

/** Chromium's own sandbox does not work for root or in most containers, and the browser needs no network. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
