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
const IOS_SCHEMES = [
  { app: 'PhonePe', base: 'phonepe://pay' },
  { app: 'Google Pay', base: 'tez://upi/pay' },
  { app: 'Paytm', base: 'paytmmp://pay' },
] as const;

export function iosAppLinks(upiLink: string): { app: string; href: string }[] {
  const query = /^upi:\/\/pay(\?.*)$/i.exec(upiLink)?.[1];
  return query === undefined ? [] : IOS_SCHEMES.map(({ app, base }) => ({ app, href: base + query }));
}

/** iPads call themselves Macintosh; only the touch points give them away. */
export function isIos(userAgent: string, maxTouchPoints: number): boolean {
  return /iPhone|iPod|iPad/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1);
}
