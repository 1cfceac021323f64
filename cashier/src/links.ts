/** The address, if a browser may be sent to it. The merchant chose the address, so scripts and other schemes are refused. */
export function webAddress(text: string | null): string | undefined {
  if (text === null) return undefined;
  try {
    const { protocol, href } = new URL(text);
    return protocol === 'https:' || protocol === 'http:' ? href : undefined;
  } catch {
    return undefined;
  }
}

/** The link, if it opens a payment app. */
export function payAppLink(text: string | undefined): string | undefined {
  return text !== undefined && /^(?:upi|phonepe|tez|paytmmp|bhim):\/\//i.test(text) ? text : undefined;
}

/**
 * iOS does not ask which app opens `upi://`: it takes the app that registered the scheme last. So on iOS each app needs its own
 * scheme; all take the same query. Android shows a chooser.
 */
const APPS = [
  { app: 'PhonePe', base: 'phonepe://pay', productId: 1021 },
  { app: 'Google Pay', base: 'tez://upi/pay', productId: 1023 },
  { app: 'Paytm', base: 'paytmmp://pay', productId: 1022 },
] as const;

/** For a product of one app: a link for that app, on every phone. For other products: on iOS one link per app, elsewhere none. */
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

/** iPads identify themselves as Macintosh; only the touch points tell them apart. */
export function isIos(userAgent: string, maxTouchPoints: number): boolean {
  return /iPhone|iPod|iPad/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1);
}
