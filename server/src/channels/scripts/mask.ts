const MASK = '***';
/** Masking shorter secrets would hide half of every record. */
const LEAST = 4;
const TELLING_HEADERS = /^(?:authorization|cookie|set-cookie|x-api-key|x-client-secret)$/i;

/**
 * Takes secrets out of what a call's record keeps, however deep they stand: as they are, and as they travel in addresses
 * and in base64. What a script makes of a secret otherwise (a signature) is not the secret.
 */
export function maskSecrets<Value>(value: Value, secrets: readonly string[]): Value {
  const forms = [
    ...new Set(
      secrets
        .filter((secret) => secret.length >= LEAST)
        .flatMap((secret) => [
          secret,
          encodeURIComponent(secret),
          Buffer.from(secret).toString('base64'),
          Buffer.from(secret).toString('hex'),
        ]),
    ),
  ].toSorted((a, b) => b.length - a.length);
  const text = (plain: string) => forms.reduce((masked, form) => masked.replaceAll(form, MASK), plain);
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return text(part);
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(
      Object.entries(part).map(([name, inner]) => [
        text(name),
        TELLING_HEADERS.test(name) && typeof inner === 'string' ? MASK : walk(inner),
      ]),
    );
  };
  return walk(value) as Value;
}
