/** The address when a browser may be sent there; the merchant chose it, so scripts and other schemes are refused. */
export function webAddress(text: string | null): string | undefined {
  if (text === null) return undefined;
  try {
    const { protocol, href } = new URL(text);
    return protocol === 'https:' || protocol === 'http:' ? href : undefined;
  } catch {
    return undefined;
  }
}

/** The link when it opens a payment app. */
export function payAppLink(text: string | undefined): string | undefined {
  return text !== undefined && /^(?:upi|phonepe|tez|paytmmp|bhim):\/\//i.test(text) ? text : undefined;
}

/**
 * iOS hands `upi://` to whichever app registered it last instead of asking, so there each app needs its own scheme;
 * all take the same query. Android shows a chooser.
 */
const APPS = [
  { app: 'PhonePe', base: 'phonepe://pay', productId: 1021 },
  { app: 'Google Pay', base: 'tez://upi/pay', productId: 1023 },
  { app: 'Paytm', base: 'paytmmp://pay', productId: 1022 },
] as const;

/** Of a product that is one app's: a link for that app, on every phone. Else on iOS one for each app, elsewhere none. */
export function appLinks(
  upiLink: string,
  productId: number,
  ios: boolean,
): readonly { readonly app: string; readonly href: string }[] {
  const query = /^upi:\/\/pay(\?.*)$/i.exec(upiLink)?.[1];
  if (query === undefined) return [];
  const own = APPS.filter((app) => app.productId === productId);
  return (own.length > 0 ? own : ios ? APPS : []).map(({ app, base }) => ({ app, href: base + query }));
}

/** iPads call themselves Macintosh; only the touch points give them away. */
export function isIos(userAgent: string, maxTouchPoints: number): boolean {
  return /iPhone|iPod|iPad/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1);
}
