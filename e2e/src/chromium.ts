import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** CHROMIUM_PATH, or the machine's own Chromium; undefined means the one Playwright downloads. */
export function systemChromium(): string | undefined {
  return process.env['CHROMIUM_PATH'] || find(NAMES);
}

/**
 * What most tests use: Chromium's headless shell where it stands beside the whole Chromium, as Playwright does with what it
 * downloads. Without the frame of a window a page opens in two thirds of the time; notifications are not to be had in it.
 */
export function headlessChromium(): string | undefined {
  const whole = systemChromium();
  return whole && !process.env['CHROMIUM_PATH'] ? (find(['chromium-headless-shell']) ?? whole) : whole;
}

function find(names: readonly string[]): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

/** Sandboxes of its own are not to be had for root or in most containers; and it has no business on the network. */
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
