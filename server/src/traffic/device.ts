export type Device = 'phone' | 'tablet' | 'desktop';

const PROGRAM =
  /bot\b|crawl|spider|preview|facebookexternalhit|whatsapp\/|slackbot|telegrambot|curl\/|wget\/|headless/i;

/** The class of device that a user agent names. Undefined for programs that only look at a page, such as link previews. */
export function deviceOf(userAgent: string): Device | undefined {
  if (userAgent === '' || PROGRAM.test(userAgent)) return undefined;
  if (/ipad|tablet|playbook|silk|android(?!.*mobile)/i.test(userAgent)) return 'tablet';
  return /mobi|iphone|ipod|android/i.test(userAgent) ? 'phone' : 'desktop';
}

/** The host of the page a browser came from. Undefined when the browser does not say. */
export function hostOf(referrer: string | undefined): string | undefined {
  if (referrer === undefined || !URL.canParse(referrer)) return undefined;
  const { hostname } = new URL(referrer);
  return hostname === '' ? undefined : hostname.slice(0, 128).toLowerCase();
}
